// Terms as they come: an atom, or a name with its arguments.

import type { Term } from '../api';

export const nameOf = (term: Term): string => (typeof term === 'string' ? term : nameOf(term[0] ?? ''));
export const argumentsOf = (term: Term): Term[] => (typeof term === 'string' ? [] : term.slice(1));

// As in the rules: (cell 1 1 x).
export const write = (term: Term): string => (typeof term === 'string' ? term : `(${term.map(write).join(' ')})`);

// For people: "cell 1 1 x", and "move (2 3)" where a term stands in a term.
export const say = (term: Term): string =>
  (typeof term === 'string' ? term : term.map(write).join(' ')).replaceAll('_', ' ');

// A term from its text, as the rules write it.
export function readTerm(text: string): Term {
  const tokens = text.match(/[()]|[^\s()]+/g) ?? [];
  let at = 0;
  const read = (): Term => {
    if (tokens[at] !== '(') return tokens[at++] ?? '';
    const all: Term[] = [];
    for (++at; at < tokens.length && tokens[at] !== ')';) all.push(read());
    ++at;
    return all;
  };
  const first = read();
  return at >= tokens.length ? first : text;   // not one term: words as they are
}

export const isNumber = (text: string): boolean => /^-?\d+$/.test(text);
