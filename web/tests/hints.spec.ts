// What hints draw: hexagons, holes, points, dice, sheets, lines, cards; moves in words; and one's own game.

import { expect, expectAccessible, expectNoSidewaysScrolling, phone, picture, test } from './server';

test('Hex is hexagons with coloured sides', async ({ page }) => {
  await page.goto('/#/play?game=gdl/hex&play=place+5+5;place+4+6;place+6+4&seats=red:you,blue:you');
  const corner = page.locator('[data-place="1,1"]');
  await expect(corner).toBeVisible();
  const look = (place: string) => page.locator(`[data-place="${place}"]`).evaluate((one) => getComputedStyle(one));
  expect((await look('5,5')).clipPath).toContain('polygon');
  expect((await look('5,1')).backgroundImage).toContain('rgb(200, 65, 58)');
  expect((await look('1,5')).backgroundImage).toContain('rgb(58, 111, 196)');
  expect((await look('5,5')).backgroundImage).not.toContain('rgb(200, 65, 58)');
  await expect(page.getByRole('region', { name: 'Course of the play' })).toContainText('e5');
  await picture(page, 'hex');
  await page.locator('[data-place="2,2"]').click();
  await expect(page.locator('[data-place="2,2"]')).toHaveAccessibleName(/blue stone/);
  await expectAccessible(page);
});

test('Connect-Four has round holes', async ({ page }) => {
  await page.goto('/#/play?game=gdl/connect-four&play=drop+4;drop+4;drop+3&seats=yellow:you,red:you');
  const hole = page.locator('[data-place="1,1"]');
  await expect(hole).toBeVisible();
  expect(await hole.evaluate((one) => getComputedStyle(one).borderRadius)).toBe('50%');
  await picture(page, 'connect-four');
});

test('chess is played with signs, in squares', async ({ page }) => {
  await page.goto('/#/play?game=gdl/chess&play=move+e+2+e+4&seats=white:you,black:you');
  await expect(page.getByRole('region', { name: 'Course of the play' })).toContainText('e2–e4', { timeout: 60_000 });
  const king = page.locator('[data-place="e,8"] .piece');
  await expect(king).toHaveText('♚');
  expect(await king.evaluate((one) => parseFloat(getComputedStyle(one).fontSize))).toBeGreaterThan(24);
  await picture(page, 'chess');
  await page.emulateMedia({ colorScheme: 'dark' });
  await picture(page, 'chess-dark');
});

test('backgammon has points and dice', async ({ page }) => {
  await page.goto('/#/play?game=gdl/backgammon&play=roll+two+four&seats=white:you,black:you');
  await expect(page.locator('.points .point')).toHaveCount(26);
  await expect(page.locator('.points .stone')).toHaveCount(30);
  await expect(page.locator('.dice .die')).toHaveCount(2);
  await expect(page.getByRole('img', { name: '4', exact: true })).toBeVisible();
  await picture(page, 'backgammon');
  await expectAccessible(page);
});

test('yahtzee has dice and a score sheet', async ({ page }) => {
  await page.goto('/#/play?game=gdl/yahtzee&play=roll+3;roll+5;roll+3;roll+1;roll+3&seats=alice:you,bob:you');
  await expect(page.locator('.dice .die')).toHaveCount(5);
  await expect(page.locator('.score-sheet tbody tr')).toHaveCount(13);
  await expect(page.locator('.score-sheet thead')).toContainText('Alice');
  await picture(page, 'yahtzee');
  await expectAccessible(page);
});

test('dots and boxes are lines between dots', async ({ page }) => {
  await page.goto('/#/play?game=gdl/dots-and-boxes-suicide');
  await page.getByLabel('blue', { exact: true }).selectOption({ label: 'You' });
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  const line = page.locator('[data-place="2,1"]');
  await line.click();
  await expect(line).toHaveAccessibleName(/line across/);
  const [narrow, wide] = await Promise.all(['1,1', '2,2'].map((at) => page.locator(`[data-place="${at}"]`).boundingBox()));
  expect(narrow!.width).toBeLessThan(wide!.width / 2);
  await picture(page, 'dots-and-boxes');
});

test('a hand is a card', async ({ page }) => {
  await page.goto('/#/play?game=gdl/kuhn-poker&play=deal+queen+king&seats=first:you,second:zermelo');
  await expect(page.getByRole('img', { name: 'queen' })).toBeVisible();
  await expect(page.getByRole('img', { name: 'king' })).toHaveCount(0);
});

const chomp = `; Chomp
; Two players eat from a chocolate bar of three rows and four columns: who takes a square takes all below and right of it.
; The square in the corner is poisoned.
(role left)
(role right)
(other left right)
(other right left)
(row 1) (row 2) (row 3)
(column 1) (column 2) (column 3) (column 4)
(succ 1 2) (succ 2 3) (succ 3 4)
(<= (upto ?a ?a) (column ?a))
(<= (upto ?a ?c) (succ ?b ?c) (upto ?a ?b))
(<= (base (square ?r ?c)) (row ?r) (column ?c))
(<= (base (control ?p)) (role ?p))
(<= (init (square ?r ?c)) (row ?r) (column ?c))
(init (control left))
(<= (input ?p (eat ?r ?c)) (role ?p) (row ?r) (column ?c))
(<= (input ?p noop) (role ?p))
(<= (legal ?p (eat ?r ?c)) (true (control ?p)) (true (square ?r ?c)))
(<= (legal ?p noop) (role ?p) (not (true (control ?p))))
(<= (eaten ?r ?c) (does ?p (eat ?a ?b)) (true (square ?r ?c)) (upto ?a ?r) (upto ?b ?c))
(<= (next (square ?r ?c)) (true (square ?r ?c)) (not (eaten ?r ?c)))
(<= (next (control ?q)) (true (control ?p)) (other ?p ?q))
(<= terminal (not (true (square 1 1))))
(<= (goal ?p 100) (true (control ?p)))
(<= (goal ?p 0) (role ?p) (not (true (control ?p))))
`;

test('a pasted Chomp gets its grid, its board is edited, and it is played and explained', async ({ page }) => {
  await page.goto('/#/editor');
  await page.getByRole('textbox', { name: 'Text of the game' }).click();
  await page.keyboard.insertText(chomp);
  await page.getByLabel('Name', { exact: true }).fill('Chomp');
  await expect(page.getByText('✓ Can be played')).toBeVisible();
  await page.getByText('The board', { exact: true }).click();
  const preview = page.getByRole('group', { name: 'Preview' });
  await expect(preview.locator('[data-place]')).toHaveCount(12);
  await expect(preview.locator('[data-place] .piece')).toHaveCount(12);
  await page.getByLabel('Board made of').selectOption('square');
  await page.getByLabel('Column', { exact: true }).selectOption('2');
  await page.getByLabel('Row', { exact: true }).selectOption('1');
  await page.getByLabel('First row below').uncheck();
  await page.getByLabel('Places', { exact: true }).selectOption('hole');
  await expect(preview.locator('.cells-hole')).toBeVisible();
  await page.getByLabel('Sign of square').fill('▦');
  await expect(preview.locator('[data-place="4,3"] .piece')).toHaveText('▦');
  await picture(page, 'hint-editor');
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Play it' }).click();
  await page.getByLabel('right', { exact: true }).selectOption({ label: 'You' });
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await expect(page.locator('.cells-hole [data-place]')).toHaveCount(12);
  await page.locator('[data-place="2,2"]').click();
  await expect(page.locator('[data-place] .piece')).toHaveCount(6);
  await page.getByText('Share and keep').click();
  await expect(page.getByLabel('Link to this position')).toHaveValue(/rules=/);
  const link = await page.getByLabel('Link to this position').inputValue();
  await page.getByRole('link', { name: 'Why?' }).click();
  await expect(page.locator('.status')).toHaveText(/right to move (wins|loses) in/);

  // Somebody else, who has never seen these rules, opens the link.
  const other = await page.context().browser()!.newContext();
  const theirs = await other.newPage();
  await theirs.goto(link);
  await expect(theirs.locator('.cells-hole [data-place] .piece')).toHaveCount(6);
  await other.close();
});

test('on a phone the analysis is right below the board', async ({ page }) => {
  await page.setViewportSize(phone);
  await page.addInitScript(() => localStorage.setItem('analysis', 'on'));
  await page.goto('/#/play?game=gdl/tic-tac-toe&play=mark+2+2&seats=x:you,o:you');
  await expect(page.getByText('Solved.')).toBeVisible();
  const place = (name: string) => page.getByRole('heading', { name }).evaluate((one) => one.getBoundingClientRect().top);
  expect(await place('Analysis')).toBeLessThan(await place('Course of the play'));
  await page.getByRole('checkbox', { name: 'Analyse the position' }).scrollIntoViewIfNeeded();
  await expectNoSidewaysScrolling(page);
});

test('boards of every kind fit a phone', async ({ page }) => {
  test.setTimeout(180_000);
  await page.setViewportSize(phone);
  for (const game of ['hex', 'backgammon', 'yahtzee', 'dots-and-boxes-suicide', 'chess']) {
    await page.goto(`/#/play?game=gdl/${game}`);
    await expect(page.getByRole('button', { name: 'Start', exact: true })).toBeVisible({ timeout: 60_000 });
    await expectNoSidewaysScrolling(page);
  }
});
