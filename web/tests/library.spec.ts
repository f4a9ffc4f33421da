import { expect, expectAccessible, expectNoSidewaysScrolling, phone, picture, test } from './server';

test.describe('the library', () => {
  test.beforeEach(async ({ page }) => {
    await page.goto('/');
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Games');
    await expect(page.getByRole('article').first()).toBeVisible();
  });

  test('has every shipped game', async ({ page }) => {
    for (const name of ['Tic-tac-toe', 'Connect-Four', 'Nim', 'Kuhn poker']) {
      await expect(page.getByRole('article', { name, exact: true }).first()).toBeVisible();
    }
    expect(await page.getByRole('article').count()).toBeGreaterThan(50);
    await picture(page, 'library');
  });

  test('finds games by words of their rules, and says how many', async ({ page }) => {
    await page.getByLabel('Search').fill('roberval BALANCE');
    await expect(page.getByRole('article')).toHaveCount(1);
    await expect(page.getByRole('article')).toHaveAccessibleName(/baker/);
    await expect(page.getByText(/^1 of \d+ games$/)).toBeVisible();
    await page.getByRole('button', { name: 'Show all' }).click();
    expect(await page.getByRole('article').count()).toBeGreaterThan(50);
  });

  test('is filtered by what games are like: one of each group must fit', async ({ page }) => {
    const chip = (name: string) => page.getByRole('button', { name, exact: true });
    await chip('Dice').click();
    await chip('1 player').click();
    await expect(chip('Dice')).toHaveAttribute('aria-pressed', 'true');
    for (const card of await page.getByRole('article').all()) await expect(card).toContainText(/dice|stochastic/i);
    await expect(page.getByRole('article', { name: 'Tic-tac-toe', exact: true })).toHaveCount(0);
    await chip('Dice').click();
    await chip('1 player').click();
    await chip('Graphs').click();
    await expect(page.getByRole('article')).toHaveCount(5);
    await chip('Models (MiniZinc)').click();
    expect(await page.getByRole('article').count()).toBeGreaterThan(20);
  });

  test('remembers the search when one comes back', async ({ page }) => {
    await page.getByLabel('Search').fill('fibonacci');
    await page.getByRole('link', { name: 'Solve (' }).first().click();
    await expect(page).toHaveURL(/#\/strategy\?game=quantified\/nim-fibonacci/);
    await page.goBack();
    await expect(page.getByLabel('Search')).toHaveValue('fibonacci');
  });

  test('offers what can be done with each kind', async ({ page }) => {
    const offers = async (name: string) => (await page.getByRole('article', { name, exact: true }).first().getByRole('link').allInnerTexts()).map((text) => text.split('(')[0]!.trim());
    expect(await offers('Tic-tac-toe')).toEqual(['Play', 'Strategy', 'Edit a copy']);
    await page.getByRole('button', { name: 'Graphs', exact: true }).click();
    await expect(page.getByRole('article').first().getByRole('link').first()).toContainText('Graph');
  });

  test('can be used with the keyboard alone, up to a play', async ({ page }) => {
    await page.keyboard.press('Tab');
    await expect(page.getByRole('link', { name: 'Skip to the content' })).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(page.getByRole('main')).toBeFocused();
    await page.keyboard.press('Tab');
    await expect(page.getByLabel('Search')).toBeFocused();
    await page.keyboard.type('x and o write their mark in turn into an empty');
    await expect(page.getByRole('article', { name: 'Tic-tac-toe', exact: true })).toBeVisible();
    const play = page.getByRole('article', { name: 'Tic-tac-toe', exact: true }).getByRole('link', { name: 'Play (Tic-tac-toe)' });
    for (let presses = 0; presses < 60 && !(await play.evaluate((link) => link === document.activeElement)); ++presses) {
      await page.keyboard.press('Tab');
    }
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(/#\/play\?game=gdl\/tic-tac-toe/);
    await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
  });

  test('has nothing that axe finds', async ({ page }) => {
    await page.getByLabel('Search').fill('poker');
    await page.getByRole('article').first().locator('summary').first().click();
    await expectAccessible(page);
  });

  test.describe('on a phone', () => {
    test.use({ viewport: phone });
    test('does not scroll sideways', async ({ page }) => {
      await expectNoSidewaysScrolling(page);
      await picture(page, 'library-phone');
    });
  });
});

test('games with a board have a small picture of it', async ({ page }) => {
  await page.goto('/#/library');
  await page.getByLabel('Search').fill('checkers');
  const picture = page.getByRole('article', { name: 'Checkers', exact: true }).locator('.thumbnail');
  await expect(picture.locator('.mini-place')).toHaveCount(64);
  await expect(picture.locator('circle')).toHaveCount(24);
});

test('one’s own game has a picture where a board is recognised in it', async ({ page }) => {
  const text = `(role a)
(init (square 1 1)) (init (square 1 2)) (init (square 2 1)) (init (square 2 2)) (init (square 2 3))
(legal a wait)
(<= (legal a (eat ?r ?c)) (true (square ?r ?c)))
(<= (next (square ?r ?c)) (true (square ?r ?c)) (does a (eat ?i ?j)) (distinct ?r ?i))
(<= terminal (true (square 1 1)) (not (true (square 2 1))))
(goal a 100)`;
  const mine = JSON.stringify([{ name: 'Squares', kind: 'gdl', text, about: { seats: ['a'] } }]);
  await page.addInitScript((games) => localStorage.setItem('mine', games), mine);
  await page.goto('/#/library');
  const picture = page.getByRole('article', { name: 'Squares', exact: true }).locator('.thumbnail');
  await expect(picture.locator('.mini-place')).toHaveCount(6);
  await expect(picture.locator('circle')).toHaveCount(5);
});
