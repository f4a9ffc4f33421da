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
