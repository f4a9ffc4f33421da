// Equal branches share an edge: its labels are one text, short enough to be read.

import type { Say } from '../board/speech';

export function folded(terms: string[], say: Say, most = 24): string {
  const labels = terms.map((term) => say(term));
  const whole = labels.join(' // ');
  if (whole.length <= most) return whole;
  let text = '';
  let shown = 0;
  for (const label of labels) {
    const longer = shown === 0 ? label : `${text} // ${label}`;
    if (shown > 0 && longer.length > most - 4) break;
    text = longer;
    shown += 1;
  }
  if (text.length > most) text = `${text.slice(0, most - 1)}…`;
  return shown < labels.length ? `${text} // … (+${labels.length - shown})` : text;
}

export const short = (text: string, most: number): string => (text.length <= most ? text : `${text.slice(0, most - 1)}…`);
