//! Play: by mouse, by keyboard alone and by touch, in Chromium.

import { describe, expect, test } from 'vitest';
import { startMock } from '../mock.ts';
import { DESKTOP, OUT, PHONE, cell } from './chromium.ts';
import { aMine, playOut } from './game.ts';
import { on, scan, shot } from './room.ts';

describe('Play', () => {
  test('a board is there at once and can be played, hinted, lost, taken back and reviewed', async () => {
    await on('#/play?seed=3', DESKTOP, async (page) => {
      await cell(page, 4, 4).click();
      await page.getByText('3BV').waitFor();
      expect(await cell(page, 4, 4).getAttribute('aria-label')).toContain('open');
      for (const step of ['Is there a safe move?', 'Where should I look?', 'Which cell?', 'Why?']) {
        await page.getByRole('button', { name: step }).click();
        await page.waitForTimeout(80);
      }
      await page.getByText('Yes, there is a safe move.').waitFor();
      await shot(page, 'play-hint-desktop');
      await page.getByLabel('Show how likely each cell is a mine').check();
      await page.waitForTimeout(250);
      expect(await cell(page, 0, 0).getAttribute('aria-label')).toMatch(/% mine/);
      await shot(page, 'play-odds-desktop');
      await cell(page, ...aMine).click();
      await page.getByRole('heading', { name: 'Lost' }).waitFor();
      await page.getByRole('button', { name: 'Review this game' }).click();
      await page.getByText('Move 2: open').waitFor();
      await page.getByText('Luck', { exact: true }).waitFor();
      await page.waitForTimeout(250);
      await shot(page, 'play-review-desktop');
      await scan(page);
      await page.getByRole('button', { name: 'Close' }).click();
      await page.getByRole('button', { name: 'What if not?' }).click();
      await page.getByText('What if', { exact: true }).waitFor();
      await playOut(page, (row, column) => cell(page, row, column).click());
      await page.getByRole('heading', { name: 'Won' }).waitFor();
    });
  });

  test('everything works by keyboard alone', async () => {
    await on('#/play?seed=3', DESKTOP, async (page) => {
      await page.keyboard.press('Tab');
      while (!(await page.evaluate(() => document.activeElement?.localName === 'mine-board'))) await page.keyboard.press('Tab');
      await page.keyboard.press('Control+Home');
      for (let step = 0; step < 4; step += 1) {
        await page.keyboard.press('ArrowDown');
        await page.keyboard.press('ArrowRight');
      }
      await page.keyboard.press('Space');
      expect(await cell(page, 4, 4).getAttribute('aria-label')).toContain('open');
      await page.keyboard.press('Control+Home');
      await page.keyboard.press('f');
      expect(await cell(page, 0, 0).getAttribute('aria-label')).toContain('flag');
      await page.keyboard.press('f');
      await page.keyboard.press('h');
      await page.getByText('Yes, there is a safe move.').waitFor();
      await shot(page, 'play-keyboard-desktop');
      await page.keyboard.press('End');
      await page.keyboard.press('Control+End');
      expect(await page.evaluate(() => document.activeElement?.shadowRoot?.activeElement?.getAttribute('aria-label'))).toContain('row 8, column 8');
      const moves = async (row: number, column: number) => {
        await page.keyboard.press('Control+Home');
        for (let step = 0; step < row; step += 1) await page.keyboard.press('ArrowDown');
        for (let step = 0; step < column; step += 1) await page.keyboard.press('ArrowRight');
        await page.keyboard.press('Enter');
      };
      await moves(...aMine);
      await page.getByRole('heading', { name: 'Lost' }).waitFor();
      await page.keyboard.press('z');
      await page.getByText('What if', { exact: true }).waitFor();
      await page.keyboard.press('n');
      await page.waitForTimeout(60);
      expect(await cell(page, 4, 4).getAttribute('aria-label')).toContain('covered');
    });
  });

  test('on a phone: tap, long press, open and flag', async () => {
    await on('#/play?seed=3', PHONE, async (page) => {
      await cell(page, 4, 4).tap();
      expect(await cell(page, 4, 4).getAttribute('aria-label')).toContain('open');
      await page.getByRole('button', { name: 'Flag' }).tap();
      await cell(page, 0, 0).tap();
      expect(await cell(page, 0, 0).getAttribute('aria-label')).toContain('flag');
      await page.getByRole('button', { name: 'Open', exact: true }).tap();
      const box = (await cell(page, 0, 1).boundingBox())!;
      expect(box.width).toBeGreaterThanOrEqual(36);
      expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
      const touch = await page.context().newCDPSession(page);
      const point = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
      await touch.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [point] });
      await page.waitForTimeout(520);
      await touch.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
      expect(await cell(page, 0, 1).getAttribute('aria-label')).toContain('flag');
      await shot(page, 'play-phone');
      await scan(page);
      // Two fingers make cells larger.
      const width = async () => (await cell(page, 4, 4).boundingBox())!.width;
      const before = await width();
      const pinch = (spread: number) => [{ x: 195 - spread, y: 400, id: 0 }, { x: 195 + spread, y: 400, id: 1 }];
      await touch.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: pinch(40) });
      await touch.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: pinch(60) });
      await touch.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
      expect(await width()).toBeGreaterThan(before);
      await cell(page, ...aMine).evaluate((element) => element.scrollIntoView());
    });
  });

  test('losing and reviewing on a phone', async () => {
    await on(`#/play?seed=3&first=4,4`, PHONE, async (page) => {
      await cell(page, ...aMine).tap();
      await page.getByRole('button', { name: 'Review this game' }).tap();
      await page.getByText('Move 2: open').waitFor();
      await page.waitForTimeout(250);
      await page.screenshot({ path: `${OUT}play-review-phone.png`, fullPage: true });
      expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
    });
  });

  test('a link brings the same board, a wish asks the engine, another shape plays', async () => {
    await on('#/play?seed=3&first=4,4', DESKTOP, async (page) => {
      expect(await cell(page, 4, 4).getAttribute('aria-label')).toContain('open');
      await page.getByRole('button', { name: 'Rules' }).click();
      await page.getByLabel('No guesses needed').check();
      const wish = page.waitForResponse((answer) => answer.url().endsWith('/api/v1/boards'));
      await cell(page, 4, 4).click();
      expect((await wish).ok()).toBe(true);
      await page.waitForTimeout(100);
      expect(await cell(page, 4, 4).getAttribute('aria-label')).toContain('open');
      await page.getByLabel('No guesses needed').uncheck();
      await page.getByLabel('Shape').selectOption('hex');
      await cell(page, 4, 4).click();
      await page.waitForTimeout(100);
      await shot(page, 'play-hex-desktop');
    });
  });

  test('without the engine the board still plays, and help says kindly what is missing', async () => {
    const mock = await startMock();
    mock.broken = { status: 503, problem: { title: 'busy', status: 503 } };
    await on('#/play?seed=3', DESKTOP, async (page) => {
      await cell(page, 4, 4).click();
      await page.getByRole('button', { name: 'Is there a safe move?' }).click();
      await page.getByText('The engine is busy').waitFor();
      await shot(page, 'play-fault-desktop');
    }, /503/, mock.url);
    await mock.close();
  });

  test('dark, on a large screen, expert', async () => {
    await on('#/play?board=30x16x99&seed=12&first=7,15', { viewport: { width: 1680, height: 1000 }, colorScheme: 'dark' }, async (page) => {
      await page.waitForTimeout(200);
      await shot(page, 'play-expert-dark');
      await scan(page);
    });
  });
});
