// Moves in words: as the hints of the game say them, or as the rules write them.
//
// A hint is a pattern by the name of the move: "{1:a}{2}–{3:a}{4}" for (move 5 2 5 4) is e2–e4. `{n}` is an argument, in
// the words of the hints where they have some; `{n:a}` a number as a letter.

import { createContext } from 'preact';
import { useContext, useMemo } from 'preact/hooks';
import type { Hints, Term, Words } from '../api';
import { inLanguage, useLanguage, type Language } from '../i18n';
import { argumentsOf, isNumber, nameOf, readTerm, say as sayPlainly } from './terms';

export type Say = (move: Term) => string;   // a term, or its text
const plainly: Say = (move) => sayPlainly(typeof move === 'string' ? readTerm(move) : move);

const Speech = createContext<Say>(plainly);
export const Speaking = Speech.Provider;
export const useSay = (): Say => useContext(Speech);

export function useSpeech(hints: Hints): Say {
  const language = useLanguage();
  return useMemo(() => speech(hints, language), [hints, language]);
}

export function speech(hints: Hints, language: Language): Say {
  return (move) => {
    const term = typeof move === 'string' ? readTerm(move) : move;
    const pattern = hints.moves?.[nameOf(term)];
    if (pattern === undefined) return plainly(term);
    const given = argumentsOf(term);
    const said = typeof pattern === 'string' ? pattern : inLanguage(pattern as Words, language);
    return said.replace(/\{(\d+)(:a)?\}/g, (place, number: string, letter?: string) => {
      const argument = given[Number(number) - 1];
      if (argument === undefined) return place;
      return wordOf(argument, letter !== undefined, hints, language);
    });
  };
}

function wordOf(term: Term, letter: boolean, hints: Hints, language: Language): string {
  if (typeof term !== 'string') return sayPlainly(term);
  if (letter && isNumber(term)) return letterOf(term);
  const title = hints.pieces?.[term]?.title ?? hints.roles?.[term]?.title;
  return title ? inLanguage(title, language) : term.replaceAll('_', ' ');
}

export const letterOf = (number: string): string => {
  const at = Number(number);
  return at >= 1 && at <= 26 ? String.fromCharCode(96 + at) : number;
};
