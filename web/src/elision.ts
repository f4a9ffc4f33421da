// Puts words into the places of a text. In French what stands before them changes: les coups d’Alice, du hasard.

import type { Language } from './i18n';

export function fill(text: string, place: RegExp, wordFor: (name: string) => string | number | undefined, into: Language): string {
  const led = new RegExp(`(?:(?<![\\p{L}’])(de|le|la|ne|que) )?${place.source}`, 'giu');
  return text.replace(led, (all, before: string | undefined, name: string) => {
    const word = wordFor(name);
    if (word === undefined) return all;
    return before === undefined ? String(word) : into === 'fr' ? joined(before, String(word)) : `${before} ${word}`;
  });
}

function joined(before: string, word: string): string {
  if (before === 'de' && word.startsWith('le ')) return `du ${word.slice(3)}`;
  if (before === 'de' && word.startsWith('les ')) return `des ${word.slice(4)}`;
  return takesElision(word) ? `${before.slice(0, -1)}’${word}` : `${before} ${word}`;
}

// A word that begins with a vowel, or with an h that is not sounded: those that are sounded are most that begin with ha,
// and a few more. A single letter is a name, and is spelt.
function takesElision(word: string): boolean {
  const plain = word.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
  if (/^\p{L}(?!\p{L})/u.test(plain) || /^(onze|oui|hex|huit|heros|hors|hockey)/.test(plain)) return false;
  return /^([aeiouœæ]|y(?![aeiou])|h(?!a)|hab|harm|haleine)/.test(plain);
}
