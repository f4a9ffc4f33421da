// The page recognises the boards that tests/support/boards.json names, as the terminal does (tests/catalogue).
// UPDATE_BOARDS=1 writes the file.

import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Game, GameSummary, Position } from '../src/api';
import { recognise, type Grid } from '../src/board/recognise';
import { expect, test } from './server';

const file = join(dirname(fileURLToPath(import.meta.url)), '../../tests/support/boards.json');

const range = (names: string[]) => `${names[0]}..${names.at(-1)}, ${names.length}`;
const told = ({ columns, rows, up, lean, cells, chequered, places, layers }: Grid) => ({
  columns: range(columns), rows: range(rows), up, lean: lean ?? '', points: cells === 'point', chequered, places: places.size,
  layers: layers.map(({ relation, x, y }) => ({ relation, x, y })),
});

test('boards are recognised in the shipped games as the terminal does', async ({ request }) => {
  test.setTimeout(240_000);
  const { games } = await (await request.get('/api/games')).json() as { games: GameSummary[] };
  const found: Record<string, unknown> = {};
  for (const { id, kind } of games) {
    if (kind !== 'gdl') continue;
    const game = await (await request.get(`/api/games/${id}`)).json() as Game;
    const answer = await request.post('/api/position', { data: { game: { id }, steps: [], fluents: true } });
    if (!answer.ok()) continue;
    const position = await answer.json() as Position;
    if (position.facts === null) continue;
    found[id] = recognise(position.fluents ?? [], position.facts, game.text, game.hints).map(told);
  }
  if (process.env.UPDATE_BOARDS === '1') writeFileSync(file, `${JSON.stringify(found, null, 1)}\n`);
  expect(found).toEqual(JSON.parse(readFileSync(file, 'utf8')));
});
