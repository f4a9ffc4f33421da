// What a click on the board means.
//
// A move is made by clicks on places, one after another: (mark 2 3) by one, (move 2 2 2 3) by two, (drop 4) by
// one anywhere in the column. A click keeps the moves that can go on with it; when they are told apart, one is
// made. Moves that name no place are chosen from the list.

import type { Term } from '../api';
import { across, indices, placeOf, upwards, uses, type Grid } from './recognise';
import { argumentsOf, nameOf } from './terms';

export interface Legal { text: string; term: Term }
export interface Way { move: Legal; grid: number; clicks: Set<string>[] }  // places, click by click

export function ways(legal: Legal[], grids: Grid[], text: string): Way[] {
  return legal.flatMap((move) => {
    for (const [grid, board] of grids.entries()) {
      const clicks = clicksOf(move.term, board, text);
      if (clicks) return [{ move, grid, clicks }];
    }
    return [];
  });
}

// Those that can go on after these clicks.
export const after = (all: Way[], grid: number, clicked: string[]): Way[] =>
  all.filter((way) => way.grid === grid && way.clicks.length >= clicked.length
    && clicked.every((place, index) => way.clicks[index]!.has(place)));

export const complete = (way: Way, clicked: string[]): boolean => way.clicks.length === clicked.length;

// Where the next click may be.
export function targets(open: Way[], clicked: number): Set<string> {
  const found = new Set<string>();
  for (const way of open) for (const place of way.clicks[clicked] ?? []) found.add(place);
  return found;
}

function clicksOf(term: Term, grid: Grid, text: string): Set<string>[] | null {
  const given = argumentsOf(term);
  if (!given.every((argument): argument is string => typeof argument === 'string')) return null;
  const run = coordinates(given, grid);
  if (!run) return null;
  const [first, last] = run;
  if (last === first) return line(nameOf(term), given, first, grid, text);
  const swapped = secondFirst(nameOf(term), given.length, first, grid, text);
  const clicks: Set<string>[] = [];
  for (let at = first; at < last; at += 2) {
    const [x, y] = swapped ? [given[at + 1]!, given[at]!] : [given[at]!, given[at + 1]!];
    if (!grid.columns.includes(x) || !grid.rows.includes(y)) return null;
    clicks.push(new Set([placeOf(x, y)]));
  }
  return clicks;
}

// The arguments from the first to the last coordinate; null unless all between are coordinates too, one or an
// even number of them.
function coordinates(given: string[], grid: Grid): [number, number] | null {
  const fits = given.map((argument) => grid.columns.includes(argument) || grid.rows.includes(argument));
  const [first, last] = [fits.indexOf(true), fits.lastIndexOf(true)];
  if (first < 0 || !fits.slice(first, last + 1).every(Boolean)) return null;
  return first === last || (last - first) % 2 === 1 ? [first, last] : null;
}

// Whether a move says the row before the column: by the names in the rules, or as the board does.
function secondFirst(name: string, arity: number, first: number, grid: Grid, text: string): boolean {
  for (const variables of uses(name, arity, text)) {
    const x = indices(variables, across)[0];
    const y = indices(variables, upwards)[0];
    if (x === first && y === first + 1) return false;
    if (y === first && x === first + 1) return true;
  }
  return grid.layers[0]!.y < grid.layers[0]!.x;
}

// One coordinate: all places of a column, or of a row where the rules call it so.
function line(name: string, given: string[], at: number, grid: Grid, text: string): Set<string>[] | null {
  const value = given[at]!;
  const isRow = [...uses(name, given.length, text)].some((variables) => upwards.test(variables[at]!));
  const places = isRow
    ? grid.rows.includes(value) && grid.columns.map((x) => placeOf(x, value))
    : grid.columns.includes(value) && grid.rows.map((y) => placeOf(value, y));
  return places ? [new Set(places)] : null;
}
