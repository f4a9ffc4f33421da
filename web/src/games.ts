// The games: those of the library, and those that a person wrote or pasted.
//
// One's own games never leave the browser but in questions about them; their ids begin with mine/.

import { ask, type Check, type Game, type GameRef, type GameSummary, type Kind } from './api';
import { remember, remembered } from './setting';

export interface Mine {
  name: string;
  kind: Kind;
  text: string;
  about?: About;
}
export type About = Partial<Pick<Check, 'seats' | 'tags'>> & { parameters?: Record<string, string> };

const prefix = 'mine/';
export const isMine = (id: string) => id.startsWith(prefix);

function mine(): Mine[] {
  try { return JSON.parse(remembered('mine') ?? '[]') as Mine[]; } catch { return []; }
}

let library: Promise<GameSummary[]> | null = null;

export async function loadGames(): Promise<GameSummary[]> {
  library ??= ask<{ games: GameSummary[] }>('/api/games').then(({ games }) => games);
  library.catch(() => { library = null; });   // asked again the next time
  return [...mine().map(summary), ...(await library)];
}

// The game, and how to name it in a question.
export async function loadGame(id: string): Promise<{ game: Game; ref: GameRef }> {
  if (!isMine(id)) return { game: await ask<Game>(`/api/games/${id}`), ref: { id } };
  const found = mine().find(({ name }) => prefix + name === id);
  if (!found) throw new Error(`${id}?`);
  const { kind, text } = found;
  return { game: { ...summary(found), text, hints: {} }, ref: { kind, text } };
}

// Takes the place of one's own game of the same name. The answer is its id.
export function saveMine(name: string, kind: Kind, text: string, about: About = {}): string {
  const others = mine().filter((game) => game.name !== name);
  remember('mine', JSON.stringify([{ name, kind, text, about }, ...others]));
  return prefix + name;
}

export function removeMine(id: string): void {
  remember('mine', JSON.stringify(mine().filter(({ name }) => prefix + name !== id)));
}

function summary({ name, kind, text, about }: Mine): GameSummary {
  return {
    id: prefix + name,
    kind,
    title: { en: name },
    words: { en: comment(text, kind) },
    tags: about?.tags ?? [],
    themes: [],
    seats: about?.seats ?? [],
    solved: null,
    parameters: openParameters(kind, text).map((parameter) => ({ name: parameter, value: about?.parameters?.[parameter] ?? '' })),
  };
}

// The comment that heads a text: its rules in words.
export function comment(text: string, kind: Kind): string {
  const mark = kind === 'gdl' ? ';' : '%';
  const lines = text.split('\n').map((line) => line.trim());
  const end = lines.findIndex((line) => !line.startsWith(mark));
  return lines
    .slice(0, end < 0 ? undefined : end)
    .map((line) => line.replace(/^[;%]+ ?/, ''))
    .join('\n')
    .trim();
}

// What a model leaves open: `int: n; int: m;`, `1..9: k;`.
export function openParameters(kind: Kind, text: string): string[] {
  if (kind !== 'minizinc') return [];
  const items = text.replace(/%[^\n]*|\/\*[^]*?\*\/|"(?:[^"\\]|\\.)*"/g, ' ').split(';');
  const declaration = /^\s*((?:par|int|bool|float|opt|array|set)\b[^:=]*|[A-Z]\w*|-?\w+\s*\.\.[^:=]*):\s*(\w+)\s*$/;
  return items
    .map((item) => declaration.exec(item))
    .filter((found) => found !== null && !/\bvar\b/.test(found[1]!))
    .map((found) => found![2]!);
}
