// A small tournament: its tables fill, and can be taken along.

import { readFile } from 'node:fs/promises';
import { expect, expectAccessible, expectNoSidewaysScrolling, phone, picture, test, type Page } from './server';

async function play(page: Page): Promise<void> {
  await page.goto('/#/tournament');
  await page.getByRole('searchbox', { name: 'Search the games' }).fill('nim');
  await page.getByRole('checkbox', { name: /nim/i }).first().check();
  await page.getByRole('spinbutton', { name: 'Rounds' }).fill('2');
  await page.getByRole('spinbutton', { name: 'Seconds a move' }).fill('0.05');
  await page.getByRole('button', { name: 'Start' }).click();
  await expect(page.getByText(/All \d+ matches are played/)).toBeVisible({ timeout: 25_000 });
}

test('random against uct on Nim fills the cross-table, and offers files', async ({ page }) => {
  await play(page);
  const cross = page.locator('.tournament-cross');
  await expect(cross.getByRole('rowheader')).toHaveCount(2);
  const cells = await cross.locator('td.number').allTextContents();
  const games = cells.map((cell) => Number(cell.split('/')[1]));
  expect(games).toEqual([games[0], games[0]]);
  expect(games[0]).toBeGreaterThanOrEqual(2);
  const points = cells.map((cell) => Number(cell.split('/')[0]));
  expect(points[0]! + points[1]!).toBe(games[0]);
  await expect(page.getByRole('img', { name: /uct: .* between/ })).toBeVisible();

  for (const kind of ['JSON', 'CSV', 'HTML']) {
    const coming = page.waitForEvent('download');
    await page.getByRole('button', { name: `Download ${kind}` }).click();
    const file = await coming;
    expect(file.suggestedFilename()).toBe(`tournament.${kind.toLowerCase()}`);
    expect((await readFile(await file.path())).length).toBeGreaterThan(0);
  }
  await page.locator('.tournament-table').evaluate((table) => table.scrollIntoView());
  await picture(page, 'tournament');
});

test('players are added and removed, with options of their own', async ({ page }) => {
  await page.goto('/#/tournament');
  await expect(page.getByRole('button', { name: 'Start' })).toBeDisabled();
  await page.getByRole('button', { name: 'Add a player' }).click();
  await page.getByRole('combobox', { name: 'Player 3' }).selectOption('uct');
  await page.getByRole('textbox', { name: 'Options' }).nth(2).fill('playouts=10,label=hasty');
  await page.getByRole('button', { name: 'Remove player 1' }).click();
  await expect(page.getByRole('combobox', { name: /Player \d/ })).toHaveCount(2);
  await expect(page.getByRole('textbox', { name: 'Options' }).nth(1)).toHaveValue('playouts=10,label=hasty');
});

test('is accessible, and fits a phone', async ({ page }) => {
  await play(page);
  await expectAccessible(page);
  await page.setViewportSize(phone);
  await expectNoSidewaysScrolling(page);
});
