//! Play: by mouse, by keyboard alone and by touch, at beginner and expert size, in Chromium.

import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { unpackGame } from '../../src/state/games.ts';
import { parseRoute } from '../../src/state/url.ts';
import { DESKTOP, PHONE, cell, label, settled } from './chromium.ts';
import { EXPERT, aMine, expert, layout, mineOf, playOut } from './game.ts';
import { expectPainted } from './pixels.ts';
import { on, scan, shot } from './room.ts';
import { expectLargeTargets, expectNoSideways, swipe } from './touch.ts';


/** What the board said last. */
const said = (page: Page) => page.locator('mine-board').evaluate((board) => board.shadowRoot!.querySelector('.live')!.textContent);


/** The game that the Review room was asked to show. */
async function reviewed(page: Page) {
  await page.waitForURL(/#\/review\?/);
  const { query } = parseRoute(new URL(page.url()).hash);
  return (await unpackGame(query.get('game') ?? ''))!;
}

/** Asks for all four steps of a hint. */
async function askHint(page: Page): Promise<void> {
  await settled(page);
  for (const step of ['Is there a safe move?', 'Where should I look?', 'Which cell?', 'Why?']) await page.getByRole('button', { name: step }).click();
  await page.getByRole('button', { name: 'Why?' }).waitFor({ state: 'detached' });
}

describe('Play', () => {
  test('a board is there at once and can be played, hinted, lost, undone, won and reviewed', async () => {
    await on('#/play?seed=3', DESKTOP, async (page) => {
      await cell(page, 4, 4).click();
      expect(await label(page, 4, 4)).toContain('open');
      expect(await said(page)).toMatch(/^Opened \d+ cells\.$/);
      await expect.poll(() => page.getByText('3BV').count(), { timeout: 5000 }).toBe(0);
      await askHint(page);
      const lines = await page.getByLabel('Hints').locator('.words p').allTextContents();
      expect(lines[0]).toBe('Yes, there is a safe move.');
      expect(new Set(lines).size).toBe(lines.length);
      await page.getByText('1 hint', { exact: true }).waitFor();
      await shot(page, 'play-hint-desktop');
      await page.getByLabel('Odds: how likely each cell is a mine').check();
      await page.getByText('1 hint, odds shown').waitFor();
      expect(await label(page, 0, 0)).toMatch(/% mine/);
      await page.getByText('proved safe').waitFor();
      await shot(page, 'play-odds-desktop');
      await cell(page, ...aMine).click();
      await page.getByRole('heading', { name: 'Lost' }).waitFor();
      await page.getByRole('button', { name: 'Undo and keep playing' }).click();
      await page.getByText('Practice (move undone)').waitFor();
      await playOut(page, (row, column) => cell(page, row, column).click());
      await page.getByRole('heading', { name: 'Won' }).waitFor();
      await page.getByText('1 hint, 1 move undone, odds shown. Games with help').waitFor();
      // All mines carry flags now, and none is left.
      expect(await page.locator('.readouts dd').first().textContent()).toBe('0');
      expect(await label(page, ...aMine)).toContain('flag');
      await scan(page);
      await page.getByRole('button', { name: 'Review this game' }).click();
      const record = await reviewed(page);
      expect(record.outcome).toBe('won');
      expect(record.help).toMatchObject({ odds: true, hints: [{ at: 1, level: 4 }], undone: [{ at: 1, move: { action: 'open', cell: aMine } }] });
      await page.goBack();
      await page.getByRole('heading', { name: 'Won' }).waitFor();
      await page.getByText('1 hint, 1 move undone, odds shown. Games with help').waitFor();
    });
  });

  test('expert: every cell is painted, with odds, without them, with a hint and after a loss', async () => {
    for (const colorScheme of ['light', 'dark'] as const) {
      await on(EXPERT, { ...DESKTOP, colorScheme }, async (page) => {
        await cell(page, 7, 15).click();
        await expectPainted(page);
        await askHint(page);
        // The hint names rows and columns, so the rulers are there.
        await expectPainted(page);
        expect(await page.evaluate(() => document.querySelector('mine-board')!.geometry.gutter)).toBeGreaterThan(0);
        await shot(page, `play-expert-hint-${colorScheme}`);
        const odds = page.getByLabel('Odds: how likely each cell is a mine');
        await odds.check();
        await page.getByText('odds shown').waitFor();
        await expectPainted(page);
        await shot(page, `play-expert-odds-${colorScheme}`);
        await odds.uncheck();
        await page.getByText('proved safe').waitFor({ state: 'detached' });
        await expectPainted(page);
        await cell(page, ...mineOf(expert)).click();
        await page.getByRole('heading', { name: 'Lost' }).waitFor();
        await expectPainted(page);
        await shot(page, `play-expert-lost-${colorScheme}`);
        await scan(page);
        await page.getByRole('button', { name: 'New board' }).click();
        await expectPainted(page);
      });
    }
  });

  test('everything works by keyboard alone, and is said aloud', async () => {
    await on('#/play?seed=3', DESKTOP, async (page) => {
      await page.keyboard.press('Tab');
      while (!(await page.evaluate(() => document.activeElement?.localName === 'mine-board'))) await page.keyboard.press('Tab');
      const goTo = async (row: number, column: number) => {
        await page.keyboard.press('Control+Home');
        for (let step = 0; step < row; step += 1) await page.keyboard.press('ArrowDown');
        for (let step = 0; step < column; step += 1) await page.keyboard.press('ArrowRight');
      };
      await goTo(4, 4);
      await page.keyboard.press('Space');
      expect(await label(page, 4, 4)).toContain('open');
      await goTo(0, 0);
      await page.keyboard.press('f');
      expect(await label(page, 0, 0)).toContain('flag');
      expect(await said(page)).toBe('Flag placed. 9 mines left.');
      await page.keyboard.press('f');
      expect(await said(page)).toBe('Flag removed. 10 mines left.');
      await page.keyboard.press('h');
      await page.getByText('Yes, there is a safe move.').waitFor();
      await page.keyboard.press('Control+End');
      expect(await page.evaluate(() => document.activeElement?.shadowRoot?.activeElement?.getAttribute('aria-label'))).toContain('row 8, column 8');
      await goTo(...aMine);
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'Lost' }).waitFor();
      await page.keyboard.press('z');
      await page.getByText('Practice (move undone)').waitFor();
      await page.keyboard.press('r');
      expect(await label(page, 4, 4)).toContain('start here');
      await page.keyboard.press('n');
      expect(await label(page, 4, 4)).toContain('covered');
    });
  });

  test('an opened number is said by its row, its column and itself', async () => {
    await on('#/play?board=8x1x1&start=safe&cascade=off&seed=4', DESKTOP, async (page) => {
      await cell(page, 0, 0).click();
      await expect.poll(() => said(page)).toMatch(/^Row 0, column 0: (1|empty, no mines around)\.$/);
    });
  });

  test('on a phone: tap, long press, open and flag', async () => {
    await on('#/play?seed=3', PHONE, async (page) => {
      const tap = page.getByRole('group', { name: 'A tap on a covered cell' });
      await cell(page, 4, 4).tap();
      expect(await label(page, 4, 4)).toContain('open');
      await tap.getByRole('button', { name: 'Flag' }).tap();
      await cell(page, 0, 0).tap();
      expect(await label(page, 0, 0)).toContain('flag');
      await tap.getByRole('button', { name: 'Open' }).tap();
      const box = (await cell(page, 0, 1).boundingBox())!;
      expect(box.width).toBeGreaterThanOrEqual(36);
      await expectNoSideways(page);
      await expectLargeTargets(page);
      const touch = await page.context().newCDPSession(page);
      const point = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
      await touch.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [point] });
      await page.waitForTimeout(520);
      await touch.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
      expect(await label(page, 0, 1)).toContain('flag');
      await expectPainted(page);
      await shot(page, 'play-phone');
      await scan(page);
      // A swipe that begins on the board scrolls the page.
      expect(await swipe(page, { x: 195, y: 400 }, -250)).toBeGreaterThan(100);
      expect(await swipe(page, { x: 195, y: 300 }, 400)).toBeLessThan(-100);
      // Two fingers make cells larger.
      const width = async () => (await cell(page, 4, 4).boundingBox())!.width;
      const before = await width();
      const pinch = (spread: number) => [{ x: 195 - spread, y: 400, id: 0 }, { x: 195 + spread, y: 400, id: 1 }];
      await touch.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: pinch(40) });
      await touch.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: pinch(60) });
      await touch.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
      expect(await width()).toBeGreaterThan(before);
    });
  });

  test('a phone game of expert from the first tap to the Review room, with touch alone', { timeout: 180_000 }, async () => {
    await on(EXPERT, PHONE, async (page) => {
      const tool = page.getByRole('group', { name: 'A tap on a covered cell' });
      const clearOfTheBar = async () => {
        const [bar, box] = [(await page.getByRole('navigation').boundingBox())!, (await tool.boundingBox())!];
        expect(box.y + box.height).toBeLessThanOrEqual(bar.y);
        expect(box.y).toBeGreaterThan(48);
      };
      await clearOfTheBar();
      await cell(page, 7, 15).tap();
      await clearOfTheBar();
      await expectPainted(page);
      await shot(page, 'play-expert-phone');
      // A finger on the board scrolls it to its end, and then the page.
      const swipes = [];
      for (let i = 0; i < 4; i += 1) swipes.push(await swipe(page, { x: 195, y: 600 }, -350));
      expect(Math.max(...swipes)).toBeGreaterThan(50);
      expect(await label(page, 0, 0)).toContain('covered');
      await page.evaluate(() => scrollTo(0, 0));
      await tool.getByRole('button', { name: 'Flag' }).tap();
      await cell(page, ...mineOf(expert)).tap();
      expect(await label(page, ...mineOf(expert))).toContain('flag');
      await tool.getByRole('button', { name: 'Open' }).tap();
      await playOut(page, (row, column) => cell(page, row, column).tap(), expert);
      await page.getByRole('heading', { name: 'Won' }).waitFor();
      await expectPainted(page);
      await expectNoSideways(page);
      await expectLargeTargets(page);
      await page.getByRole('button', { name: 'Review this game' }).tap();
      const record = await reviewed(page);
      expect([record.outcome, record.help]).toEqual(['won', undefined]);
    });
  });

  test('a link waits for the player, and brings the same board', async () => {
    await on('#/play?seed=3&first=4,4', DESKTOP, async (page) => {
      await page.waitForTimeout(1200);
      expect(await label(page, 4, 4)).toBe('row 4, column 4, covered, start here');
      expect(await page.locator('.readouts dd').nth(1).textContent()).toBe('0\u00a0s');
      await shot(page, 'play-link-desktop');
      // Another first cell would mean other mines.
      await cell(page, 0, 0).click();
      expect(await label(page, 0, 0)).toContain('covered');
      await page.getByText('This board starts at row 4, column 4, the marked cell.').waitFor();
      await cell(page, 4, 4).click();
      expect(await label(page, 4, 4)).toContain('open');
      await page.evaluate(() => Object.defineProperty(navigator, 'clipboard', { value: { writeText: async (text: string) => void (document.title = text) } }));
      await page.getByRole('button', { name: 'Share', exact: true }).click();
      await page.getByRole('button', { name: 'Share board' }).click();
      expect(await page.title()).toMatch(/#\/play\?board=9x9x10&seed=3&first=4,4$/);
      await page.getByRole('button', { name: 'Share', exact: true }).click();
      await shot(page, 'play-share-desktop');
      await page.getByRole('button', { name: 'Share position' }).click();
      expect(await page.title()).toMatch(/#\/analyze\?mines=10&rows=/);
      await cell(page, ...aMine).click();
      await page.getByRole('heading', { name: 'Lost' }).waitFor();
      await page.getByRole('button', { name: 'Restart' }).click();
      await page.getByText('Practice (same board)').waitFor();
      expect(await label(page, 4, 4)).toContain('start here');
    });
  });

  test('a link that asks for the impossible says what is allowed', async () => {
    await on('#/play?board=999x999x1&first=x', DESKTOP, async (page) => {
      await page.getByText('Width and height go from 1 to 100.').waitFor();
      await page.getByText('Write row,column, such as 4,4.').waitFor();
      await expect.poll(() => page.locator('mine-board').count(), { timeout: 5000 }).toBe(0);
      await scan(page);
      await page.getByRole('link', { name: 'Play a beginner board' }).click();
      expect(await label(page, 8, 8)).toContain('covered');
    });
  });

  test('rules in force are shown, a wish asks the engine, another shape plays', async () => {
    await on('#/play?seed=3', DESKTOP, async (page) => {
      const chips = page.getByRole('list', { name: 'Rules in force' });
      await expect.poll(() => chips.count(), { timeout: 5000 }).toBe(0);
      await page.getByRole('button', { name: 'Rules' }).click();
      await page.getByLabel('No guesses needed').check();
      await cell(page, 4, 4).click();
      expect(await label(page, 4, 4)).toContain('open');
      await page.getByLabel('No guesses needed').uncheck();
      await page.getByLabel('Shape').selectOption('hex');
      await page.getByLabel(/^Clues/).selectOption('cautious');
      await page.getByRole('button', { name: 'Rules' }).click();
      expect(await chips.getByRole('listitem').allTextContents()).toEqual(['Hexagons', 'Cautious clues']);
      await cell(page, 4, 4).click();
      await expectPainted(page);
      await shot(page, 'play-hex-desktop');
    });
  });

  test('numbers that can be chorded are outlined on request', async () => {
    await on('#/play?seed=3', DESKTOP, async (page) => {
      await cell(page, 4, 4).click();
      await page.getByLabel('Numbers that can be chorded').check();
      await expect.poll(() => page.getByRole('gridcell', { name: /chord possible/ }).count(), { timeout: 5000 }).toBe(0);
      for (let at = 0; at < 81; at += 1) if (layout.isMine(at)) await cell(page, ...layout.shape.place(at)).click({ button: 'right' });
      const possible = page.getByRole('gridcell', { name: /chord possible/ });
      await expect.poll(() => possible.count(), { timeout: 5000 }).toBeGreaterThan(0);
      await shot(page, 'play-chords-desktop');
      const name = (await possible.first().getAttribute('aria-label'))!;
      await possible.first().click();
      await expect.poll(() => page.getByRole('gridcell', { name }).count(), { timeout: 5000 }).toBe(0);
    });
  });

  test('a game in progress outlives a reload, with its help; so does one of an earlier version', async () => {
    await on('#/play?seed=3', DESKTOP, async (page) => {
      await cell(page, 4, 4).click();
      await page.getByRole('button', { name: 'Is there a safe move?' }).click();
      await page.getByText('1 hint', { exact: true }).waitFor();
      await page.reload();
      expect(await label(page, 4, 4)).toContain('open');
      await page.getByText('1 hint', { exact: true }).waitFor();
      // Earlier versions kept the address and the record alone.
      await page.addInitScript(() => {
        const { address, record } = JSON.parse(sessionStorage.getItem('deminer-game')!) as { address: string; record: { help?: unknown } };
        delete record.help;
        sessionStorage.setItem('deminer-game', JSON.stringify({ address, record }));
      });
      await page.reload();
      expect(await label(page, 4, 4)).toContain('open');
      await expect.poll(() => page.getByText('1 hint', { exact: true }).count(), { timeout: 5000 }).toBe(0);
      await cell(page, ...aMine).click();
      await page.getByRole('heading', { name: 'Lost' }).waitFor();
    });
  });

  test('an engine that cannot be loaded is told, and tried again', async () => {
    await on('#/nowhere', DESKTOP, async (page) => {
      await page.route('**/*.wasm', (route) => route.abort());
      await page.evaluate(() => (location.hash = '#/play?seed=3'));
      await cell(page, 4, 4).click();
      await page.getByRole('alert').getByText('The engine could not be loaded').waitFor();
      await shot(page, 'play-fault-desktop');
      await page.unroute('**/*.wasm');
      await cell(page, 4, 4).click();
      expect(await label(page, 4, 4)).toContain('open');
    }, /ERR_FAILED/);
  });
});
