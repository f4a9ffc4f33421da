import { expect, expectAccessible, expectNoSidewaysScrolling, phone, picture, test, type Page } from './server';

// Paper, stone, scissors would be longer: two players say a number at once, and the greater one wins.
const sound = `; Greater
;
; Both say a number at once; the greater one wins.
(role left)
(role right)
(number 1)
(number 2)
(number 3)
(init start)
(<= (base start) (number 1))
(<= (base (said ?role ?n)) (role ?role) (number ?n))
(<= (input ?role (say ?n)) (role ?role) (number ?n))
(<= (legal ?role (say ?n)) (role ?role) (number ?n))
(<= (next (said ?role ?n)) (does ?role (say ?n)))
(<= terminal (true (said left ?n)))
(greater 2 1)
(greater 3 1)
(greater 3 2)
(<= (wins left) (true (said left ?a)) (true (said right ?b)) (greater ?a ?b))
(<= (wins right) (true (said left ?a)) (true (said right ?b)) (greater ?b ?a))
(<= (goal ?role 100) (wins ?role))
(<= (goal left 0) (wins right))
(<= (goal right 0) (wins left))
(<= (goal ?role 50) (role ?role) (not (wins left)) (not (wins right)))
`;
const broken = sound.replace('(<= terminal (true (said left ?n)))', '(<= (next (seen ?m)) (does left (say 1)))\n(<= terminal (true (said left ?n)))');
const line = broken.split('\n').findIndex((text) => text.includes('?m')) + 1;

const text = (page: Page) => page.getByRole('textbox', { name: 'Text of the game' });

async function paste(page: Page, content: string) {
  await text(page).click();
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.insertText(content);
}

// Where a word stands in the first line that has this text.
async function wordIn(page: Page, lineText: string, word: string): Promise<{ x: number; y: number }> {
  const found = page.locator('.cm-line', { hasText: lineText }).first();
  await found.scrollIntoViewIfNeeded();
  return found.evaluate((line, wanted) => {
    const walk = document.createTreeWalker(line, NodeFilter.SHOW_TEXT);
    for (let node = walk.nextNode(); node; node = walk.nextNode()) {
      const at = node.textContent!.indexOf(wanted);
      if (at < 0) continue;
      const range = document.createRange();
      range.setStart(node, at);
      range.setEnd(node, at + wanted.length);
      const { left, top, width, height } = range.getBoundingClientRect();
      return { x: left + width / 2, y: top + height / 2 };
    }
    throw new Error(`no ${wanted} in this line`);
  }, word);
}

async function putCursor(page: Page, lineText: string, word: string): Promise<void> {
  const { x, y } = await wordIn(page, lineText, word);
  await page.mouse.click(x, y);
  await page.mouse.move(0, 0);
}

test.describe('the editor', () => {
  test.beforeEach(async ({ page }) => {
    await page.goto('/#/editor');
    await expect(text(page)).toBeVisible();
  });

  test('shows an error at its line, and its list leads there', async ({ page }) => {
    await paste(page, broken);
    const finding = page.getByRole('button', { name: new RegExp(`^Line ${line}, column \\d+$`) }).first();
    await expect(finding).toBeVisible();
    await expect(page.getByText('✕ Cannot be played')).toBeVisible();
    await expect(page.getByRole('button', { name: 'Play it' })).toBeDisabled();

    await expect(page.locator('.cm-lintRange-error').first()).toBeVisible();
    const marked = page.locator('.cm-line').filter({ has: page.locator('.cm-lintRange-error') });
    await expect(marked.first()).toContainText('?m');

    await finding.click();
    await expect(text(page)).toBeFocused();
    await expect(page.locator('.cm-activeLine')).toContainText('?m');
    await picture(page, 'editor');
  });

  test('shows what can never happen at its line', async ({ page }) => {
    await paste(page, sound.replace('(<= terminal', '(<= (legal left (say 9)) (true (said left 9)))\n(<= terminal'));
    const finding = page.getByRole('listitem').filter({ hasText: 'the move (say 9) can never be legal' });
    await expect(finding).toContainText('Warning:');
    await finding.getByRole('button').click();
    await expect(page.locator('.cm-activeLine')).toContainText('(say 9)');
    await expect(page.locator('.cm-lintRange-warning').first()).toBeVisible();
    await expect(page.getByRole('button', { name: 'Play it' })).toBeEnabled();
  });

  test('warns of a model whose last move cannot be made', async ({ page }) => {
    await paste(page, 'include "zermelo.mzn";\nvar 1..2: x;\nvar 1..2: y;\nvar 1..2: z;\nconstraint some(1, x, 1..2) /\\ every(2, y, 1..2);\nconstraint some(3, z, 1..2);\nconstraint rule(3, z > x + y);\nconstraint win(x + y + z > 3);\nsolve satisfy;\n');
    await expect(page.getByRole('listitem').filter({ hasText: '∃ has no legal value for z' })).toContainText('Warning:');
    await expect(page.getByText('✓ Can be played')).toBeVisible();
  });

  test('plays a sound game, which the library then has', async ({ page }) => {
    await page.getByLabel('Name').fill('Greater');
    await paste(page, sound);
    await expect(page.getByText('✓ Can be played')).toBeVisible();
    await expect(page.getByText('left, right')).toBeVisible();
    await page.getByRole('button', { name: 'Play it' }).click();
    await expect(page).toHaveURL(/#\/play\?game=mine\/Greater/);

    await page.goto('/#/library');
    const mine = page.getByRole('article', { name: 'Greater' });
    await expect(mine).toContainText('Both say a number at once');
    await mine.getByRole('button', { name: /Remove/ }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await expect(mine).toHaveCount(0);
  });

  test('begins with a copy of a game', async ({ page }) => {
    await page.goto('/#/editor?game=gdl/nim');
    await expect(page.getByLabel('Name')).toHaveValue('Nim');
    await expect(text(page)).toContainText('(role');
    await expect(page.getByText('✓ Can be played')).toBeVisible();
  });

  test('asks for what a model leaves open', async ({ page }) => {
    await page.goto('/#/editor?game=quantified/nim-fibonacci');
    await expect(page.getByText('✓ Can be played')).toBeVisible();
    await page.getByLabel('n', { exact: true }).fill('');
    await expect(page.getByText('✕ Cannot be played')).toBeVisible();
    await page.getByLabel('n', { exact: true }).fill('5');
    await expect(page.getByText('✓ Can be played')).toBeVisible();
  });

  test('takes a file and sees what it is', async ({ page }) => {
    await page.locator('input[type=file]').setInputFiles({ name: 'tiny.mzn', mimeType: 'text/plain', buffer: Buffer.from('include "zermelo.mzn";\nvar 1..2: x;\nconstraint x < ;\n') });
    await expect(page.getByLabel('Language')).toHaveValue('minizinc');
    await expect(page.getByLabel('Name')).toHaveValue('tiny');
    await expect(page.getByRole('button', { name: /^Line 3/ })).toBeVisible();
  });

  test('sees what a pasted text is', async ({ page }) => {
    await paste(page, 'include "zermelo.mzn";\nint: n = 3;\nvar 1..n: x :: exists;\n');
    await expect(page.getByLabel('Language')).toHaveValue('minizinc');
    await paste(page, sound);
    await expect(page.getByLabel('Language')).toHaveValue('gdl');
    await expect(page.getByText('✓ Can be played')).toBeVisible();
  });

  test('keeps what was written, however quickly', async ({ page }) => {
    await text(page).click();
    const written = '; only a beginning, typed faster than the page is drawn: (role x) (role o)';
    await page.keyboard.type(written);
    await expect(text(page)).toHaveText(written);
    await page.getByRole('link', { name: 'Games' }).click();
    await page.getByRole('link', { name: 'Editor' }).click();
    await expect(text(page)).toContainText('only a beginning');
  });

  test('tells what a name is, to the pointer and to the keyboard', async ({ page }) => {
    await paste(page, sound);
    const { x, y } = await wordIn(page, '(greater 3 2)', 'greater');
    await page.mouse.move(x, y);
    const told = page.locator('.cm-name');
    await expect(told).toContainText('greater — relation with 2 arguments');
    await expect(told).toContainText('given 3 times, used 2 times');
    await picture(page, 'editor-hover');
    await page.mouse.move(0, 0);
    await expect(told).toHaveCount(0);

    await putCursor(page, '(<= terminal', 'terminal');
    await page.keyboard.press('F1');
    await expect(told).toContainText('The game is over in this position.');
    await page.keyboard.press('ArrowDown');
    await expect(told).toHaveCount(0);
  });

  test('goes to where a name is given', async ({ page }) => {
    await paste(page, sound);
    const here = page.locator('.cm-activeLine');
    await putCursor(page, '(<= (goal ?role 100)', 'wins');
    await page.keyboard.press('F12');
    await expect(here).toContainText('(<= (wins left)');
    await page.keyboard.press('F12');
    await expect(here).toContainText('(<= (wins right)');

    const { x, y } = await wordIn(page, '(<= (wins left)', 'greater');
    await page.keyboard.down('ControlOrMeta');
    await page.mouse.click(x, y);
    await page.keyboard.up('ControlOrMeta');
    await expect(here).toHaveText('(greater 2 1)');

    await putCursor(page, '(<= (goal left 0)', 'wins');
    await page.getByRole('button', { name: 'Go to definition' }).click();
    await expect(here).toContainText('(<= (wins left)');
    await expect(text(page)).toBeFocused();
  });

  test('renames a name everywhere', async ({ page }) => {
    await paste(page, sound);
    await putCursor(page, '(greater 3 2)', 'greater');
    await page.keyboard.press('F2');
    const dialog = page.getByRole('dialog', { name: 'Rename greater' });
    await expect(dialog).toContainText('It stands in 5 places.');
    await expect(dialog.getByLabel('New name')).toBeFocused();
    await dialog.getByLabel('New name').fill('beats');
    await expectAccessible(page);
    await page.keyboard.press('Enter');
    await expect(dialog).toBeHidden();
    await expect(text(page)).toBeFocused();
    await expect(text(page)).toContainText('(beats 3 2)');
    await expect(text(page)).toContainText('(beats ?b ?a)');
    await expect(text(page)).not.toContainText('(greater');
    await expect(page.getByText('✓ Can be played')).toBeVisible();
    await page.keyboard.press('ControlOrMeta+z');
    await expect(text(page)).toContainText('(greater 3 2)');
  });

  test.describe('a name that something else has', () => {
    test.use({ complaints: /422/ });
    test('is refused', async ({ page }) => {
      await paste(page, sound);
      await putCursor(page, '(greater 3 2)', 'greater');
      await page.getByRole('button', { name: 'Rename' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('New name').fill('wins');
      await dialog.getByRole('button', { name: 'Rename', exact: true }).click();
      await expect(dialog.getByRole('alert')).toHaveText('wins is already the name of something else; choose another name');
      await page.keyboard.press('Escape');
      await expect(dialog).toBeHidden();
      await expect(text(page)).toContainText('(greater 3 2)');
    });
  });

  test('says where no name is', async ({ page }) => {
    await paste(page, sound);
    await putCursor(page, '; Both say', 'number');
    await page.keyboard.press('F2');
    await expect(page.getByText('Put the cursor on a name of the text first.')).toBeVisible();
  });

  test('puts a text into the usual layout', async ({ page }) => {
    await paste(page, sound.replace('(role left)\n(role right)', '(role   left) (role\nright)'));
    await page.getByRole('button', { name: 'Format', exact: true }).click();
    await expect(page.locator('.cm-line', { hasText: /^\(role right\)$/ })).toBeVisible();
    await page.getByRole('button', { name: 'Format', exact: true }).click();
    await expect(page.getByText('Nothing to change')).toBeVisible();
  });

  test('knows the names of a model', async ({ page }) => {
    await paste(page, 'include "zermelo.mzn";\nvar 1..2: x;\nconstraint some(1, x, 1..2);\nconstraint win(x > 1);\nsolve satisfy;\n');
    await expect(page.getByText('✓ Can be played')).toBeVisible();
    await expect(page.getByRole('button', { name: 'Format', exact: true })).toHaveCount(0);
    const { x, y } = await wordIn(page, 'constraint win', 'win');
    await page.mouse.move(x, y);
    await expect(page.locator('.cm-name')).toContainText('at the end b must hold for us to win');
  });

  test('has nothing that axe finds', async ({ page }) => {
    await paste(page, broken);
    await expect(page.getByText('✕ Cannot be played')).toBeVisible();
    await expectAccessible(page);
  });

  test.describe('on a phone', () => {
    test.use({ viewport: phone });
    test('does not scroll sideways', async ({ page }) => {
      await paste(page, broken);
      await expect(page.getByText('✕ Cannot be played')).toBeVisible();
      await expectNoSidewaysScrolling(page);
    });
  });
});
