// How things on a board look: as the hints say, or a colour and a few letters by their name.

import type { Hints } from '../api';
import { inLanguage, type Language } from '../i18n';
import { isNumber } from './terms';

export interface Piece {
  text: string;      // drawn
  title: string;     // said
  colour: string;
  ink: 'dark' | 'light';   // that can be read on the colour
  shape: 'disc' | 'glyph' | 'fill';   // a disc with letters, a sign that stands alone, or the whole place
}

const colours: Record<string, string> = {
  white: '#f6f4ee', black: '#2b2b30', red: '#c8413a', yellow: '#eec343', blue: '#3a6fc4', green: '#3f8f54',
  orange: '#dd8434', purple: '#8456b0', brown: '#87603f', pink: '#d9739f', grey: '#8b8f96', gray: '#8b8f96',
};
const palette = ['#3a6fc4', '#c8413a', '#3f8f54', '#8456b0', '#c9822b', '#2f8f94', '#b04f83', '#6f7a2e'];

const empty = /^(b|blank|empty|none|nothing|clear)$/i;

// Null: nothing lies there.
export function pieceOf(name: string, roles: string[], hints: Hints, language: Language): Piece | null {
  const parts = name.split(' ');
  const hint = hints.pieces?.[name];
  if (hint === null || (hint === undefined && empty.test(name) && !roles.includes(name))) return null;
  const hintsOfParts = parts.flatMap((part) => hints.pieces?.[part] ?? []);
  const known = hint ? [hint] : hintsOfParts;
  const colour = known.find((one) => one.colour)?.colour ?? colourOf(parts, roles, hints);
  return {
    text: known.findLast((one) => one.text !== undefined)?.text ?? letters(parts),
    title: hint?.title ? inLanguage(hint.title, language) : name.replaceAll('_', ' '),
    colour,
    ink: isLight(colour) ? 'dark' : 'light',
    shape: known.findLast((one) => one.shape !== undefined)?.shape ?? 'disc',
  };
}

export function colourOfRole(role: string, roles: string[], hints: Hints): string {
  return hints.roles?.[role]?.colour ?? colours[role] ?? palette[Math.max(0, roles.indexOf(role)) % palette.length]!;
}

function colourOf(parts: string[], roles: string[], hints: Hints): string {
  const role = parts.find((part) => roles.includes(part));
  if (role !== undefined) return colourOfRole(role, roles, hints);
  const plain = parts.find((part) => part in colours);
  if (plain !== undefined) return colours[plain]!;
  if (parts.every(isNumber)) return '#e4dccb';
  let sum = 0;
  for (const letter of parts.join(' ')) sum = (sum * 31 + letter.charCodeAt(0)) >>> 0;
  return palette[sum % palette.length]!;
}

// A colour says itself; of the rest the word that tells most, shortened.
function letters(parts: string[]): string {
  const word = parts.findLast((part) => !(part in colours));
  if (word === undefined) return '';
  return word.length <= 2 || isNumber(word) ? word : word[0]!.toUpperCase() + word[1]!;
}

function isLight(colour: string): boolean {
  const hex = /^#([0-9a-f]{3}|[0-9a-f]{6})$/i.exec(colour)?.[1];
  if (!hex) return true;
  const full = hex.length === 3 ? [...hex].map((digit) => digit + digit).join('') : hex;
  const [red, green, blue] = [0, 2, 4].map((at) => parseInt(full.slice(at, at + 2), 16) / 255) as [number, number, number];
  return 0.2126 * red ** 2.2 + 0.7152 * green ** 2.2 + 0.0722 * blue ** 2.2 > 0.25;
}
