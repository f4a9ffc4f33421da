// What can be seen in a state that is but a set of facts: boards, and the rest.
//
// A board is made of relations with two coordinates and what lies there: (cell 2 3 x). Who wrote the game may
// say so in its hints. Otherwise the names of the variables in its rules tell (?column and ?row, ?x and ?y), or
// else the shape of the facts: two arguments that count, beside a third, and no place named twice, or a set of
// pairs of numbers, (square 1 3). Relations
// over the same coordinates lie on the same board.

import type { BoardHint, Hints, Term } from '../api';
import { argumentsOf, isNumber, nameOf } from './terms';

export interface Layer {
  relation: string;
  arity: number;
  x: number;      // places of the coordinates among the arguments, from 0
  y: number;
  piece?: number; // of what lies there, where it is said; otherwise all other arguments
}

export interface Grid {
  columns: string[];
  rows: string[];
  up: boolean;         // the first row is below
  lean?: 'left' | 'right';
  chequered: boolean;
  cells: NonNullable<BoardHint['cells']>;
  letters: boolean;
  thin?: 'odd' | 'even';
  sides: NonNullable<BoardHint['sides']>;
  layers: Layer[];     // the first is the main one
  places: Set<string>; // that exist; a board may have holes
}

export const placeOf = (x: string, y: string): string => `${x},${y}`;

// One thing on a place: what it is called, and the relation that says so.
export interface Thing { relation: string; name: string; main: boolean }

export interface Counter { label: string; amount: number }
export interface Sheet { columns: string[]; rows: string[]; values: Map<string, string> }   // by `column,row`
export interface View {
  dice: string[][];                              // what they show, by hint
  hands: { owner: string; cards: string[] }[];
  sheets: Sheet[];
  numbers: { relation: string; label: string; amount: number }[];
  boards: Map<string, Thing[]>[];                // by grid, by place
  counters: { relation: string; items: Counter[] }[];
  cards: { relation: string; items: string[] }[];
}

interface Relation { name: string; arity: number; rows: string[][] }

const fewest = 2;
const most = 26;

// `fluents`: every fact that can ever hold, or those seen so far.
export function recognise(fluents: Term[], facts: Term[], text: string, hints: Hints): Grid[] {
  const holding = relationsOf(facts);
  const layers = [...relationsOf([...fluents, ...facts]).values()].flatMap((relation) => {
    const layer = hinted(relation, hints) ?? named(relation, text)
      ?? shaped(relation, holding.get(keyOf(relation))?.rows ?? []);
    return layer ? [{ layer, relation }] : [];
  });
  // The relation of the hints first, then who says more of a place.
  const rank = ({ layer }: { layer: Layer }) =>
    Number(layer.relation === hints.board?.fact) * 2 + Number(layer.arity > 2);
  layers.sort((a, b) => rank(b) - rank(a) || b.relation.rows.length - a.relation.rows.length);

  const grids: Grid[] = [];
  for (const { layer, relation } of layers) {
    const columns = axis(relation, layer.x);
    const rows = axis(relation, layer.y);
    const host = grids.find((grid) => fits(grid.columns, columns) && fits(grid.rows, rows));
    const places = relation.rows.map((row) => placeOf(row[layer.x]!, row[layer.y]!));
    if (host) {
      if (columns.length > host.columns.length) host.columns = columns;
      if (rows.length > host.rows.length) host.rows = rows;
      host.layers.push(layer);
      for (const place of places) host.places.add(place);
    } else if (layer.arity > 2 || rank({ layer }) > 0 || named(relation, text, inFull)
      || isSet(relation, holding.get(keyOf(relation))?.rows ?? [])) {
      // A pair that is just called x and y may be anything; it lies on a board, but makes none.
      const { up = layer.x < layer.y, chequered = false, lean, cells = 'square', letters = false, thin, sides = {} } = hints.board ?? {};
      grids.push({ columns, rows, up, chequered, lean, cells, letters, thin, sides, layers: [layer], places: new Set(places) });
    }
  }
  return grids;
}

// The facts of a state, put where they belong.
export function arrange(facts: Term[], grids: Grid[], roles: string[], hints: Hints = {}): View {
  const special = specials(facts, hints, roles);
  const boards = grids.map(() => new Map<string, Thing[]>());
  const counters = new Map<string, Counter[]>();
  const cards = new Map<string, string[]>();
  for (const fact of facts) {
    const name = nameOf(fact);
    const given = argumentsOf(fact).map(word);
    if (saysWhoseTurn(name, given, roles) || special.taken.has(fact)) continue;
    const lies = grids.some((grid, index) => {
      const layer = grid.layers.find(({ relation, arity }) => relation === name && arity === given.length);
      if (!layer) return false;
      const place = placeOf(given[layer.x]!, given[layer.y]!);
      const thing = { relation: name, name: contentOf(layer, given) || name, main: layer === grid.layers[0] };
      const there = boards[index]!.get(place) ?? [];
      boards[index]!.set(place, thing.main ? [thing, ...there] : [...there, thing]);
      return true;
    });
    if (lies) continue;
    const last = given.at(-1);
    if (last !== undefined && isNumber(last)) {
      add(counters, name, { label: given.slice(0, -1).join(' '), amount: Number(last) });
    } else {
      add(cards, name, given.join(' '));
    }
  }
  return { ...special, boards, counters: groups(counters), cards: groups(cards) };
}

// Dice, hands, score sheets and numbers, where the hints say so.
function specials(facts: Term[], hints: Hints, roles: string[]) {
  const taken = new Set<Term>();
  const rowsOf = (fact: string) => facts.flatMap((one) => {
    if (nameOf(one) !== fact) return [];
    taken.add(one);
    return [argumentsOf(one).map(word)];
  });
  const dice = (hints.dice ?? []).map(({ fact, side }) => rowsOf(fact).map((given) => given[side - 1] ?? '')).filter((all) => all.length > 0);
  const hands = new Map<string, string[]>();
  for (const { fact, card, owner } of hints.cards ?? []) {
    for (const given of rowsOf(fact)) add(hands, owner === undefined ? '' : given[owner - 1] ?? '', given[card - 1] ?? '');
  }
  const sheets = (hints.sheet ?? []).map(({ fact, row, column, value, rows }): Sheet => {
    const values = new Map(rowsOf(fact).map((given) => [`${given[column - 1]},${given[row - 1]}`, given[value - 1] ?? '']));
    return { columns: roles.filter((role) => role !== 'random'), rows, values };
  });
  const numbers = new Map<string, { relation: string; label: string; amount: number }>();
  for (const { fact, unit, digit, units } of hints.numbers ?? []) {
    for (const given of rowsOf(fact)) {
      const label = given.filter((_, place) => place !== unit - 1 && place !== digit - 1).join(' ');
      const one = numbers.get(`${fact} ${label}`) ?? { relation: fact, label, amount: 0 };
      one.amount += (units[given[unit - 1] ?? ''] ?? 0) * Number(given[digit - 1] ?? 0);
      numbers.set(`${fact} ${label}`, one);
    }
  }
  return { taken, dice, hands: [...hands].map(([owner, cards]) => ({ owner, cards })), sheets, numbers: [...numbers.values()] };
}

const word = (term: Term): string => (typeof term === 'string' ? term : term.map(word).join(' '));

function contentOf(layer: Layer, given: string[]): string {
  if (layer.piece !== undefined) return given[layer.piece] ?? '';
  return given.filter((_, index) => index !== layer.x && index !== layer.y).join(' ');
}

// (control white): the page says it in words.
const saysWhoseTurn = (name: string, given: string[], roles: string[]): boolean =>
  given.length === 1 && roles.includes(given[0]!) && /^(control|turn|to_?move|whose_?turn|step_?of)$/i.test(name);

function add<T>(to: Map<string, T[]>, key: string, item: T): void {
  const items = to.get(key);
  if (items) items.push(item); else to.set(key, [item]);
}

const groups = <T>(by: Map<string, T[]>) => [...by].map(([relation, items]) => ({ relation, items }));

const keyOf = ({ name, arity }: { name: string; arity: number }): string => `${name}/${arity}`;

function relationsOf(facts: Term[]): Map<string, Relation> {
  const found = new Map<string, Relation>();
  for (const fact of facts) {
    const name = nameOf(fact);
    const row = argumentsOf(fact).map(word);
    const key = keyOf({ name, arity: row.length });
    if (!found.has(key)) found.set(key, { name, arity: row.length, rows: [] });
    found.get(key)!.rows.push(row);
  }
  return found;
}

function hinted({ name, arity }: Relation, { board }: Hints): Layer | null {
  if (!board || board.fact !== name) return null;
  const [x, y] = [(board.x ?? 1) - 1, (board.y ?? 2) - 1];
  if (x >= arity || y >= arity) return null;
  return { relation: name, arity, x, y, piece: board.piece === undefined ? undefined : board.piece - 1 };
}

function named(relation: Relation, text: string, pattern = { across, upwards }): Layer | null {
  const { name, arity } = relation;
  for (const variables of uses(name, arity, text)) {
    const xs = indices(variables, pattern.across);
    const ys = indices(variables, pattern.upwards);
    if (xs.length !== 1 || ys.length !== 1) continue;
    const [x, y] = [xs[0]!, ys[0]!];
    if (counts(relation, x) && counts(relation, y)) return { relation: name, arity, x, y };
  }
  return null;
}

function shaped(relation: Relation, holding: string[][]): Layer | null {
  const { name, arity } = relation;
  if (arity === 2 && isSet(relation, holding)) return { relation: name, arity, x: 1, y: 0 };
  if (arity < 3 || holding.length < 2) return null;
  for (let x = 0; x + 1 < arity; ++x) {
    if (!counts(relation, x) || !counts(relation, x + 1)) continue;
    if (new Set(holding.map((row) => placeOf(row[x]!, row[x + 1]!))).size < holding.length) continue;
    return { relation: name, arity, x, y: x + 1 };
  }
  return null;
}

// (square 1 3): pairs of numbers that are places, and no function of one argument such as (heap 1 3).
function isSet(relation: Relation, holding: string[][]): boolean {
  const repeats = (index: number) => new Set(holding.map((row) => row[index])).size < holding.length;
  return counts(relation, 0) && counts(relation, 1) && [0, 1].every((index) => valuesOf(relation, index).every(isNumber))
    && holding.length >= 4 && repeats(0) && repeats(1);
}

// Arguments that name places along a line: numbers, or letters.
function counts(relation: Relation, index: number): boolean {
  const values = valuesOf(relation, index);
  if (!values.every(isNumber) && !values.every(isLetter)) return false;
  const { length } = axis(relation, index);
  return length >= fewest && length <= most;
}

// All values from the first to the last, also those that no fact names yet.
function axis(relation: Relation, index: number): string[] {
  const values = valuesOf(relation, index);
  if (values.every(isNumber)) return range(values.map(Number)).map(String);
  if (values.every(isLetter)) return range(values.map((letter) => letter.charCodeAt(0))).map((code) => String.fromCharCode(code));
  return values.sort();
}

function range(numbers: number[]): number[] {
  const [low, high] = [Math.min(...numbers), Math.max(...numbers)];
  if (high - low >= most) return [...numbers].sort((a, b) => a - b);
  return Array.from({ length: high - low + 1 }, (_, step) => low + step);
}

const valuesOf = (relation: Relation, index: number): string[] => [...new Set(relation.rows.map((row) => row[index]!))];
const isLetter = (value: string): boolean => /^[a-z]$/.test(value);

const includes = (all: string[], some: string[]): boolean => some.every((value) => all.includes(value));

// On the same board; what is a little larger has an edge that the other does not reach.
const fits = (board: string[], other: string[]): boolean =>
  includes(board, other) || (includes(other, board) && other.length === board.length + 1);

// The names of the variables where the rules use a relation or a move: (cell ?x ?y ?piece).
export function* uses(name: string, arity: number, text: string): Generator<string[]> {
  const plain = name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  for (const [, inside] of text.matchAll(new RegExp(`\\(\\s*${plain}((?:\\s+[^\\s()]+)+)\\s*\\)`, 'g'))) {
    const given = inside!.trim().split(/\s+/);
    if (given.length === arity) yield given;
  }
}

export const across = /^\?(\w+_)?(x|column|col|file|c)(\d+|_\w+)?$/i;
export const upwards = /^\?(\w+_)?(y|row|height|rank|r)(\d+|_\w+)?$/i;
const inFull = { across: /^\?((\w+_)?(column|col)|c\d*$)/i, upwards: /^\?((\w+_)?(row|height)|r\d*$)/i };

export const indices = (variables: string[], pattern: RegExp): number[] =>
  variables.flatMap((variable, index) => (pattern.test(variable) ? [index] : []));
