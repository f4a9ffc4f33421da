// What is seen in facts, and what clicks mean: no browser, no program.

import { expect, test } from '@playwright/test';
import type { Term } from '../src/api';
import { after, targets, ways } from '../src/board/moves';
import { arrange, recognise } from '../src/board/recognise';

const cells = (columns: string[], rows: string[], contents: string[]): Term[] =>
  columns.flatMap((x) => rows.flatMap((y) => contents.map((content): Term => ['cell', x, y, content])));

const legal = (...moves: Term[]) =>
  moves.map((term) => ({ term, text: typeof term === 'string' ? term : `(${term.join(' ')})` }));

const three = ['1', '2', '3'];

test('a full board is a grid', () => {
  const facts = cells(three, three, ['blank']);
  const [grid, ...others] = recognise([], facts, '', {});
  expect(others).toEqual([]);
  expect(grid).toMatchObject({ columns: three, rows: three });
  const view = arrange([...facts, ['control', 'x']], [grid!], ['x', 'o']);
  expect(view.boards[0]!.get('2,3')).toEqual([{ relation: 'cell', name: 'blank', main: true }]);
  expect(view.cards).toEqual([]);   // whose turn it is, the page says otherwise
});

test('a board without a piece has all its places, by what can ever hold', () => {
  const fluents = cells(['1', '2', '3', '4', '5', '6', '7'], ['1', '2', '3', '4', '5', '6'], ['yellow', 'red']);
  const [grid] = recognise(fluents, [['control', 'yellow']], '(base (cell ?column ?row ?player))', {});
  expect(grid!.columns).toHaveLength(7);
  expect(grid!.rows).toHaveLength(6);
  expect(grid!.up).toBe(true);
});

test('letters count, and places that no fact names are filled in between', () => {
  const facts: Term[] = [['on', 'a', '1', 'king'], ['on', 'c', '4', 'rook']];
  const [grid] = recognise([], facts, '', {});
  expect(grid!.columns).toEqual(['a', 'b', 'c']);
  expect(grid!.rows).toEqual(['1', '2', '3', '4']);
});

test('the names of variables tell rows from columns, and where they stand', () => {
  const facts: Term[] = [['at', 'red', '1', '3', '2'], ['at', 'red', '2', '4', '1']];
  const text = '(<= (base (at ?player ?stone ?column ?row)) (player ?player))';
  expect(recognise([], facts, text, {})[0]!.layers[0]).toMatchObject({ x: 2, y: 3 });
  const turned = recognise([], cells(three, three, ['b']), '(cell ?row ?column ?content)', {});
  expect(turned[0]!.layers[0]).toMatchObject({ x: 1, y: 0 });
  expect(turned[0]!.up).toBe(false);
});

test('hints are believed', () => {
  const facts = cells(three, three, ['b']);
  const board = { fact: 'cell', x: 2, y: 1, piece: 3, up: true, chequered: true };
  expect(recognise([], facts, '', { board })[0]).toMatchObject({ up: true, chequered: true, layers: [{ x: 1, y: 0, piece: 2 }] });
});

test('relations over the same coordinates share a board', () => {
  const facts: Term[] = [['at', 'dolly', '1', '1'], ['at', 'molly', '3', '4'], ['wolf', '2', '4']];
  const text = '(at ?sheep ?column ?row) (wolf ?column ?row)';
  const fluents: Term[] = three.flatMap((x) => ['1', '2', '3', '4'].flatMap((y): Term[] => [['at', 'dolly', x, y], ['wolf', x, y]]));
  const grids = recognise(fluents, facts, text, {});
  expect(grids).toHaveLength(1);
  const view = arrange(facts, grids, []);
  expect(view.boards[0]!.get('2,4')).toEqual([{ relation: 'wolf', name: 'wolf', main: false }]);
});

test('a set of pairs of numbers is a board, and a function is not', () => {
  const square = three.flatMap((row) => three.map((column): Term => ['square', row, column]));
  const [grid, ...others] = recognise([], square, '', {});
  expect(others).toEqual([]);
  expect(grid).toMatchObject({ columns: three, rows: three, up: false, layers: [{ x: 1, y: 0 }] });
  expect(recognise([], [['heap', '1', '3'], ['heap', '2', '4'], ['heap', '3', '3'], ['heap', '4', '1']], '', {})).toEqual([]);
  const [lights] = recognise(square.map((term) => ['on', ...(term as string[]).slice(1)]), [], '(true (on ?r ?c))', {});
  expect(lights!.layers[0]).toMatchObject({ x: 1, y: 0 });
});

test('hints make dice, hands, sheets and numbers of facts', () => {
  const facts: Term[] = [['die', '1', '6'], ['die', '2', '3'], ['holds', 'left', 'ace'], ['score', 'left', 'twos', '4'],
    ['points', 'left', 'tens', '2'], ['points', 'left', 'units', '7'], ['round', '3']];
  const view = arrange(facts, [], ['left', 'right', 'random'], {
    dice: [{ fact: 'die', side: 2 }], cards: [{ fact: 'holds', owner: 1, card: 2 }],
    sheet: [{ fact: 'score', column: 1, row: 2, value: 3, rows: ['ones', 'twos'] }],
    numbers: [{ fact: 'points', unit: 2, digit: 3, units: { tens: 10, units: 1 } }],
  });
  expect(view.dice).toEqual([['6', '3']]);
  expect(view.hands).toEqual([{ owner: 'left', cards: ['ace'] }]);
  expect(view.sheets[0]!.columns).toEqual(['left', 'right']);
  expect(view.sheets[0]!.values.get('left,twos')).toBe('4');
  expect(view.numbers).toEqual([{ relation: 'points', label: 'left', amount: 27 }]);
  expect(view.counters).toEqual([{ relation: 'round', items: [{ label: '', amount: 3 }] }]);
});

test('heaps are counters, cards are cards', () => {
  const facts: Term[] = [['heap', 'a', '3'], ['heap', 'b', '4'], ['step', '5'], ['holds', 'first', 'king'], 'start'];
  const grids = recognise([], facts, '(heap ?heap ?size)', {});
  expect(grids).toEqual([]);
  expect(arrange(facts, grids, [])).toMatchObject({
    boards: [],
    counters: [
      { relation: 'heap', items: [{ label: 'a', amount: 3 }, { label: 'b', amount: 4 }] },
      { relation: 'step', items: [{ label: '', amount: 5 }] },
    ],
    cards: [{ relation: 'holds', items: ['first king'] }, { relation: 'start', items: [''] }],
  });
});

test('two coordinates are a place, a lone one is a column, none is for the list', () => {
  const grids = recognise([], cells(three, three, ['b']), '', {});
  const found = ways(legal(['mark', '2', '3'], ['drop', '1'], 'noop', ['bet', '100']), grids, '');
  expect(found.map(({ move, clicks }) => [move.text, clicks.map((places) => [...places])])).toEqual([
    ['(mark 2 3)', [['2,3']]],
    ['(drop 1)', [['1,1', '1,2', '1,3']]],
  ]);
});

test('the row comes first where the rules say so', () => {
  const text = '(cell ?row ?column ?content) (legal ?player (mark ?row ?column))';
  const grids = recognise([], cells(three, ['1', '2'], ['b']), text, {});
  expect(grids[0]!.columns).toEqual(['1', '2']);
  expect([...ways(legal(['mark', '3', '1']), grids, text)[0]!.clicks[0]!]).toEqual(['1,3']);
});

test('from and to are two clicks; a move through more places is more', () => {
  const grids = recognise([], cells(three, three, ['b']), '', {});
  const all = ways(legal(['move', '1', '1', '1', '2'], ['move', '1', '1', '2', '2'], ['move', 'king', '3', '1', '3', '2'],
    ['jump', '2', '1', '2', '3', '3', '3']), grids, '');
  expect(targets(after(all, 0, []), 0)).toEqual(new Set(['1,1', '3,1', '2,1']));
  expect(targets(after(all, 0, ['1,1']), 1)).toEqual(new Set(['1,2', '2,2']));
  expect(after(all, 0, ['2,1', '2,3']).map(({ clicks }) => clicks.length)).toEqual([3]);
});
