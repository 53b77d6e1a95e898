//! What holds in every room, in Chromium.

import { describe, expect, test } from 'vitest';
import { EXAMPLE } from '../../src/rooms/review/example.ts';
import { startEngine } from '../engine.ts';
import { DESKTOP, OUT, PHONE, cell, label, settled } from './chromium.ts';
import { browser, engine, on, scan, shot } from './room.ts';

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
      expect(await label(page, 0, 0)).toContain('flag');
    });
  });

  const ROOMS = ['#/play', '#/play?board=30x16x99&seed=5', '#/learn', '#/learn/best-guess/1', '#/analyze', '#/review', `#/review?game=${EXAMPLE}&move=154`, '#/watch?agents=lowest-risk~single-point&board=9x9x10&start=safe&seed=3', '#/lab', '#/lab/runs', '#/nowhere'];

  test.each(['light', 'dark'] as const)('every room can be used by everyone, in %s', { timeout: 120_000 }, async (colorScheme) => {
    await on('#/play', { ...DESKTOP, colorScheme }, async (page) => {
      for (const room of ROOMS) {
        await page.goto(engine.url + room);
        await page.waitForTimeout(700);
        await scan(page);
      }
    });
  });

  test('the narrowest phone scrolls only downward, and nothing lies under the bar of the rooms', { timeout: 120_000 }, async () => {
    for (const room of [...ROOMS, '#/lab/papers/s000-t2', '#/lab/artifacts/lowest-risk-depth-8.tree', '#/watch?agents=tree~mio&board=9x9x10&start=safe&seed=3']) {
      await on(room, { ...PHONE, viewport: { width: 360, height: 740 } }, async (page) => {
        await page.waitForTimeout(room.includes('tree~mio') ? 1500 : 700);
        expect(await page.evaluate(() => document.documentElement.scrollWidth), room).toBeLessThanOrEqual(360);
        const tabs = page.getByRole('navigation', { name: 'Rooms' }).getByRole('link');
        await expect.poll(() => tabs.count(), { timeout: 5000 }).toBe(6);
        for (const tab of await tabs.all()) expect((await tab.boundingBox())!.height).toBeGreaterThanOrEqual(44);
        expect((await page.getByRole('button', { name: 'Open', exact: true }).first().boundingBox())!.height, room).toBeGreaterThanOrEqual(44);
        await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
        const under = await page.evaluate(() => {
          const bar = document.querySelector('nav[aria-label=Rooms]')!.getBoundingClientRect();
          const controls = [...document.querySelectorAll('main button, main a, main input, main select')].filter((one) => (one as HTMLElement).offsetParent !== null && getComputedStyle(one).position !== 'sticky');
          return Math.max(0, ...controls.map((one) => one.getBoundingClientRect().bottom)) - bar.top;
        });
        expect(under, room).toBeLessThanOrEqual(0);
      });
    }
  });

  test('addresses that name nothing say so, and lead on', async () => {
    await on('#/nowhere', DESKTOP, async (page) => {
      await page.getByRole('heading', { name: 'Not found' }).last().waitFor();
      await page.getByText('There is no page at #/nowhere.').waitFor();
      expect(await page.title()).toBe('Not found · deminer');
      await shot(page, 'not-found-desktop');
      await page.getByRole('main').getByRole('link', { name: 'Analyze' }).click();
      await page.getByRole('grid').first().waitFor();
      await page.goto(`${engine.url}#/play/nothing`);
      await page.getByText('There is no page at #/play/nothing.').waitFor();
    });
  });

  test('links of earlier versions open', async () => {
    await on('#/analyse?mines=3&rows=D-A12A-D', DESKTOP, async (page) => {
      expect(await label(page, 1, 2)).toContain('2');
      await page.goto(`${engine.url}#/play?board=30x16x99&start=safe&seed=5&first=0,0`);
      await expect.poll(() => page.getByRole('gridcell').count(), { timeout: 5000 }).toBe(480);
      await page.goto(`${engine.url}#/watch?agents=single-point&board=9x9x10&start=safe&seed=3&move=3`);
      await page.getByRole('grid').first().waitFor();
      await page.goto(`${engine.url}#/lab/papers/s000-t2`);
      await page.getByRole('main').getByRole('table').first().waitFor();
    });
  });

  test('tabs lead back to where a room was left', async () => {
    await on('#/analyze?mines=3&rows=D-A12A-D', DESKTOP, async (page) => {
      await page.getByRole('grid').first().waitFor();
      const rooms = page.getByRole('navigation', { name: 'Rooms' });
      await rooms.getByRole('link', { name: 'Lab' }).click();
      await page.waitForURL(/lab/);
      await rooms.getByRole('link', { name: 'Analyze' }).click();
      await page.waitForURL(/rows=D-A12A-D/);
      await page.getByRole('link', { name: 'Skip to content' }).focus();
      await page.keyboard.press('Enter');
      expect(await page.evaluate(() => document.activeElement?.id)).toBe('main');
    });
  });

  test('a reload keeps the game, and the page opens without the server', async () => {
    const server = await startEngine();
    const context = await browser.newContext(DESKTOP);
    const page = await context.newPage();
    await page.goto(`${server.url}#/play?seed=3`);
    await page.evaluate(() => navigator.serviceWorker.ready);
    await cell(page, 4, 4).click();
    await cell(page, 0, 0).click({ button: 'right' });
    await settled(page);
    await page.reload();
    expect(await label(page, 0, 0)).toContain('flag');
    await server.close();
    await page.reload();
    expect(await label(page, 0, 0)).toContain('flag');
    await page.getByRole('button', { name: 'New board' }).click();
    await cell(page, 4, 4).click();
    expect(await label(page, 4, 4)).toContain('open');
    await page.getByRole('link', { name: 'Analyze', exact: true }).click();
    await page.getByRole('region', { name: 'Best move' }).getByRole('button', { name: 'row 4, column 1' }).waitFor();
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
