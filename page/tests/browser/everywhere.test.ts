//! What holds in every room, in Chromium.

import { describe, expect, test } from 'vitest';
import { startEngine } from '../engine.ts';
import { REAL } from '../engine.ts';
import { DESKTOP, OUT, PHONE, cell } from './chromium.ts';
import { browser, on, scan, shot } from './room.ts';

describe('Everywhere', () => {
  test('settings: theme, keys, palette', async () => {
    await on('#/play?seed=3&first=4,4', DESKTOP, async (page) => {
      await page.getByRole('button', { name: 'Settings' }).click();
      await page.getByRole('button', { name: 'Dark' }).click();
      expect(await page.evaluate(() => document.documentElement.dataset.theme)).toBe('dark');
      expect(await page.evaluate(() => getComputedStyle(document.body).backgroundColor)).toBe('rgb(16, 20, 24)');
      await page.getByRole('button', { name: /^Change Flag: F/ }).click();
      await page.keyboard.press('x');
      await page.getByRole('button', { name: /^Change Flag: X or F/ }).waitFor();
      await shot(page, 'settings-dark');
      await scan(page);
      await page.keyboard.press('Escape');
      await cell(page, 0, 0).focus();
      await page.keyboard.press('x');
      expect(await cell(page, 0, 0).getAttribute('aria-label')).toContain('flag');
    });
  });

  test('the narrowest phone scrolls only downward', async () => {
    for (const room of ['#/play', '#/analyze', '#/watch?agents=lowest-risk~single-point&board=9x9x10&start=safe&seed=3', '#/lab', '#/lab/runs', '#/lab/papers/s000-t2', '#/lab/artifacts/lowest-risk-depth-8.tree', ...(REAL ? ['#/watch?agents=tree~mio&board=9x9x10&start=safe&seed=3'] : [])]) {
      await on(room, { ...PHONE, viewport: { width: 360, height: 740 } }, async (page) => {
        await page.waitForTimeout(room.includes('tree~mio') ? 1500 : 400);
        expect(await page.evaluate(() => document.documentElement.scrollWidth), room).toBeLessThanOrEqual(360);
      });
    }
  });

  test('a reload keeps the game, and the page opens without the server', async () => {
    const server = await startEngine();
    const context = await browser.newContext(DESKTOP);
    const page = await context.newPage();
    await page.goto(`${server.url}#/play?seed=3`);
    await page.evaluate(() => navigator.serviceWorker.ready);
    await cell(page, 4, 4).click();
    await cell(page, 0, 0).click({ button: 'right' });
    await page.reload();
    expect(await cell(page, 0, 0).getAttribute('aria-label')).toContain('flag');
    await server.close();
    await page.reload();
    expect(await cell(page, 0, 0).getAttribute('aria-label')).toContain('flag');
    await page.getByRole('button', { name: 'New board' }).click();
    await cell(page, 4, 4).click();
    expect(await cell(page, 4, 4).getAttribute('aria-label')).toContain('open');
    await page.getByRole('link', { name: 'Analyze', exact: true }).click();
    await page.getByRole('alert').getByText('The engine cannot be reached').waitFor();
    await page.screenshot({ path: `${OUT}analyze-offline.png` });
    await context.close();
  });

  test('with system colors forced', async () => {
    await on('#/play?seed=3&first=4,4', { ...DESKTOP, forcedColors: 'active', reducedMotion: 'reduce' }, async (page) => {
      await page.waitForTimeout(200);
      await shot(page, 'play-forced-colors');
    });
  });
});
