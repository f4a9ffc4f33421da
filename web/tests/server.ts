// What the page's tests share: the program itself, running, and a browser's page that must not complain.
//
// ZERMELO_BINARY is the program; ZERMELO_URL, where it is set, a page that is served already.

import { AxeBuilder } from '@axe-core/playwright';
import { expect, test as plain, type Page } from '@playwright/test';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

export { expect, type Page };

const here = dirname(fileURLToPath(import.meta.url));
export const binary = process.env.ZERMELO_BINARY ?? join(here, '../../build/zermelo');

// The address of a program started with these arguments, for as long as `use` takes.
export async function serve(args: string[], use: (url: string) => Promise<void>): Promise<void> {
  const program = spawn(binary, ['serve', '--port', '0', '--json', ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(program, 'exit');
  try {
    const [line] = await Promise.race([
      once(createInterface({ input: program.stdout }), 'line'),
      ended.then(([code]) => { throw new Error(`${binary} serve ended with ${code}`); }),
    ]);
    await use(JSON.parse(line).url);
  } finally {
    program.kill('SIGTERM');
    await ended;
  }
}

export const test = plain.extend<{ complaints: RegExp | null }, { url: string }>({
  // What the console may say; nothing else is let pass. A refused request complains there by itself.
  complaints: [null, { option: true }],

  url: [async ({}, use) => {
    if (process.env.ZERMELO_URL) await use(process.env.ZERMELO_URL);
    else await serve([], use);
  }, { scope: 'worker' }],

  baseURL: async ({ url }, use) => use(url),

  page: async ({ page, complaints }, use) => {
    const heard: string[] = [];
    page.on('pageerror', (error) => heard.push(String(error.stack ?? error)));
    page.on('console', (message) => {
      if (message.type() === 'error' && !complaints?.test(message.text())) heard.push(message.text());
    });
    await use(page);
    expect(heard, 'what the console said').toEqual([]);
  },
});

// Nothing that axe finds, neither in light nor in dark.
export async function expectAccessible(page: Page): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    const { violations } = await new AxeBuilder({ page }).analyze();
    const found = violations.map(({ id, nodes }) => ({ id, at: nodes.map((node) => `${node.target.join(' ')}: ${node.failureSummary}`) }));
    expect(found, `axe, ${colorScheme}`).toEqual([]);
  }
  await page.emulateMedia({ colorScheme: null });
}

export const phone = { width: 360, height: 740 };

export async function expectNoSidewaysScrolling(page: Page): Promise<void> {
  const wider = await page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    return scrollWidth <= clientWidth ? [] : [...document.querySelectorAll('main *, header *')]
      .filter((one) => one.getBoundingClientRect().right > clientWidth)
      .map((one) => one.outerHTML.slice(0, 120));
  });
  expect(wider, 'elements that reach beyond the window').toEqual([]);
}

// For the documentation, where it is asked for: UPDATE_PICTURES=1 npm test.
export async function picture(page: Page, name: string): Promise<void> {
  if (process.env.UPDATE_PICTURES === '1') await page.screenshot({ path: join(here, `../../docs/pictures/page-${name}.png`) });
}
