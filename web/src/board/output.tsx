// A position of a model as its author shows it, by the output item. What depends on moves still to be made is dots.

import { ask, type Game, type GameRef, type Step } from '../api';
import { useWords } from '../i18n';
import { useAnswer } from '../ui';
import { words } from './words';

export const hasOutput = ({ kind, text }: Pick<Game, 'kind' | 'text'>): boolean => kind === 'minizinc' && /\boutput\b/.test(text);

export function ModelOutput({ game, steps }: { game: GameRef; steps: Step[] }) {
  const t = useWords(words);
  const { answer } = useAnswer(
    async (signal) => (await ask<{ text: string }>('/api/output', { game, steps }, signal)).text,
    [JSON.stringify(game), JSON.stringify(steps)]);
  if (!answer?.trim()) return null;
  return <pre class="model-output" role="figure" aria-label={t('output')} tabIndex={0}>{answer.trimEnd()}</pre>;
}
