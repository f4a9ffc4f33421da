// A play is kept: in the address, over reloads and steps back, in files and as text.

import { readFileSync } from 'node:fs';
import { expect, expectAccessible, type Page, test } from './server';

const history = (page: Page) => page.getByRole('region', { name: 'Course of the play' }).getByRole('listitem');
const place = (page: Page, x: number, y: number) => page.locator(`[data-place="${x},${y}"]`);
const share = (page: Page) => page.getByText('Share and keep').click();

test('reloading keeps the play, the seats and the time', async ({ page }) => {
  await page.goto('/#/play?game=gdl/tic-tac-toe');
  for (const role of ['x', 'o']) await page.getByLabel(role, { exact: true }).selectOption({ label: 'You' });
  await page.getByLabel('Seconds a move').selectOption('5');
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  for (const [x, y] of [[2, 2], [1, 1]] as const) {
    await place(page, x, y).click();
    await expect(place(page, x, y)).toHaveAccessibleName(/just changed/);
  }
  await expect(page).toHaveURL(/play=mark\+2\+2;mark\+1\+1&seats=x:you,o:you&seconds=5/);
  await page.reload();
  await expect(history(page)).toHaveText(['x mark 2 2', 'o mark 1 1']);
  await page.getByText('Seats and time').click();
  await expect(page.getByLabel('o', { exact: true })).toHaveValue('you');
  await expect(page.getByLabel('Seconds a move')).toHaveValue('5');
  await place(page, 3, 3).click();
  await expect(history(page)).toHaveCount(3);
});

test('going back from another screen keeps the play', async ({ page }) => {
  await page.goto('/#/play?game=gdl/tic-tac-toe&play=mark+2+2&seats=x:you,o:you');
  await expect(history(page)).toHaveCount(1);
  await place(page, 1, 1).click();
  await expect(history(page)).toHaveCount(2);
  await page.getByRole('navigation').getByRole('link', { name: 'Games' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Games');
  await page.goBack();
  await expect(history(page)).toHaveText(['x mark 2 2', 'o mark 1 1']);
});

test('a click on a move of the course leads back to it, and on again', async ({ page }) => {
  await page.goto('/#/play?game=gdl/tic-tac-toe&play=mark+2+2;mark+1+1;mark+3+3&seats=x:you,o:you');
  await history(page).first().getByRole('button').click();
  await expect(history(page)).toHaveCount(1);
  await expect(page.locator('[data-place] .piece')).toHaveCount(1);
  await page.getByRole('button', { name: 'Redo', exact: true }).click();
  await expect(history(page)).toHaveCount(2);
});

test('a play is saved as a file and opened again', async ({ page }) => {
  await page.goto('/#/play?game=gdl/tic-tac-toe&play=mark+2+2;mark+1+1&seats=x:you,o:you');
  await expect(history(page)).toHaveCount(2);
  await share(page);
  await expectAccessible(page);
  const saved = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Save as JSON' }).click();
  const file = await (await saved).path();
  const kept = JSON.parse(readFileSync(file, 'utf8'));
  expect(kept).toMatchObject({ format: 'zermelo play', game: 'gdl/tic-tac-toe', play: 'mark 2 2;mark 1 1' });
  expect(kept.steps).toEqual([{ x: '(mark 2 2)', o: 'wait' }, { x: 'wait', o: '(mark 1 1)' }]);

  const text = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Save as text' }).click();
  expect(readFileSync(await (await text).path(), 'utf8')).toBe('x: mark 2 2\no: mark 1 1\n');

  await page.getByRole('button', { name: 'New game' }).click();
  await page.locator('input[type=file]').setInputFiles(file);
  await expect(history(page)).toHaveText(['x mark 2 2', 'o mark 1 1']);
  await page.locator('input[type=file]').setInputFiles({ name: 'other.json', mimeType: 'application/json', buffer: Buffer.from('{"play": "", "game": "gdl/nim"}') });
  await expect(page.getByText('This file is a play of another game: gdl/nim.')).toBeVisible();
});

test('moves are played from text', async ({ page }) => {
  await page.goto('/#/play?game=gdl/connect-four');
  await share(page);
  await page.getByLabel('Moves as text').fill('drop 4\ndrop 4\nyellow: drop 3');
  await page.getByRole('button', { name: 'Play these moves' }).click();
  await expect(history(page)).toHaveText(['yellow drop 4', 'red drop 4', 'yellow drop 3']);
});

test.describe('a move that is none', () => {
  test.use({ complaints: /422/ });
  test('is named', async ({ page }) => {
    await page.goto('/#/play?game=gdl/tic-tac-toe&play=mark+2+2;mark+2+2');
    await expect(page.getByRole('alert')).toContainText('step 2');
  });
});

test('dice are part of the link', async ({ page }) => {
  await page.goto('/#/play?game=gdl/dice-race');
  await page.getByRole('button', { name: 'Watch engines play' }).click();
  await expect.poll(() => history(page).count()).toBeGreaterThan(3);
  await page.getByRole('button', { name: 'Pause' }).click();
  const before = await history(page).allTextContents();
  await page.reload();
  await expect(history(page).nth(before.length - 1)).toHaveText(before.at(-1)!);
  expect((await history(page).allTextContents()).slice(0, before.length)).toEqual(before);
});
