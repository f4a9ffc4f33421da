// Models and graphs are played like games.

import { expect, expectAccessible, picture, type Page, test } from './server';

const history = (page: Page) => page.getByRole('region', { name: 'Course of the play' }).getByRole('listitem');
const status = (page: Page) => page.locator('.status, .result');

for (const [side, seats, n] of [['∃', '∃:you,∀:zermelo', '8'], ['∀', '∃:zermelo,∀:you', '7']] as const) {
  test(`a Nim in MiniZinc is played as ${side} against the program, which wins`, async ({ page }) => {
    await page.goto(`/#/play?game=quantified/nim-fibonacci&with=n:${n}&play=&seats=${encodeURIComponent(seats)}&seconds=1`);
    for (let move = 0; move < 20; ++move) {
      await expect(status(page)).toHaveText(/Your move|wins/);
      if (/wins/.test(await status(page).innerText())) break;
      const made = await history(page).count();
      await page.locator('.move-list button').first().click();
      await expect.poll(() => history(page).count()).toBeGreaterThan(made);
    }
    await expect(status(page)).toContainText(side === '∃' ? '∀ wins' : '∃ wins');
    await expect(page.locator('.rest')).toContainText('take');
  });
}

test('a parameter is asked for, and the play is in the address', async ({ page }) => {
  await page.goto('/#/play?game=quantified/nim-fibonacci');
  await page.getByLabel('n', { exact: true }).fill('5');
  await page.getByRole('button', { name: 'Use these values' }).click();
  await page.getByLabel('∀', { exact: true }).selectOption({ label: 'You' });
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await page.getByRole('button', { name: /take\[1\] = 1/ }).click();
  await expect(history(page)).toHaveText(['∃ take[1] = 1']);
  await expect(page).toHaveURL(/with=n:5/);
  await page.reload();
  await expect(history(page)).toHaveText(['∃ take[1] = 1']);
  await expectAccessible(page);
});

test('a model is explained move by move', async ({ page }) => {
  await page.goto('/#/why?game=quantified/nim-fibonacci&with=n:7');
  await expect(status(page)).toHaveText(/∃ to move wins in \d+ moves/);
  await expect(page.locator('.replies tbody tr').first()).toContainText('take[1] = 2');
  await expect(page.getByRole('figure', { name: 'The position as the model shows it' })).toHaveText(/^matches left: 7 /);
  await picture(page, 'why-model');
});

test('a graph is played by the names of its moves', async ({ page }) => {
  await page.goto('/#/play?game=graphs/subtraction-13&play=&seats=Alice:you,Bob:you');
  await expect(page.locator('.rest')).toContainText('A13');
  await page.locator('.move-list button').first().click();
  await expect(history(page)).toHaveCount(1);
});

test('what a pair of moves pays stands beside the mixture', async ({ page }) => {
  await page.addInitScript(() => localStorage.setItem('analysis', 'on'));
  await page.goto('/#/play?game=gdl/rock-paper-scissors-once&play=&seats=left:you,right:you');
  const table = page.locator('.mixture');
  await expect(table.locator('tbody tr')).toHaveCount(3);
  await expect(table.locator('tbody td').first()).toHaveText('50 : 50');
  await expect(table.locator('thead')).toContainText('33.3 %');
  await picture(page, 'mixture');
  await expectAccessible(page);
});

const stairs = `% Stairs
include "zermelo.mzn";
int: n = 4;
array[1..n] of var 1..2: go;
constraint forall(t in 1..n)(if t mod 2 = 1 then some(t, go[t], 1..2) else every(t, go[t], 1..2) endif);
constraint win(sum(go) mod 3 = 0);
output [if t = 0 then "start" else " -> " ++ show(sum(go[1..t])) endif | t in 0..n] ++ ["\\n"];
`;

test('a position of a model is shown by its own output', async ({ page }) => {
  const mine = JSON.stringify([{ name: 'Stairs', kind: 'minizinc', text: stairs, about: { seats: ['∃', '∀'], tags: ['quantified'] } }]);
  await page.addInitScript((games) => localStorage.setItem('mine', games), mine);
  await page.goto(`/#/play?game=mine/Stairs&play=&seats=${encodeURIComponent('∃:you,∀:you')}`);
  const shown = page.getByRole('figure', { name: 'The position as the model shows it' });
  await expect(shown).toHaveText('start -> · -> · -> · -> ·');
  await page.getByRole('button', { name: 'go[1] = 2' }).click();
  await expect(shown).toHaveText('start -> 2 -> · -> · -> ·');
  await page.getByRole('button', { name: 'go[2] = 1' }).click();
  await expect(shown).toHaveText('start -> 2 -> 3 -> · -> ·');
  await expectAccessible(page);
  await page.getByRole('link', { name: 'Why?' }).click();
  await expect(shown).toHaveText('start -> 2 -> 3 -> · -> ·');
  await page.getByRole('button', { name: 'One move back' }).click();
  await expect(shown).toHaveText('start -> 2 -> · -> · -> ·');
});

test('Connect-Four as a model draws its grid, and optional parameters may stay open', async ({ page }) => {
  await page.goto('/#/play?game=quantified/connect-four');
  for (const name of ['columns', 'rows']) await page.getByLabel(name, { exact: true }).fill('4');
  for (const name of ['aligned', 'half']) await page.getByLabel(name, { exact: true }).fill('');
  await page.getByRole('button', { name: 'Use these values' }).click();
  for (const side of ['∃', '∀']) await page.getByLabel(side, { exact: true }).selectOption({ label: 'You' });
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await page.getByRole('button', { name: 'move[1] = 3' }).click();
  await page.getByRole('button', { name: 'move[2] = 3' }).click();
  const shown = page.getByRole('figure', { name: 'The position as the model shows it' });
  await expect(shown).toContainText(' · · O ·\n · · X ·\n 1 2 3 4', { useInnerText: true });
  await picture(page, 'model');
});

const many = `% Many parameters
include "zermelo.mzn";
int: n; int: least; array[1..n] of
  int: weight; opt int: most;
array[1..n] of var 1..2: go;
constraint forall(t in 1..n)(if t mod 2 = 1 then some(t, go[t], 1..2) else every(t, go[t], 1..2) endif);
constraint win(sum(t in 1..n)(weight[t] * go[t]) >= least);
`;
const data = `% three turns
n = 3; least = 9;
weight = [3,   % the first turn
          1, 1];
turns = 4;
`;

test('parameters on one line and arrays are all found, filled from a data file, and kept in the address', async ({ page }) => {
  const mine = JSON.stringify([{ name: 'Many', kind: 'minizinc', text: many, about: { seats: ['∃', '∀'], tags: ['quantified'] } }]);
  await page.addInitScript((games) => localStorage.setItem('mine', games), mine);
  await page.goto('/#/play?game=mine/Many');
  await expect(page.locator('.parameter label')).toHaveText(['n', 'least', 'weight', 'most']);
  await page.locator('input[type="file"][accept=".dzn"]').setInputFiles({ name: 'three.dzn', mimeType: 'text/plain', buffer: Buffer.from(data) });
  await expect(page.getByLabel('weight', { exact: true })).toHaveValue('[3, 1, 1]');
  await expect(page.getByText('This model has no parameter turns.')).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Use these values' }).click();
  for (const side of ['∃', '∀']) await page.getByLabel(side, { exact: true }).selectOption({ label: 'You' });
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await page.getByRole('button', { name: 'go[1] = 2' }).click();
  await expect(history(page)).toHaveText(['∃ go[1] = 2']);
  await page.reload();
  await expect(history(page)).toHaveText(['∃ go[1] = 2']);
  await expect(page.getByLabel('weight', { exact: true })).toHaveValue('[3, 1, 1]');
  await page.getByRole('link', { name: 'Strategy' }).click();
  await expect(page.getByText('Won by ∃')).toBeVisible();
  await expect(page.getByLabel('weight', { exact: true })).toHaveValue('[3, 1, 1]');
});

for (const [screen, button] of [['strategy', 'Solve'], ['tree', 'Start'], ['graph', 'Draw']] as const) {
  test(`what was entered on the screen ${screen} is in its address, and in its links`, async ({ page }) => {
    await page.goto(`/#/${screen}?game=quantified/nim-fibonacci`);
    await page.getByLabel('n', { exact: true }).fill('5');
    await page.getByRole('button', { name: button }).click();
    await expect(page).toHaveURL(/with=n:5/);
    await page.reload();
    await expect(page.getByLabel('n', { exact: true })).toHaveValue('5');
    await page.getByRole('link', { name: screen === 'strategy' ? 'Search tree' : 'Strategies', exact: true }).click();
    await expect(page.getByLabel('n', { exact: true })).toHaveValue('5');
  });
}

test('the best moves of a solved model lead to the positions after them', async ({ page }) => {
  await page.goto('/#/strategy?game=quantified/nim-fibonacci&with=n:7');
  await page.getByRole('button', { name: 'Solve' }).click();
  await page.getByRole('link', { name: 'take[1] = 2' }).click();
  await expect(history(page)).toHaveText(['∃ take[1] = 2']);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByText('No move yet.')).toBeVisible();
});
