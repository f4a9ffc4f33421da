// The table: a person, players and the program, with a mouse, a keyboard and a thumb.

import { expect, expectAccessible, expectNoSidewaysScrolling, type Page, phone, picture, test } from './server';

// The place in a column and a row, as the rules count them.
const place = (page: Page, x: number, y: number) => page.locator(`[data-place="${x},${y}"]`);
const seat = (page: Page, role: string) => page.getByLabel(role, { exact: true });
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const status = (page: Page) => page.locator('.status, .result');
const history = (page: Page) => page.getByRole('region', { name: 'Course of the play' }).getByRole('listitem');

async function open(page: Page, game: string) {
  await page.goto(`/#/play?game=gdl/${game}`);
  await expect(page.getByRole('heading', { name: 'Who plays?' })).toBeVisible();
}

async function sit(page: Page, seats: Record<string, string>, seconds = '0.2') {
  for (const [role, who] of Object.entries(seats)) await seat(page, role).selectOption({ label: who });
  await page.getByLabel('Seconds a move').selectOption(seconds);
}

async function start(page: Page, game: string, seats: Record<string, string>) {
  await open(page, game);
  await sit(page, seats);
  await button(page, 'Start').click();
  // What is clicked before the moves are known is not a move.
  if (Object.values(seats).includes('You')) await expect(status(page)).toContainText('Your move');
}

test('two persons play tic-tac-toe to the end by clicking', async ({ page }) => {
  await start(page, 'tic-tac-toe', { x: 'You', o: 'You' });
  for (const [x, y] of [[1, 1], [2, 1], [1, 2], [2, 2], [1, 3]] as const) {
    await expect(status(page)).toContainText('Your move');
    await place(page, x, y).click();
    await expect(place(page, x, y)).toHaveAccessibleName(/, (cross|nought),.*just changed/);
  }
  await expect(status(page)).toContainText('x wins');
  await expect(page.getByRole('list', { name: 'Result' })).toHaveText(/x: 100.*o: 0/s);
  await expect(page.locator('[aria-live="polite"]')).toContainText('x wins');
  await expect(history(page)).toHaveCount(5);
});

test('connect-four against a player, by clicking columns', async ({ page }) => {
  await start(page, 'connect-four', { yellow: 'You', red: 'uct' });
  await place(page, 4, 6).click();   // anywhere in the column
  await expect(place(page, 4, 1)).toHaveAccessibleName(/yellow/);
  await expect(history(page)).toHaveCount(2);
  await expect(page.locator('.place', { has: page.locator('.piece') })).toHaveCount(2);
  await expect(page.getByText('What red thinks')).toBeVisible();
  await expect(status(page)).toHaveText('Your move, yellow.');
});

test('what was done can be undone, and done again', async ({ page }) => {
  await start(page, 'tic-tac-toe', { x: 'You', o: 'random' });
  await place(page, 2, 2).click();
  await expect(history(page)).toHaveCount(2);
  const answer = await history(page).nth(1).textContent();
  await button(page, 'Undo').click();
  await expect(history(page)).toHaveCount(0);
  await expect(place(page, 2, 2)).toHaveAccessibleName(/empty/);
  await button(page, 'Redo').click();
  await expect(history(page)).toHaveCount(2);
  await expect(history(page).nth(1)).toHaveText(answer!);
  await expect(place(page, 2, 2)).toHaveAccessibleName(/, cross/);
  await expect(button(page, 'Redo')).toBeDisabled();
});

test('a hint shows a move and does not make it', async ({ page }) => {
  await start(page, 'tic-tac-toe', { x: 'You', o: 'You' });
  for (const [x, y] of [[1, 1], [2, 1], [1, 2], [2, 2]] as const) {
    await place(page, x, y).click();
    await expect(place(page, x, y)).toHaveAccessibleName(/just changed/);
  }
  await button(page, 'Hint').click();
  await expect(page.getByText('Hint: mark 3 1')).toBeVisible();   // it wins; the row is said first
  await expect(place(page, 1, 3)).toHaveAccessibleName(/empty.*hint/);
  await expect(history(page)).toHaveCount(4);
});

test('two players play nim to the end while one watches', async ({ page }) => {
  await open(page, 'nim');
  await sit(page, { Alice: 'zermelo', Bob: 'random' });
  await button(page, 'Start').click();
  await expect(page.locator('.rest')).toContainText('heap');
  await expect(status(page)).toContainText('Alice wins', { timeout: 20_000 });
  await expect(page.getByRole('list', { name: 'Result' })).toHaveText(/Alice: 100.*Bob: 0/s);
});

test('who watches can pause, and take a seat in the middle of the play', async ({ page }) => {
  await open(page, 'connect-four');
  await sit(page, { red: 'random' }, '5');   // or else the play may be over before it is paused
  await button(page, 'Watch engines play').click();
  await expect(history(page)).not.toHaveCount(0);
  await button(page, 'Pause').click();
  await expect(status(page)).toHaveText('Paused.');
  await page.getByText('Seats and time').click();
  await seat(page, 'yellow').selectOption({ label: 'You' });
  await seat(page, 'red').selectOption({ label: 'You' });
  await button(page, 'Continue').click();
  await expect(status(page)).toContainText('Your move');
});

test('the analysis says what is true of tic-tac-toe', async ({ page }) => {
  await start(page, 'tic-tac-toe', { x: 'You', o: 'You' });
  await page.getByLabel('Analyse the position').check();
  const table = page.getByRole('region', { name: /^Moves of/ });
  await expect(page.getByText('With best play it is a draw.')).toBeVisible();
  await expect(table.getByRole('row')).toHaveCount(10);
  for (const row of (await table.getByRole('row').all()).slice(1)) await expect(row).toContainText('drawn');
  await place(page, 1, 1).click();
  await expect(table.getByRole('row')).toHaveCount(9);
  // Only the middle holds the draw against a corner.
  await expect(table.getByRole('row', { name: 'mark 2 2' })).toContainText('drawn');
  await expect(table.getByText(/^lost in \d$/)).toHaveCount(7);
  await expect(place(page, 2, 2)).toHaveAccessibleName(/drawn/);
  await place(page, 2, 1).click();
  await expect(page.getByText('With best play x wins in 5.')).toBeVisible();
  await page.setViewportSize({ width: 1280, height: 1250 });
  await page.evaluate(() => scrollTo(0, 0));
  await picture(page, 'analysis');
  await expectAccessible(page);
  await place(page, 2, 2).click();
  await expect(table.getByText(/^lost in \d$/)).toHaveCount(6);
  await expect(page.getByRole('link', { name: 'Strategy' })).toHaveAttribute('href', /moves=/);
});

test('the analysis shows how to mix moves that are made at the same time', async ({ page }) => {
  await start(page, 'matching-pennies', { even: 'You', odd: 'You' });
  await page.getByLabel('Analyse the position').check();
  const table = page.locator('.moves-table tbody tr');
  await expect(table).toHaveCount(2);
  for (const row of await table.all()) {
    await expect(row).toContainText('50 %');
    await expect(row).toContainText('50.0');
    await expect(row).not.toContainText('best');
  }
  await expect(page.locator('.verdict')).toHaveText('No single move is best: even mixes, and gets 50.00 on average.');
});

test('where nothing is proven the analysis estimates', async ({ page }) => {
  test.slow();   // axe looks at every move
  await start(page, 'breakthrough', { white: 'You', black: 'You' });
  await page.getByLabel('Analyse the position').check();
  await page.getByLabel('Think for').selectOption('5');
  await expect(page.getByRole('columnheader', { name: '95 % interval' })).toBeVisible();
  await expect(page.getByText('Playouts a second')).toBeVisible();
  await expect(page.getByRole('img', { name: /Estimates over time/ })).toBeVisible();
  await expect(page.locator('.grid .mark').first()).toBeVisible();
  await expectAccessible(page);
});

test('a best line is looked at step by step, and the play stays as it is', async ({ page }) => {
  await page.addInitScript(() => localStorage.setItem('analysis', 'on'));
  await page.goto('/#/play?game=gdl/connect-four&play=drop+4;drop+4&seats=yellow:you,red:you');
  const line = page.locator('.assessed .best-line').getByRole('button');
  await expect.poll(() => line.count()).toBeGreaterThan(2);
  const pieces = page.locator('.grid .piece');
  await expect(pieces).toHaveCount(2);
  // The line changes as long as the program thinks: that of the click is shown.
  await line.nth(1).click();
  await expect(page.getByText(/^Looking ahead, step 2 of \d+ /)).toBeVisible();
  await expect(pieces).toHaveCount(4);
  await page.getByRole('button', { name: 'One step on in the line' }).click();
  await expect(pieces).toHaveCount(5);
  await page.getByRole('button', { name: 'One step back in the line' }).click();
  await expect(pieces).toHaveCount(4);
  await expectAccessible(page);
  await expect(page).toHaveURL(/play=drop\+4;drop\+4&/);
  await page.getByRole('button', { name: 'Back to the play' }).click();
  await expect(pieces).toHaveCount(2);
  await line.first().click();
  await expect(pieces).toHaveCount(3);
  // A move that is made is made in the play.
  await page.locator('.move-list button').first().click();
  await expect(page.getByText(/^Looking ahead/)).toHaveCount(0);
  await expect(pieces).toHaveCount(3);
});

test('where no equilibrium is found, estimates recommend nothing', async ({ page }) => {
  await page.addInitScript(() => {
    localStorage.setItem('analysis', 'on');
    localStorage.setItem('analysis-time', '5');
  });
  await page.goto('/#/play?game=gdl/connect-four-simultaneous&play=');
  await expect(page.getByText(/^No equilibrium was found in this time\..* recommend no move/)).toBeVisible();
  const table = page.locator('.moves-table');
  const moves = await table.locator('tbody th').allTextContents();
  expect(moves.length).toBeGreaterThan(2);
  expect(moves).toEqual([...moves].sort((a, b) => a.localeCompare(b, 'en', { numeric: true })));
  await expect(table.locator('.tag.good, .tag.bad')).toHaveCount(0);
  await expect(page.locator('.grid .mark.good, .grid .mark.bad')).toHaveCount(0);
  await expect(table.getByText('best', { exact: true })).toHaveCount(0);
  await expect(page.getByText('Best line')).toHaveCount(0);
  for (const interval of await table.locator('.interval small').allTextContents()) expect(interval).toBe('0–100');
});

test('from and to are clicked in breakthrough', async ({ page }) => {
  await start(page, 'breakthrough-small', { white: 'You', black: 'You' });   // an engine could take the piece at once
  await place(page, 2, 2).click();
  await expect(place(page, 2, 2)).toHaveAttribute('aria-selected', 'true');
  await expect(page.locator('.place.target')).toHaveCount(3);
  await picture(page, 'play');
  await place(page, 2, 3).click();
  await expect(place(page, 2, 3)).toHaveAccessibleName(/white/);
  await expect(history(page)).toHaveCount(1);
  await expect(history(page).first()).toHaveText('white b2–b3');
});

test('monty hall hides the car until the end', async ({ page }) => {
  await start(page, 'monty-hall', { candidate: 'You' });
  await button(page, 'choose 1').click();
  await expect(page.locator('.rest')).toContainText('chosen');
  await expect(page.locator('.rest')).not.toContainText('car');
  await button(page, 'switch').click();
  await expect(status(page)).toContainText(/Over, with (0|100) of 100/);
  await expect(page.locator('.rest')).toContainText('car');
});

test('a curtain falls between two persons where cards are hidden', async ({ page }) => {
  await start(page, 'kuhn-poker', { 'first player': 'You', 'second player': 'You' });
  await button(page, 'check').click();
  await expect(page.getByText('Pass the device to second player.').first()).toBeVisible();
  await expect(page.locator('.rest')).toHaveCount(0);
  await button(page, 'I am second player').click();
  await expect(page.locator('.hand', { hasText: 'second player' })).toHaveCount(1);
  await expect(page.locator('.hand', { hasText: 'first player' })).toHaveCount(0);
  await button(page, 'check').click();
  await expect(page.getByRole('list', { name: 'Result' })).toBeVisible();
});

test('moves made at the same time are collected', async ({ page }) => {
  await start(page, 'rock-paper-scissors-once', {});
  const choices = page.getByRole('list').getByRole('button');
  await choices.first().click();
  await expect(page.getByRole('list', { name: 'Result' })).toBeVisible();
});

test('a whole game with the keyboard alone', async ({ page }) => {
  await open(page, 'tic-tac-toe');
  await seat(page, 'o').focus();
  await page.keyboard.type('You');
  await button(page, 'Start').focus();
  await page.keyboard.press('Enter');
  await expect(place(page, 1, 1)).toBeFocused();
  // x on the first row, o below.
  const keys = ['Enter', 'ArrowDown Enter', 'ArrowUp ArrowRight Enter', 'ArrowDown Space', 'ArrowUp ArrowRight Enter'];
  for (const [made, sequence] of keys.entries()) {
    await expect(status(page)).toHaveText(`Your move, ${'xo'[made % 2]}.`);
    for (const key of sequence.split(' ')) await page.keyboard.press(key);
    await expect(history(page)).toHaveCount(made + 1);
  }
  await expect(status(page)).toContainText('x wins');
});

test('who comes back finds the play as it was', async ({ page }) => {
  await start(page, 'tic-tac-toe', { x: 'You', o: 'You' });
  await place(page, 2, 2).click();
  await expect(history(page)).toHaveCount(1);
  await page.goto('/#/library');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await page.goBack();
  await expect(history(page)).toHaveCount(1);
  await expect(status(page)).toHaveText('Your move, o.');
});

test('who leaves as soon as a move is shown comes back to it', async ({ page }) => {
  await start(page, 'tic-tac-toe', { x: 'You', o: 'You' });
  await page.evaluate(() => new MutationObserver((_, observer) => {
    if (document.querySelectorAll('.history li').length !== 1) return;
    observer.disconnect();
    location.hash = '#/library';
  }).observe(document.body, { childList: true, subtree: true }));
  await place(page, 2, 2).click();
  await expect(page).toHaveURL(/library/);
  await page.goBack();
  await expect(history(page)).toHaveCount(1);
  await expect(status(page)).toHaveText('Your move, o.');
});

test('who leaves ends the work', async ({ page }) => {
  const running = async () => (await (await page.request.get('/api/status')).json()).running as number;
  await open(page, 'breakthrough');
  await sit(page, {}, '30');
  await page.getByLabel('Analyse the position').check();
  await button(page, 'Watch engines play').click();
  await expect.poll(running).toBe(2);   // a player, and the analysis
  await page.goto('/#/library');
  await expect.poll(running).toBe(0);
});

test('in French', async ({ page }) => {
  await page.addInitScript(() => localStorage.setItem('language', 'fr'));
  await page.goto('/#/play?game=gdl/tic-tac-toe');
  await button(page, 'Commencer').click();
  await expect(status(page)).toHaveText('À vous, croix.');
  await expect(place(page, 2, 3)).toHaveAccessibleName('colonne 2, ligne 3, vide, jouable');
});

test('nothing is wrong with it for those who cannot see it', async ({ page }) => {
  await open(page, 'connect-four');
  await expectAccessible(page);
  await button(page, 'Start').click();
  await expect(status(page)).toContainText('Your move');
  await expectAccessible(page);
});

// Pieces, discs in holes, lines between dots, and cards.
for (const [game, play, shown] of [
  ['chess', 'move e 2 e 4', /♜.*♟/], ['connect-four', 'drop 4;drop 4;drop 5', 3],
  ['dots-and-boxes-suicide', 'draw 2 1;draw 3 2', /┃.*━/], ['kuhn-poker', 'deal queen king', 'Q♠'],
] as const) {
  test(`nothing is wrong with the board of ${game}`, async ({ page }) => {
    test.slow();   // axe looks at every place
    await page.goto(`/#/play?game=gdl/${game}&play=${encodeURIComponent(play)}`);
    const board = page.locator('.well.board');
    if (typeof shown === 'number') await expect(board.locator('.piece')).toHaveCount(shown);
    else await expect(board).toContainText(shown);
    await expectAccessible(page);
  });
}

test('it fits a phone', async ({ page }) => {
  await page.setViewportSize(phone);
  for (const game of ['connect-four', 'checkers', 'nim']) {
    await open(page, game);
    await expectNoSidewaysScrolling(page);
    await button(page, 'Start').click();
    await expect(status(page)).toContainText('Your move');
    await expectNoSidewaysScrolling(page);
  }
});
