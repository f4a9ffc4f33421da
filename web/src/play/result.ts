// Who won, in words.

import type { Translate } from '../i18n';
import type { words } from './words';

export function resultOf(goals: Record<string, number>, seats: string[], title: (role: string) => string,
  t: Translate<typeof words>): string {
  const reached = seats.map((role) => goals[role] ?? 0);
  const best = Math.max(...reached);
  const winners = seats.filter((_, index) => reached[index] === best);
  if (seats.length === 1) return t('reached', { n: best });
  if (winners.length === seats.length) return t(best === 100 ? 'everybody' : best === 0 ? 'nobody' : 'draw');
  if (winners.length === 1) return t('wins', { role: title(winners[0]!) });
  return t('shared', { roles: winners.map(title).join(', ') });
}
