// Why a move wins: the line to the end, every reply one click away, the course of values.

import { execFileSync } from 'node:child_process';
import { binary, expect, expectAccessible, expectNoSidewaysScrolling, type Page, phone, picture, test } from './server';

const standing = (page: Page) => page.locator('.status');
const plies = (page: Page) => page.locator('.plies[data-best] .ply');
const replies = (page: Page) => page.locator('.replies tbody tr');

test('the line of a won tic-tac-toe is followed to the end, with threats and forced moves', async ({ page }) => {
  await page.goto('/#/why?game=gdl/tic-tac-toe&play=mark+2+2;mark+1+2;mark+1+1');
  await expect(standing(page)).toHaveText('o to move loses in 4 moves, whatever is played.');
  await expect(page.getByText('Forced: any other move loses at once.')).toBeVisible();
  await expect(page.getByText('Threat: mark 3 3 wins at once if it is not answered. Answer: mark 3 3.')).toBeVisible();
  await expect(replies(page)).toHaveCount(6);
  await expect(replies(page).first()).toContainText(/mark 3 3.*lost in 4.*best defence/);
  await expect(replies(page).last()).toContainText(/lost in 2.*mark 3 3 wins at once/);
  await expect(plies(page)).toHaveCount(4);
  await picture(page, 'why');
  await expectAccessible(page);
  for (let ply = 0; ply < 4; ++ply) await page.getByRole('button', { name: 'One move on' }).click();
  await expect(standing(page)).toHaveText('The play is over: x wins.');
  await expect(page.locator('[data-place] .piece')).toHaveCount(7);
  await expect(page.getByRole('button', { name: 'One move on' })).toBeDisabled();
});

interface Step { [role: string]: string }
const bare = (move: string) => move.replace(/^\((.*)\)$/, '$1');

// The legal moves of whoever has a choice after these moves, by the rules.
async function legal(page: Page, game: object, play: string[]): Promise<string[]> {
  const { entries } = await (await page.request.post('/api/replay', { data: { game, play: play.join(';') } })).json() as { entries: { step: Step }[] };
  const asked = { game, steps: entries.map(({ step }) => step) };
  const { legal: all, turn, over } = await (await page.request.post('/api/position', { data: asked })).json() as { legal: Record<string, { text: string }[]>; turn: string[]; over: boolean };
  if (over) return [];
  return (turn.length > 0 ? all[turn[0]!]! : Object.values(all).flat().filter(({ text }) => !/^(noop|wait)$/.test(text))).map(({ text }) => bare(text)).sort();
}

// From the first position along the line to its end. At every ply the replies are the legal moves, and each of them is one
// click away: it leads to the position after it, and Back to where one was. The moves of the line are the answer.
async function followToTheEnd(page: Page, game: object): Promise<string[]> {
  const played: string[] = [];
  const count = await plies(page).count();
  const shows = async (made: number) => {
    await expect(page.locator('.grid .piece')).toHaveCount(made);
    await expect(page.locator('.why .table')).toHaveAttribute('aria-busy', 'false');
  };
  for (let ply = 0; ply < count; ++ply) {
    const here = await standing(page).innerText();
    const moves = await replies(page).getByRole('button').allTextContents();
    expect([...moves].sort(), `after ${played.join(', ')}`).toEqual(await legal(page, game, played));
    const worth = await replies(page).locator('td:nth-of-type(1)').allTextContents();
    expect(worth.filter((said) => /^(won|lost|drawn)/.test(said))).toHaveLength(moves.length);
    const written = (move: string) => (moves.length === 1 ? '-' : move);   // in the address
    for (const move of moves) {
      await page.getByRole('button', { name: `Follow ${move}`, exact: true }).click();
      await expect(page).toHaveURL((url) => new URLSearchParams(url.hash.split('?')[1]).get('play') === [...played, written(move)].join(';'));
      await shows(ply + 1);
      await page.goBack();
      await shows(ply);
      await expect(standing(page)).toHaveText(here);
    }
    const chosen = await plies(page).nth(ply).locator('span').first().innerText();
    played.push(written(moves.find((move) => chosen.endsWith(` ${move}`))!));
    await page.getByRole('button', { name: 'One move on' }).click();
    await shows(ply + 1);
  }
  await expect(standing(page)).toContainText('The play is over');
  await expect(page.getByRole('button', { name: 'One move on' })).toBeDisabled();
  expect(await legal(page, game, played)).toEqual([]);
  return played;
}

test('tic-tac-toe is followed from its first move to its end, with every reply of every position', async ({ page }) => {
  test.setTimeout(180_000);
  await page.goto('/#/why?game=gdl/tic-tac-toe');
  await expect(standing(page)).toHaveText('x to move: a draw by best play.');
  expect(await followToTheEnd(page, { id: 'gdl/tic-tac-toe' })).toHaveLength(9);
  await expect(standing(page)).toHaveText(/draw/i);
});

test('the course of values tells which move lost, and leads to every position', async ({ page }) => {
  await page.goto('/#/why?game=gdl/tic-tac-toe&play=mark+2+2;mark+1+2;mark+1+1');
  const chart = page.getByRole('img', { name: /^Value for x, move by move/ });
  await expect(chart).toHaveAccessibleName(/after 0 moves 50; after 1 moves 50; after 2 moves 100, 5 moves from the end/);
  await chart.locator('[data-place="1"]').click();
  await expect(standing(page)).toHaveText('o to move: a draw by best play.');
  await expect(page.locator('.replies tr.made')).toContainText(/mark 1 2.*lost in 6/);
  await expect(page).toHaveURL(/at=1/);
  await page.reload();
  await expect(standing(page)).toHaveText('o to move: a draw by best play.');
});

test('connect-four on five columns and four rows is followed from its first move to its end, with every reply', async ({ page }) => {
  test.setTimeout(240_000);
  const text = execFileSync(binary, ['generate', 'connect-four', '--columns', '5', '--rows', '4']).toString();
  await page.addInitScript((game) => localStorage.setItem('mine', JSON.stringify([{ name: 'four', kind: 'gdl', text: game, about: {} }])), text);
  await page.goto('/#/why?game=mine/four');
  await expect(standing(page)).toHaveText('yellow to move: a draw by best play.', { timeout: 120_000 });
  expect((await followToTheEnd(page, { kind: 'gdl', text })).length).toBe(20);
  await expect(standing(page)).toHaveText(/draw/i);
});

test('a play leads to its explanation and back', async ({ page }) => {
  await page.goto('/#/play?game=gdl/nim&play=leave+a+0;leave+b+0;leave+c+1&seats=alice:you,bob:you');
  await page.getByRole('link', { name: 'Why?' }).click();
  await expect(standing(page)).toHaveText('Bob to move wins at once.');
  await expect(page.getByText('Forced: the only legal move.')).toBeVisible();
  await page.getByRole('link', { name: 'Back to the play' }).click();
  await expect(page.getByRole('region', { name: 'Course of the play' }).getByRole('listitem')).toHaveText([
    'Alice leave a 0', 'Bob leave b 0', 'Alice leave c 1', 'Bob leave c 0 (the only move)']);
});

test.describe('where there is no best play', () => {
  test.use({ complaints: /422/ });
  test('the screen says why not', async ({ page }) => {
    await page.goto('/#/why?game=gdl/rock-paper-scissors');
    await expect(page.getByText('Only games in which players take turns')).toBeVisible();
  });
});

test('the explanation fits a phone', async ({ page }) => {
  await page.setViewportSize(phone);
  await page.goto('/#/why?game=gdl/tic-tac-toe&play=mark+2+2;mark+1+2;mark+1+1');
  await expect(standing(page)).toContainText('loses in 4');
  await expectNoSidewaysScrolling(page);
  await expectAccessible(page);
});
