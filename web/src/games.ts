// The games: those of the library, and those that a person wrote or pasted.
//
// One's own games never leave the browser but in questions about them; their ids begin with mine/.

import { ask, type Check, type Game, type GameRef, type GameSummary, type Hints, type Kind } from './api';
import { remember, remembered } from './setting';

export interface Mine {
  name: string;
  kind: Kind;
  text: string;
  about?: About;
  hints?: Hints;   // how its positions are drawn
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

// The only fact of a position of a graph.
const graphFacts: Hints['facts'] = { state: { en: 'state', fr: 'état' } };

// The game, and how to name it in a question.
export async function loadGame(id: string): Promise<{ game: Game; ref: GameRef }> {
  const { game, ref } = await loadPlain(id);
  return { game: game.kind === 'graph' ? { ...game, hints: { facts: graphFacts, ...game.hints } } : game, ref };
}

async function loadPlain(id: string): Promise<{ game: Game; ref: GameRef }> {
  if (!isMine(id)) return { game: await ask<Game>(`/api/games/${id}`), ref: { id } };
  const found = mine().find(({ name }) => prefix + name === id);
  if (!found) throw new Error(`${id}?`);
  const { kind, text } = found;
  return { game: { ...summary(found), text, hints: found.hints ?? {} }, ref: { kind, text } };
}

// Takes the place of one's own game of the same name. The answer is its id.
export function saveMine(name: string, kind: Kind, text: string, about: About = {}, hints: Hints = {}): string {
  const others = mine().filter((game) => game.name !== name);
  remember('mine', JSON.stringify([{ name, kind, text, about, hints }, ...others]));
  return prefix + name;
}

export function removeMine(id: string): void {
  remember('mine', JSON.stringify(mine().filter(({ name }) => prefix + name !== id)));
}

// One's own game for a link, so that others can open it: its text and hints, compressed.
export async function packed(id: string): Promise<string | null> {
  const found = mine().find(({ name }) => prefix + name === id);
  if (!found) return null;
  const bytes = await through(new CompressionStream('deflate-raw'), new TextEncoder().encode(JSON.stringify(found)));
  return btoa(String.fromCharCode(...bytes)).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

// What such a link brings is kept among one's own games. The answer is its id.
export async function unpacked(text: string): Promise<string> {
  const bytes = Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (sign) => sign.charCodeAt(0));
  const game = JSON.parse(new TextDecoder().decode(await through(new DecompressionStream('deflate-raw'), bytes))) as Mine;
  if (typeof game.name !== 'string' || typeof game.text !== 'string') throw new Error('?');
  const same = mine().find(({ name }) => name === game.name);
  if (same?.text === game.text) return prefix + game.name;
  return saveMine(same ? `${game.name} (2)` : game.name, game.kind, game.text, game.about, game.hints);
}

async function through(stream: CompressionStream | DecompressionStream, bytes: Uint8Array): Promise<Uint8Array> {
  const result = new Blob([bytes as BlobPart]).stream().pipeThrough(stream as unknown as ReadableWritablePair<Uint8Array, Uint8Array>);
  return new Uint8Array(await new Response(result).arrayBuffer());
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
