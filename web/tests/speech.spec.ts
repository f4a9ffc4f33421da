// The page says moves as tests/support/moves.json wants them, as the terminal does (tests/catalogue).

import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@playwright/test';
import type { Hints } from '../src/api';

interface Case { game?: string; hints?: Hints; move: string; en: string; fr: string }

const root = join(dirname(fileURLToPath(import.meta.url)), '../..');
const read = <T>(path: string): T => JSON.parse(readFileSync(join(root, path), 'utf8')) as T;

test('moves are said as the terminal says them', async () => {
  // The page's languages look at the browser when they are loaded; here is none.
  const browser = { document: { documentElement: {} }, navigator: { language: 'en' } };
  const lacking = Object.entries(browser).filter(([name]) => !(name in globalThis));
  Object.assign(globalThis, Object.fromEntries(lacking));
  const { speech } = await import('../src/board/speech');
  for (const [name] of lacking) Reflect.deleteProperty(globalThis, name);
  for (const { game, hints, move, en, fr } of read<Case[]>('tests/support/moves.json')) {
    const said = hints ?? read<Hints>(`games/gdl/${game}.hints.json`);
    expect({ move, en: speech(said, 'en')(move), fr: speech(said, 'fr')(move) }).toEqual({ move, en, fr });
  }
});
