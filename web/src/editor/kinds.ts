// What a text is: rules in GDL, a model in MiniZinc, or a graph as JSON or DOT.

import type { Kind } from '../api';

const endings: Record<string, Kind> = { kif: 'gdl', gdl: 'gdl', mzn: 'minizinc', json: 'graph', dot: 'graph', gv: 'graph' };

export const acceptedFiles = [...Object.keys(endings), 'txt'].map((ending) => `.${ending}`).join(',');

export function kindOfFile(name: string): Kind | null {
  return endings[name.split('.').pop()!.toLowerCase()] ?? null;
}

// Guessed from how the text begins, after its comments; null where nothing speaks for any.
export function kindOfText(text: string): Kind | null {
  const bare = text.replace(/^(\s|;.*|%.*|\/\/.*|\/\*[^]*?\*\/)+/, '');
  if (bare.startsWith('(')) return 'gdl';
  if (bare.startsWith('{') || /^(strict\s+)?(di)?graph\b/.test(bare)) return 'graph';
  if (/^(include|int|bool|float|set|array|enum|var|par|opt|constraint|solve|predicate|function|test|annotation|type|output|\d+\s*\.\.)(?!\w)/.test(bare)) return 'minizinc';
  const comment = text.trimStart()[0];
  return comment === ';' ? 'gdl' : comment === '%' ? 'minizinc' : null;
}
