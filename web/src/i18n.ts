// The page's two languages. Every screen keeps its words beside what shows them.
//
//   const words = { left: { en: '{n} matches left', fr: 'encore {n} allumettes' } };
//   const t = useWords(words);
//   t('left', { n: 5 })

import type { Words } from './api';
import { fill } from './elision';
import { setting } from './setting';

export type Language = 'en' | 'fr';
export type Dictionary = Record<string, Record<Language, string>>;
export type Translate<D extends Dictionary> = (key: keyof D, values?: Record<string, string | number>) => string;

const language = setting<Language>('language', ['en', 'fr'], navigator.language.startsWith('fr') ? 'fr' : 'en');
document.documentElement.lang = language.get();

export const useLanguage = language.use;

export function setLanguage(next: Language): void {
  document.documentElement.lang = next;
  language.set(next);
}

export function translate<D extends Dictionary>(dictionary: D, into: Language): Translate<D> {
  return (key, values = {}) => fill(dictionary[key]![into], /\{(\w+)\}/, (name) => values[name], into);
}

export function useWords<D extends Dictionary>(dictionary: D): Translate<D> {
  return translate(dictionary, useLanguage());
}

export function inLanguage(words: Words, into: Language): string {
  return words[into] ?? words.en;
}

// A number with so many decimals, as the language writes it.
export const decimal = (value: number, digits = 1): string =>
  value.toLocaleString(language.get(), { minimumFractionDigits: digits, maximumFractionDigits: digits, useGrouping: false });
