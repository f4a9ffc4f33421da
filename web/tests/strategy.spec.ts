// A strategy is found, stamped, drawn, followed and searched.

import { readFileSync } from 'node:fs';
import { expect, expectAccessible, expectNoSidewaysScrolling, phone, picture, test, type Page } from './server';

async function solve(page: Page, address: string, seconds = 10): Promise<void> {
  await page.goto(address);
  await page.getByRole('combobox', { name: 'Time' }).selectOption(String(seconds));
  await page.getByRole('button', { name: 'Solve' }).click();
  await expect(page.getByRole('group', { name: /Drawing of the strategy/ })).toBeVisible({ timeout: 2000 * seconds });
}

const branch = (page: Page) => page.getByRole('region', { name: 'The branch you follow' });

test('Tic-Tac-Toe is drawn, and both strategies are valid by the rules alone', async ({ page }) => {
  await solve(page, '/#/strategy?game=gdl/tic-tac-toe');
  await expect(page.getByText('Drawn', { exact: true })).toBeVisible();
  const stamp = /Valid\s*checked by the rules alone\s*[\d,]+ positions, \d+ scenarios/;
  await expect(page.locator('.seal')).toHaveText([stamp, stamp]);
  await expect(page.getByText('Sure of 50, whatever the others do.').first()).toBeVisible();
});

test('a strategy is followed by clicking in the drawing', async ({ page }) => {
  await solve(page, '/#/strategy?game=gdl/tic-tac-toe');
  await expect(page.locator('.dag-node').nth(2)).toBeVisible();
  for (let depth = 1; depth <= 4; ++depth) {
    const current = page.locator('.dag-node[aria-pressed="true"]');
    const label = await current.getAttribute('data-node');
    const [next] = await edgesFrom(page, label!);
    await page.locator(`.dag-node[data-node="${next}"]`).click();
    await expect(branch(page).locator('.dag-trail li')).toHaveCount(depth);
  }
  await expect(page.locator('.dag-edge.on')).toHaveCount(4);
  await page.locator('.strategy-list').evaluate((list) => list.scrollIntoView());
  await picture(page, 'strategy');
});

// The nodes that a node's branches lead to, by what the program says.
async function edgesFrom(page: Page, node: string): Promise<number[]> {
  const address = await page.evaluate(() =>
    performance.getEntriesByType('resource').map(({ name }) => name).find((name) => name.includes('/nodes?'))!.split('?')[0]);
  const { nodes } = await (await page.request.get(`${address}?from=${node}&depth=0&most=1`)).json();
  return nodes[0].edges.map(({ to }: { to: number }) => to);
}

// The first branch of each node, by keyboard, as far as the play goes.
async function follow(page: Page, most: number): Promise<void> {
  const words = branch(page);
  for (let depth = 1; depth <= most && (await words.locator('.dag-ways button').count()) > 0; ++depth) {
    await words.locator('.dag-ways button').first().focus();
    await page.keyboard.press('Enter');
    await expect(words.locator('.dag-trail li')).toHaveCount(depth);
  }
}

test('a strategy is followed to the end by the list, with the keyboard alone', async ({ page }) => {
  await solve(page, '/#/strategy?game=gdl/tic-tac-toe');
  const words = branch(page);
  await expect(words.locator('.dag-say')).toHaveText('x: the strategy plays');
  await follow(page, 9);
  await expect(words.locator('.dag-say')).toHaveText(/The play is over: (50|100) for x/);
  await words.getByRole('button', { name: 'To the root' }).click();
  await expect(words.locator('.dag-trail li')).toHaveCount(0);
});

test('a position is found, and the drawing goes there', async ({ page }) => {
  await solve(page, '/#/strategy?game=gdl/tic-tac-toe');
  await page.getByRole('searchbox', { name: 'Find a position' }).fill('cell 2 2 o');
  await page.getByRole('button', { name: 'Search' }).click();
  await expect(page.getByText(/^\d+ found$/)).toBeVisible();
  const results = page.locator('.dag-found button');
  await results.first().click();
  const depth = Number(/depth (\d+)/.exec((await results.first().textContent())!)![1]);
  expect(depth).toBeGreaterThan(0);
  await expect(branch(page).locator('.dag-trail li')).toHaveCount(depth);
  await expect(page.locator('.dag-node[aria-pressed="true"]')).toBeInViewport();
  await expect(branch(page).locator('.position-board')).toContainText('◯');
});

test('the play that one comes from is highlighted', async ({ page }) => {
  await solve(page, '/#/strategy?game=gdl/tic-tac-toe');
  const opening = await branch(page).locator('.dag-ways button').first().textContent();
  await page.goto(`/#/library`);
  await page.goto(`/#/strategy?game=gdl/tic-tac-toe&moves=${encodeURIComponent(`(${opening})`)}`);
  await expect(branch(page).getByText('(played)')).toHaveCount(1, { timeout: 20_000 });
  await expect(page.locator('.dag-node.played')).toHaveCount(2);
});

test('a strategy can be taken along as a file', async ({ page }) => {
  await solve(page, '/#/strategy?game=gdl/tic-tac-toe');
  const coming = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download' }).first().click();
  expect((await coming).suggestedFilename()).toMatch(/^strategy-/);
});

test('a strategy of more than a hundred thousand nodes opens, and nothing freezes', async ({ page }) => {
  test.setTimeout(240_000);
  await page.addInitScript(() => {
    const found = { task: 0, gap: 0 };
    Object.assign(window, { longest: found });
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) found.task = Math.max(found.task, duration);
    }).observe({ type: 'longtask' });
    let last = performance.now();
    const frame = (now: number) => {
      found.gap = Math.max(found.gap, now - last);
      last = now;
      requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
  });
  await solve(page, '/#/strategy?game=gdl/breakthrough-small', 120);
  const [, nodes] = /([\d,]+) nodes/.exec((await page.locator('.strategy-entry').textContent())!)!;
  expect(Number(nodes!.replaceAll(',', ''))).toBeGreaterThan(100_000);
  await expect(page.locator('.seal')).toContainText('Valid');
  await follow(page, 8);
  await page.getByRole('searchbox', { name: 'Find a position' }).fill('cell 2 4 white');
  await page.getByRole('button', { name: 'Search' }).click();
  await page.locator('.dag-found button').last().click();
  await expect(page.locator('.dag-node[aria-pressed="true"]')).toBeInViewport();
  const { task, gap } = await page.evaluate(() => (window as unknown as { longest: { task: number; gap: number } }).longest);
  console.log(`${nodes} nodes: longest task ${task.toFixed(0)} ms, longest gap between frames ${gap.toFixed(0)} ms`);
  expect(task).toBeLessThan(1000);
});

test('is accessible, and fits a phone', async ({ page }) => {
  await solve(page, '/#/strategy?game=gdl/tic-tac-toe');
  await expect(page.locator('.dag-node').first()).toBeVisible();
  await expectAccessible(page);
  await page.setViewportSize(phone);
  await expectNoSidewaysScrolling(page);
});

for (const [name, address] of [['a game', '/#/strategy?game=gdl/tic-tac-toe'], ['a model', '/#/strategy?game=quantified/four-variables']] as const) {
  test(`the drawing of a strategy of ${name} is saved as SVG, PNG and PDF`, async ({ page }) => {
    await solve(page, address);
    await expect(page.locator('.dag-node').first()).toBeVisible();
    const saved = async (kind: string) => {
      const download = page.waitForEvent('download');
      await page.getByRole('button', { name: `Save as ${kind}` }).click();
      return readFileSync(await (await download).path());
    };
    const svg = (await saved('SVG')).toString();
    expect(svg).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg"/);
    expect(svg.match(/<text/g)!.length).toBeGreaterThan(3);
    expect(svg).not.toContain('class=');   // it needs no style sheet
    expect((await saved('PNG')).subarray(1, 4).toString()).toBe('PNG');
    const pdf = (await saved('PDF')).toString('latin1');
    expect(pdf).toMatch(/^%PDF-1\.4/);
    const table = Number(/startxref\n(\d+)/.exec(pdf)![1]);
    expect(pdf.slice(table, table + 4)).toBe('xref');
  });
}

test('nodes of a drawing show the position', async ({ page }) => {
  await solve(page, '/#/strategy?game=gdl/tic-tac-toe');
  await expect(page.locator('.dag-node .mini-board').first()).toBeVisible();
  await expect(page.locator('.dag-node[aria-pressed="true"] .mini-place')).toHaveCount(9);
  await solve(page, '/#/strategy?game=gdl/nim');
  await expect(page.locator('.mini-facts').first()).toContainText('heap');
});
