// The rounds of the attractors, step by step.

import { plain } from '../src/draw/plain';
import { expect, expectAccessible, expectNoSidewaysScrolling, phone, picture, test } from './server';

test('Bob wins the subtraction game with thirteen matches, as the rounds show', async ({ page }) => {
  await page.goto('/#/graph?game=graphs/subtraction-13');
  await expect(page.getByText(/Bob wins from A13/)).toBeVisible();
  const start = page.locator('[data-state="A13"]');
  await expect(start).toHaveAttribute('aria-label', 'A13, won by Bob');

  await page.getByRole('button', { name: 'First round' }).click();
  await expect(start).toHaveAttribute('aria-label', 'A13, open');
  await expect(page.getByText('A1, attractor of Bob: the play is over, Bob has won')).toBeVisible();
  const next = page.getByRole('button', { name: 'Next round' });
  await next.click();
  await expect(page.getByText('B2, attractor of Bob: a move of Bob leads into it')).toBeVisible();
  for (let presses = 0; await next.isEnabled(); ++presses) {
    expect(presses).toBeLessThan(100);
    await next.click();
  }
  await expect(start).toHaveAttribute('aria-label', 'A13, won by Bob');
  await expect(page.getByText('A13, attractor of Bob: all moves of Alice lead into it')).toBeVisible();
  await picture(page, 'graph');
});

test('the derived strategy leaves the cycle', async ({ page }) => {
  await page.goto('/#/graph?game=graphs/cycle');
  await expect(page.getByText(/Alice wins from start/)).toBeVisible();
  const selected = page.getByRole('region', { name: 'Selected state' });
  await expect(selected.getByRole('heading', { name: 'start' })).toBeVisible();
  await expect(selected.getByRole('listitem').filter({ hasText: 'gate' })).toContainText('derived strategy');
  await page.locator('[data-state="detour"]').click();
  await expect(selected.getByRole('heading', { name: 'detour' })).toBeVisible();
  await expect(page.locator('.graph-edge.thick')).toHaveCount(2);
});

test('the slider and the table say the same without the drawing', async ({ page }) => {
  await page.goto('/#/graph?game=graphs/cycle');
  await page.getByRole('slider').focus();
  await page.keyboard.press('Home');
  await page.getByText('All states as a table').click();
  const row = page.getByRole('row').filter({ has: page.getByRole('button', { name: 'start', exact: true }) });
  await expect(row).toContainText('open');
  await page.getByRole('slider').focus();
  await page.keyboard.press('End');
  await expect(row).toContainText('Alice');
});

test('the drawing is moved and zoomed by keys, buttons and the wheel', async ({ page }) => {
  await page.goto('/#/graph?game=graphs/cycle');
  const state = page.locator('[data-state="start"]');
  await expect(state).toBeVisible();
  const width = async () => (await state.boundingBox())!.width;
  const before = await width();
  await page.getByRole('button', { name: 'Zoom in' }).click();
  expect(await width()).toBeGreaterThan(before * 1.2);
  await page.getByRole('group', { name: /Drawing of the game graph/ }).focus();
  await page.keyboard.press('-');
  expect(await width()).toBeCloseTo(before, 0);
  const { x } = (await state.boundingBox())!;
  await page.keyboard.press('ArrowRight');
  expect((await state.boundingBox())!.x).toBeLessThan(x);
  await page.mouse.move(400, 500);
  await page.mouse.wheel(0, -300);
  expect(await width()).toBeGreaterThan(before * 1.2);
});

test('is accessible, and fits a phone', async ({ page }) => {
  await page.goto('/#/graph?game=graphs/cycle');
  await expect(page.locator('[data-state="start"]')).toBeVisible();
  await page.getByText('All states as a table').click();
  await expectAccessible(page);
  await page.setViewportSize(phone);
  await expectNoSidewaysScrolling(page);
});

test('a game of 232 states is drawn, too', async ({ page }) => {
  await page.goto('/#/graph?game=gdl/nim');
  await expect(page.locator('.graph-state')).toHaveCount(232);
  await expect(page.getByText(/^alice wins from/)).toBeVisible();
});

test('in a large layout no node covers another', () => {
  const nodes = Array.from({ length: 1000 }, (_, id) => ({ id, width: 40 + (id % 7) * 10, height: 30 }));
  const edges = nodes.flatMap(({ id }) => [2 * id + 1, (id * id + 3) % 1000].filter((to) => to < 1000).map((to) => ({ from: id, to, width: 0, height: 0 })));
  const layout = plain({ nodes, edges });
  const boxes = [...layout.nodes.values()].sort((a, b) => a.y - b.y || a.x - b.x);
  boxes.slice(1).forEach((box, at) => {
    const before = boxes[at]!;
    if (box.y === before.y) expect(box.x).toBeGreaterThanOrEqual(before.x + before.width);
  });
  expect(layout.edges).toHaveLength(edges.length);
});

test('in a large layout all edges lead down but those that close a circle', () => {
  const nodes = [0, 1, 2, 3].map((id) => ({ id, width: 40, height: 30 }));
  const edges = [[0, 1], [1, 2], [0, 2], [2, 3], [3, 1]].map(([from, to]) => ({ from: from!, to: to!, width: 0, height: 0 }));
  const { nodes: boxes } = plain({ nodes, edges });
  const depths = [0, 1, 2, 3].map((id) => boxes.get(id)!.y);
  expect(depths).toEqual([...depths].sort((a, b) => a - b));
  expect(new Set(depths).size).toBe(4);
});
