// The search tree of Fibonacci Nim grows, and says why each branch was closed.

import type { TreeEvent } from '../src/api';
import { Growth } from '../src/draw/growth';
import { expect, expectAccessible, expectNoSidewaysScrolling, phone, picture, test, type Page } from './server';

async function grow(page: Page, matches: number): Promise<void> {
  await page.goto('/#/tree?game=quantified/nim-fibonacci');
  await page.getByRole('textbox', { name: 'n', exact: true }).fill(String(matches));
  await page.getByRole('slider').focus();
  await page.keyboard.press('End');
  await page.getByRole('button', { name: 'Start' }).click();
}

const count = async (page: Page, reason: string): Promise<number> =>
  Number((await page.locator(`tr[data-reason="${reason}"] td`).last().textContent())!.replace(/\D/g, ''));

test('ten matches are won, and every reason is counted as it is drawn', async ({ page }) => {
  await grow(page, 10);
  await expect(page.getByText('Won: ∃ can force it.')).toBeVisible({ timeout: 20_000 });
  for (const reason of ['rule', 'good', 'nogood']) {
    expect(await count(page, reason), reason).toBeGreaterThan(0);
    await expect(page.locator(`.sheet .tree-leaf.${reason}`)).toHaveCount(await count(page, reason));
  }
  await expect(page.locator('.sheet .tree-twig.open')).toHaveCount(0);
  await expect(page.getByText('None: the tree is closed.')).toBeVisible();
  await picture(page, 'tree');
});

test('eight matches, a Fibonacci number, are lost', async ({ page }) => {
  await grow(page, 8);
  await expect(page.getByText('Lost: ∀ can prevent it.')).toBeVisible({ timeout: 20_000 });
});

test('it is drawn at the pace that is chosen, and again', async ({ page }) => {
  await grow(page, 10);
  await expect(page.getByText('Won: ∃ can force it.')).toBeVisible({ timeout: 20_000 });
  const all = await page.locator('.sheet .tree-twig').count();
  await page.getByRole('slider').focus();
  await page.keyboard.press('Home');
  await page.getByRole('button', { name: 'Replay' }).click();
  await expect(page.locator('.tree-path li').first()).toBeVisible();
  expect(await page.locator('.sheet .tree-twig').count()).toBeLessThan(all);
  await page.getByRole('button', { name: 'Stop' }).click();
  await expect(page.getByRole('button', { name: 'Start' })).toBeVisible();
});

test('is accessible, and fits a phone', async ({ page }) => {
  await grow(page, 8);
  await expect(page.getByText('Lost: ∀ can prevent it.')).toBeVisible({ timeout: 20_000 });
  await expectAccessible(page);
  await page.setViewportSize(phone);
  await expectNoSidewaysScrolling(page);
});

test('closed subtrees never move, and no two leaves share a place', () => {
  const growth = new Growth(1000);
  const settled = new Map<number, number>();
  const grow = (depth: number) => {
    growth.take(['open', depth]);
    const { id } = growth.path().at(-1)!.twig;
    for (let value = 0; value < 1 + (id % 3); ++value) {
      growth.take(['branch', value]);
      if (depth < 4) grow(depth + 1);
      else growth.take(['leaf', true, 'success']);
    }
    growth.take(['close', true]);
    settled.set(id, growth.twigs[id]!.x);
  };
  grow(0);
  for (const [id, x] of settled) expect(growth.twigs[id]!.x).toBe(x);
  const leaves = growth.twigs.filter(({ reason }) => reason !== null).map(({ x }) => x);
  expect(leaves).toEqual(leaves.map((_, place) => place));
  expect(growth.path()).toEqual([]);
});

test('what is too much to be drawn is counted all the same', () => {
  const growth = new Growth(2);
  for (const event of [['open', 0], ['branch', 1], ['leaf', false, 'rule'], ['branch', 2], ['open', 1], ['branch', 1], ['leaf', true, 'good'], ['close', true], ['close', true]] as TreeEvent[]) {
    growth.take(event);
  }
  expect(growth.nodes).toBe(4);
  expect(growth.twigs).toHaveLength(2);
  expect(growth.counts.get('good')).toBe(1);
  expect(growth.twigs[0]!.won).toBe(true);
});
