import { expect, expectAccessible, picture, test } from './server';

test('language and colours are switched and remembered', async ({ page }) => {
  await page.goto('/');
  const html = page.locator('html');
  await expect(html).toHaveAttribute('lang', 'en');
  await page.getByRole('button', { name: 'Français' }).click();
  await expect(html).toHaveAttribute('lang', 'fr');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Jeux');
  await expect(page).toHaveTitle('Jeux · Zermelo');

  const paper = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const light = await paper();
  await page.getByLabel('Couleurs').selectOption('dark');
  await expect(html).toHaveAttribute('data-theme', 'dark');
  expect(await paper()).not.toBe(light);
  await expect(page.getByRole('article').first()).toBeVisible();
  await picture(page, 'library-dark');

  await page.reload();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Jeux');
  await expect(html).toHaveAttribute('data-theme', 'dark');
});

test.describe('for a French browser', () => {
  test.use({ locale: 'fr-FR' });
  test('the page begins in French', async ({ page }) => {
    await page.goto('/');
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Jeux');
    await page.getByLabel('Chercher').fill('morpion');
    await expect(page.getByRole('article', { name: 'Morpion', exact: true })).toBeVisible();
    await expectAccessible(page);
  });
});

test('going to a screen moves the focus to its title and names the window', async ({ page }) => {
  await page.goto('/');
  await expect(page.getByRole('article').first()).toBeVisible();
  for (const name of ['Editor', 'Tournaments', 'Games']) {
    const link = page.getByRole('navigation').getByRole('link', { name });
    await link.click();
    await expect(link).toHaveAttribute('aria-current', 'page');
    await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
    await expect(page).toHaveTitle(/.+ · Zermelo/);
  }
});

test.describe('where there is no such game', () => {
  test.use({ complaints: /404/ });
  test('a screen says so', async ({ page }) => {
    await page.goto('/#/editor?game=gdl/no-such-game');
    await expect(page.getByRole('alert')).toBeVisible();
  });
});

test('an address that is none leads to the library', async ({ page }) => {
  await page.goto('/#/nowhere');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Games');
});

test('the first load is small, and quickly of use', async ({ page }) => {
  const client = await page.context().newCDPSession(page);
  await client.send('Network.enable');
  let bytes = 0;
  client.on('Network.loadingFinished', ({ encodedDataLength }) => { bytes += encodedDataLength; });
  // Of use: the games are drawn, and the page answers again.
  await page.addInitScript(() => {
    new MutationObserver((_, observer) => {
      if (!document.querySelector('article')) return;
      observer.disconnect();
      requestAnimationFrame(() => setTimeout(() => performance.mark('of use')));
    }).observe(document, { childList: true, subtree: true });
  });
  await page.goto('/');
  await expect(page.getByRole('article').first()).toBeVisible();
  await page.waitForLoadState('networkidle');
  const after = await page.evaluate(() => performance.getEntriesByName('of use')[0]?.startTime);
  console.log(`first load: ${(bytes / 1000).toFixed(0)} kB transferred, of use after ${after?.toFixed(0)} ms`);
  expect(bytes).toBeLessThan(300_000);
});

test('nothing is asked of other hosts', async ({ page, url }) => {
  const elsewhere: string[] = [];
  page.on('request', (request) => { if (!request.url().startsWith(new URL(url).origin)) elsewhere.push(request.url()); });
  await page.goto('/');
  await expect(page.getByRole('article').first()).toBeVisible();
  await page.goto('/#/editor');
  await expect(page.getByRole('textbox', { name: 'Text of the game' })).toBeVisible();
  expect(elsewhere).toEqual([]);
});
