// In French no screen says anything in English: every text of the page has its French words, and what is shown is them.
//
// The English words are read from the sources. On every screen, each text and each label is compared with them; what is
// marked as English (the rules of a game, an error in a text) may be so.

import { readFileSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, expectAccessible, test, type Page } from './server';

const source = join(dirname(fileURLToPath(import.meta.url)), '../src');
const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((name) => /\.tsx?$/.test(name));

interface Pair { en: string; fr: string; file: string }
const unquoted = (text: string) => text.replace(/\\(.)/g, '$1');
const pairsIn = (file: string, form: RegExp): Pair[] =>
  [...readFileSync(join(source, file), 'utf8').matchAll(form)].map(([, en = '', fr = '']) => ({ en: unquoted(en), fr: unquoted(fr), file }));
const pairs: Pair[] = files.flatMap((file) => pairsIn(file, /\{\s*en: '((?:[^'\\]|\\.)*)',\s*fr: '((?:[^'\\]|\\.)*)',?\s*\}/g));
// What the engines and the server say, a gap for what they quote.
const said = [
  ...pairsIn('engine.ts', /\['((?:[^'\\]|\\.)*)',\s*'((?:[^'\\]|\\.)*)'\]/g),
  ...pairsIn('../../src/language/french_page.cpp', /\{"((?:[^"\\]|\\.)*)",\s*"((?:[^"\\]|\\.)*)"\}/g),
].map((pair) => ({ ...pair, en: pair.en.replaceAll(/\{[a-z]?\}/g, '{it}') }));

// Words that are the same in both languages, and signs.
const alike = pairs.filter(({ en, fr }) => en === fr).map(({ en }) => en);
// What the hints of the games say in French, too.
const games = join(source, '../../games');
const hinted = readdirSync(games, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.hints.json'))
  .flatMap((name) => [...readFileSync(join(games, name), 'utf8').matchAll(/"fr": "((?:[^"\\]|\\.)*)"/g)].map(([, fr = '']) => fr));
const french = new Set([...pairs.map(({ fr }) => fr), ...hinted].map((text) => text.toLowerCase()));
const english = [...pairs, ...said].filter(({ en, fr }) => en !== fr && !french.has(en.toLowerCase()) && /[a-z]{3}/i.test(en.replace(/\{\w+\}/g, '')));
const patterns = english.map(({ en }) => new RegExp(`^${en.replace(/[.*+?^$()|[\]\\]/g, '\\$&').replace(/\{\w+\}/g, '.+')}$`, 'i'));

// Small words that no French sentence has.
const sentence = /\b(the|of|and|with|is|are|this|that|which|from|not|has|have|been|will|your|moves?|players?|games?|wins?|choose|each)\b/i;

async function shown(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const texts: string[] = [];
    const foreign = (element: Element | null) => element?.closest('[lang="en"], .cm-content, code, textarea, .mono, option[lang]') !== null;
    const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walk.nextNode(); node; node = walk.nextNode()) {
      const text = node.textContent?.trim() ?? '';
      const parent = node.parentElement;
      if (text && parent && !foreign(parent) && parent.checkVisibility()) texts.push(text);
    }
    for (const title of document.querySelectorAll('svg title')) {
      const text = title.textContent?.trim();
      if (text && !foreign(title)) texts.push(text);
    }
    for (const element of document.querySelectorAll('[aria-label], [title], [placeholder], [aria-description]')) {
      if (foreign(element)) continue;
      for (const name of ['aria-label', 'title', 'placeholder', 'aria-description']) {
        const text = element.getAttribute(name)?.trim();
        if (text) texts.push(text);
      }
    }
    return [...new Set(texts)];
  });
}

// `names` are those that a model gives its variables: they stay as they are.
async function expectFrench(page: Page, screen: string, names = /^$/): Promise<void> {
  const texts = (await shown(page)).filter((text) => !names.test(text));
  expect(texts.length, screen).toBeGreaterThan(5);
  const wrong = texts.filter((text) => !alike.includes(text) && (patterns.some((pattern) => pattern.test(text)) || sentence.test(text)));
  expect(wrong, `English on the screen ${screen}`).toEqual([]);
}

test('the words of the page are found, and all have French ones', () => {
  expect(pairs.length).toBeGreaterThan(300);
  expect(said.length).toBeGreaterThan(50);
  expect(pairs.filter(({ fr }) => fr.trim() === '')).toEqual([]);
});

test.describe('in French', () => {
  test.beforeEach(async ({ page }) => {
    await page.addInitScript(() => localStorage.setItem('language', 'fr'));
  });

  test('the library', async ({ page }) => {
    await page.goto('/#/library');
    await expect(page.getByRole('article').first()).toBeVisible();
    await expectFrench(page, 'library');
  });

  test('the table: before, during and after a play, with analysis and files', async ({ page }) => {
    await page.addInitScript(() => localStorage.setItem('analysis', 'on'));
    await page.goto('/#/play?game=gdl/tic-tac-toe');
    await expect(page.getByRole('button', { name: 'Commencer' })).toBeVisible();
    await expectFrench(page, 'set-up');
    await page.goto('/#/play?game=gdl/tic-tac-toe&play=mark+2+2;mark+1+2&seats=x:you,o:you');
    await expect(page.getByText('Résolu.')).toBeVisible();
    for (const summary of ['Places et temps', 'Partager et garder']) await page.getByText(summary, { exact: true }).click();
    await page.getByRole('button', { name: 'Conseil' }).click();
    await expect(page.getByText(/^Conseil : marque/)).toBeVisible();
    await expectFrench(page, 'play');
    await expectAccessible(page);
    await page.goto('/#/play?game=gdl/tic-tac-toe&play=mark+2+2;mark+1+2;mark+1+1;mark+3+3;mark+2+1;mark+3+1;mark+2+3&seats=x:you,o:you');
    await expect(page.getByText('croix gagne').first()).toBeVisible();
    await expectFrench(page, 'over');
  });

  test('a play against the program, and what it thinks', async ({ page }) => {
    await page.goto('/#/play?game=gdl/connect-four&play=drop+4&seats=yellow:you,red:uct&seconds=0.5');
    await expect(page.getByText('À vous, jaune.')).toBeVisible();
    await expectFrench(page, 'thoughts');
    await page.locator('.thoughts .best-line button').first().click();
    await expect(page.getByText(/^Aperçu, étape 1 sur/)).toBeVisible();
    await expectFrench(page, 'looking ahead');
  });

  test('why a move wins', async ({ page }) => {
    await page.goto('/#/why?game=gdl/tic-tac-toe&play=mark+2+2;mark+1+2;mark+1+1');
    await expect(page.getByText('ronds a le trait et perd en 4 coups, quoi qu’on joue.')).toBeVisible();
    await expectFrench(page, 'why');
    await page.goto('/#/why?game=graphs/subtraction-13');
    await expect(page.getByRole('heading', { name: 'Tous les coups d’Alice' })).toBeVisible();
    await expectFrench(page, 'why of a graph');
  });

  test('a mixture', async ({ page }) => {
    await page.addInitScript(() => localStorage.setItem('analysis', 'on'));
    await page.goto('/#/play?game=gdl/rock-paper-scissors-once&play=&seats=left:you,right:you');
    await expect(page.getByText(/mélange, et reçoit 50,00/)).toBeVisible();
    await expectFrench(page, 'mixture');
  });

  test('dice, cards and points', async ({ page }) => {
    for (const game of ['backgammon', 'yahtzee', 'kuhn-poker', 'chess']) {
      await page.goto(`/#/play?game=gdl/${game}`);
      await expect(page.getByRole('button', { name: 'Commencer' })).toBeVisible();
      await expectFrench(page, game);
    }
  });

  test('strategies', async ({ page }) => {
    await page.goto('/#/strategy?game=gdl/tic-tac-toe');
    await page.getByRole('button', { name: 'Résoudre' }).click();
    await expect(page.getByRole('group', { name: /Dessin de la stratégie/ })).toBeVisible();
    await expect(page.locator('.dag-node').first()).toBeVisible();
    await expectFrench(page, 'strategy');
    await page.goto('/#/strategy?game=graphs/subtraction-13&moves=A11');
    await expect(page.getByRole('heading', { name: /^La stratégie de Bob$/ })).toBeVisible();
  });

  test('attractors', async ({ page }) => {
    await page.goto('/#/graph?game=graphs/subtraction-13');
    await expect(page.locator('svg').first()).toBeVisible();
    await expect(page.getByText(/un coup d’Alice y mène|tous les coups d’Alice y mènent/).first()).toBeAttached();
    await expectFrench(page, 'graph');
  });

  test('a search tree', async ({ page }) => {
    await page.goto('/#/tree?game=quantified/nim-fibonacci');
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expectFrench(page, 'tree');
    // To the limit of its events, and to the limit of its time.
    await page.goto('/#/tree?game=quantified/connect-four&with=columns:6,rows:5,aligned:,half:');
    await expect(page.getByRole('textbox', { name: 'columns', exact: true })).toHaveValue('6');
    await page.getByRole('combobox', { name: 'Nombre maximal d’événements' }).selectOption('500');
    await page.getByRole('slider').focus();
    await page.keyboard.press('End');
    await page.route('/api/tree', (route) => route.continue({ postData: JSON.stringify({ ...route.request().postDataJSON(), seconds: 8 }) }));
    await page.getByRole('button', { name: 'Commencer' }).click();
    await expect(page.getByText(/Arrêté avant la fin : limite de temps atteinte\./)).toBeVisible();
    await expectFrench(page, 'tree at its limit', /^([∃∀] )?move\[\d+\]$/);
  });

  test('the editor with its board', async ({ page }) => {
    await page.goto('/#/editor?game=gdl/tic-tac-toe');
    await page.getByText('Le plateau', { exact: true }).click();
    await expect(page.getByRole('group', { name: 'Aperçu' })).toBeVisible();
    await expectFrench(page, 'editor');
  });

  test('the editor with errors, warnings and what it tells of names', async ({ page }) => {
    await page.goto('/#/editor');
    const text = page.getByRole('textbox', { name: 'Texte du jeu' });
    await text.click();
    await page.keyboard.insertText('(role x)\n(init (on 1))\n(<= (next (on ?n)) (does x go))\n(<= (legal x go) (tru (on 1)))\n');
    await expect(page.getByText('✕ Non jouable')).toBeVisible();
    const findings = page.getByRole('region', { name: 'Résultats de la vérification' });
    await expect(findings).toContainText('`tru`');
    await expect(findings).toContainText('la variable ?n dans la tête de `next`');
    await expect(findings).toContainText('ajoutez un littéral qui lie ?n');
    await expect(findings.locator('[lang="en"]')).toHaveCount(0);
    await expectFrench(page, 'editor with errors');
    await text.press('ControlOrMeta+Home');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('F1');
    await expect(page.locator('.cm-name')).toContainText('PLAYER participe au jeu.');
    await page.keyboard.press('F2');
    await expect(page.getByText('Placez d’abord le curseur sur un nom du texte.')).toBeVisible();
  });

  test('tournaments', async ({ page }) => {
    await page.goto('/#/tournament');
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expectFrench(page, 'tournament');
    await page.getByRole('searchbox', { name: 'Chercher dans les jeux' }).fill('nim');
    await page.getByRole('checkbox', { name: /nim/i }).first().check();
    await page.getByRole('spinbutton', { name: 'Rondes' }).fill('500');
    await page.getByRole('spinbutton', { name: 'Secondes par coup' }).fill('0.05');
    await page.route('/api/tournaments', (route) => route.continue({ postData: JSON.stringify({ ...route.request().postDataJSON(), seconds: 1 }) }));
    await page.getByRole('button', { name: 'Commencer' }).click();
    await expect(page.getByText('Terminé avant la fin : limite de temps atteinte')).toBeVisible();
    await expect(page.locator('.tournament-cross')).toBeVisible();
    await expectFrench(page, 'tournament at its limit');
  });

  test.describe('what goes wrong', () => {
    test.use({ complaints: /4\d\d/ });
    test('is said in French', async ({ page }) => {
      await page.goto('/#/play?game=gdl/tic-tac-toe&play=mark+2+2;mark+2+2');
      await expect(page.getByRole('alert')).toHaveText('étape 2 : o ne peut pas jouer « mark 2 2 » ici');
    });
  });
});
