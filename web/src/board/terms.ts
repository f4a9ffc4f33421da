// Terms as they come: an atom, or a name with its arguments.

import type { Term } from '../api';

export const nameOf = (term: Term): string => (typeof term === 'string' ? term : nameOf(term[0] ?? ''));
export const argumentsOf = (term: Term): Term[] => (typeof term === 'string' ? [] : term.slice(1));

// As in the rules: (cell 1 1 x).
export const write = (term: Term): string => (typeof term === 'string' ? term : `(${term.map(write).join(' ')})`);

// For people: "cell 1 1 x", and "move (2 3)" where a term stands in a term.
export const say = (term: Term): string =>
  (typeof term === 'string' ? term : term.map(write).join(' ')).replaceAll('_', ' ');

// The same for a move of which only the text is known.
export const sayText = (text: string): string => text.replace(/^\((.*)\)$/s, '$1').replaceAll('_', ' ');

export const isNumber = (text: string): boolean => /^-?\d+$/.test(text);
