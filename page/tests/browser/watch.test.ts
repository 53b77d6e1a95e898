//! Watch, in Chromium: at beginner and expert size, with one to four agents.

import type { BrowserContextOptions, Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { MINE } from '../../src/game/face.ts';
import { DESKTOP, PHONE } from './chromium.ts';
import { expectPainted } from './pixels.ts';
import { on, scan, shot } from './room.ts';
import { expectLargeTargets, expectNoSideways } from './touch.ts';

const WIDE: BrowserContextOptions = { viewport: { width: 1920, height: 1080 } };
const DARK: BrowserContextOptions = { ...DESKTOP, colorScheme: 'dark' };
const TWO = '#/watch?agents=lowest-risk~single-point&board=9x9x10&start=safe&seed=3&move=3';
const FOUR = '#/watch?agents=lowest-risk~single-point~cs520~pseq&board=30x16x99&seed=3&move=30';

/** The moves of all games have arrived. */
async function arrived(page: Page): Promise<void> {
  const reviews = page.getByRole('button', { name: 'Review', exact: true });
  await expect.poll(async () => (await reviews.count()) > 0 && (await reviews.evaluateAll((buttons) => buttons.every((button) => !(button as HTMLButtonElement).disabled))), { timeout: 20_000 }).toBe(true);
}

/** The boards and the bar below them, where they are on the screen. */
function places(page: Page): Promise<{ boards: { top: number; bottom: number; unit: number }[]; bar: number }> {
  return page.evaluate(() => ({
    boards: [...document.querySelectorAll('mine-board')].map((board) => ({ top: board.getBoundingClientRect().top, bottom: board.getBoundingClientRect().bottom, unit: board.unit })),
    bar: document.querySelector('[aria-label=Playback]')!.getBoundingClientRect().top,
  }));
}

describe('Watch', () => {
  test('two agents on the same board, stepped and scrubbed; the address holds the move', async () => {
    await on(TWO, DESKTOP, async (page) => {
      await page.getByText('3/21').waitFor();
      await expectPainted(page, 0);
      await expectPainted(page, 1);
      await shot(page, 'watch-desktop');
      await scan(page);
      await page.getByRole('button', { name: 'One move on' }).click();
      await page.getByText('4/21').waitFor();
      expect(page.url()).toContain('move=4');
      await page.getByRole('button', { name: 'Frontier' }).click();
      await page.getByRole('slider', { name: 'Move' }).fill('12');
      await page.getByText('12/21').waitFor();
      await expectPainted(page, 0);
      await page.getByRole('button', { name: 'Play', exact: true }).click();
      await page.waitForTimeout(500);
      await page.getByRole('button', { name: 'Pause' }).click();
      await page.getByRole('slider', { name: 'Move' }).fill('21');
      await page.getByText('won', { exact: true }).first().waitFor();
      await page.getByText(/^Won after 21 moves/).first().waitFor();
      await expect.poll(() => page.getByText(/ms thinking time/).count(), { timeout: 5000 }).toBeGreaterThan(0);
      for (const name of ['Belief', 'Chains', 'Frontier']) expect((await page.getByRole('button', { name }).getAttribute('title'))!.length).toBeGreaterThan(30);
    });
  });

  test.each([['1920x1080', WIDE, 20], ['1280x800', DESKTOP, 16], ['1280x800 dark', DARK, 16]] as const)('four agents on expert at %s fill the room, and the bar covers no board', async (size, options, least) => {
    await on(FOUR, options, async (page) => {
      await arrived(page);
      await page.getByText(/^30\//).waitFor();
      for (let board = 0; board < 4; board += 1) expect((await expectPainted(page, board)).unit).toBeGreaterThanOrEqual(least);
      await shot(page, `watch-four-${size.replace(' ', '-')}`);
      await scan(page);
      const last = page.locator('mine-board').last();
      await last.evaluate((board) => board.closest('.pane')!.scrollIntoView({ block: 'end' }));
      const { boards, bar } = await places(page);
      expect(boards.at(-1)!.bottom).toBeLessThanOrEqual(bar);
      if (options === WIDE) expect(boards.every(({ top, bottom }) => top > 0 && bottom <= bar)).toBe(true);
      await page.getByRole('group', { name: 'Zoom' }).first().getByRole('button', { name: 'Larger cells' }).click();
      expect((await places(page)).boards[0]!.unit).toBeGreaterThan(boards[0]!.unit);
      await expectPainted(page, 0);
    });
  });

  test('the mines can be marked on the board, or shown beside what the agent sees', async () => {
    await on(FOUR.replace('~cs520~pseq', ''), WIDE, async (page) => {
      await arrived(page);
      const before = await page.locator('mine-board').first().screenshot();
      await page.getByRole('button', { name: 'Show mines' }).click();
      await expectPainted(page, 0);
      expect((await page.locator('mine-board').first().screenshot()).equals(before)).toBe(false);
      await page.getByRole('button', { name: 'Side by side' }).click();
      await page.getByText('The whole board').first().waitFor();
      await expect.poll(() => page.locator('mine-board').count(), { timeout: 5000 }).toBe(4);
      for (let board = 0; board < 4; board += 1) await expectPainted(page, board);
      const mines = await page.evaluate((mine) => {
        const board = document.querySelectorAll('mine-board')[1]!;
        return Array.from({ length: board.shape.size }, (_, cell) => board.face(cell)).filter((face) => face === mine).length;
      }, MINE);
      expect(mines).toBe(99);
      await shot(page, 'watch-beside-1920x1080');
    });
  });

  test('an agent is found in the list, with its options, and written as text', async () => {
    await on(TWO, DESKTOP, async (page) => {
      await arrived(page);
      await page.getByRole('button', { name: 'Agent: single-point' }).click();
      const dialog = page.getByRole('dialog', { name: 'Choose: Agent' });
      await page.getByRole('combobox', { name: 'Search agents' }).fill('five stages');
      await dialog.getByRole('option', { name: /^cs520 / }).waitFor();
      await expect.poll(() => dialog.getByRole('listbox', { name: 'Agents' }).getByRole('option').count(), { timeout: 5000 }).toBe(1);
      await dialog.getByLabel(/^aside /).selectOption('sound');
      await dialog.getByText(/Inference-Informed Action/).waitFor();
      expect(await dialog.getByLabel('Agent and options as text').inputValue()).toBe('cs520:aside=sound');
      await scan(page);
      await shot(page, 'watch-chooser');
      await page.getByRole('combobox', { name: 'Search agents' }).fill('');
      await page.keyboard.press('Enter');
      await dialog.waitFor({ state: 'detached' });
      await page.getByRole('button', { name: 'Agent: cs520:aside=sound' }).waitFor();
      expect(decodeURIComponent(page.url())).toContain('agents=lowest-risk~cs520:aside=sound');
      expect(page.url()).toContain('move=3');
    });
  });

  test('agents that do not play the rules say so', async () => {
    await on(TWO.replace('9x9x10', '9x9x10&shape=hex'), DARK, async (page) => {
      await arrived(page);
      await page.getByRole('button', { name: 'Agent: single-point' }).click();
      await page.getByRole('combobox', { name: 'Search agents' }).fill('gp');
      await page.getByRole('option', { name: /^gp Does not play this shape/ }).click({ force: true });
      expect(await page.getByRole('button', { name: 'Choose', exact: true }).isDisabled()).toBe(true);
      await scan(page);
    });
  });

  test('coming back from other rooms finds the games where they were', async () => {
    await on(TWO, DESKTOP, async (page) => {
      await arrived(page);
      let played = 0;
      page.on('request', (request) => (played += Number(request.url().endsWith('/play'))));
      await page.getByRole('button', { name: 'One move on' }).click();
      await page.getByText('4/21').waitFor();
      await page.getByRole('link', { name: 'Analyze', exact: true }).nth(1).click();
      await page.getByRole('region', { name: 'Best move' }).waitFor();
      await page.goBack();
      await page.getByText('4/21').waitFor();
      await page.getByRole('button', { name: 'Review', exact: true }).first().click();
      await page.waitForURL(/#\/review\?/);
      await page.getByRole('link', { name: 'Watch' }).click();
      await page.getByText('4/21').waitFor();
      expect(played).toBe(0);
    });
  });

  test('links to kept games of earlier versions lead to the Review room', async () => {
    await on('#/watch?record=nothing', DESKTOP, async (page) => {
      await page.waitForURL(/#\/review\?record=nothing/);
    }, /nothing/);
  });

  test('an agent whose file cannot be loaded says so, and is tried again', async () => {
    await on('#/play', DESKTOP, async (page) => {
      await page.route('**/weights/**', (route) => route.abort());
      await page.evaluate(() => (location.hash = '#/watch?agents=tree:lowest-risk-depth-8&board=9x9x10&start=safe&seed=3'));
      const fault = page.getByRole('alert').filter({ hasText: 'This part of the page could not be loaded' });
      await fault.waitFor();
      await expect.poll(() => page.getByText('Thinking…').count(), { timeout: 5000 }).toBe(0);
      await page.unroute('**/weights/**');
      await page.getByRole('button', { name: 'Try again' }).click();
      await arrived(page);
      await expect.poll(() => fault.count(), { timeout: 5000 }).toBe(0);
    }, /ERR_FAILED/);
  });

  test.each([['beginner', 'light'], ['beginner', 'dark'], ['expert', 'light'], ['expert', 'dark']] as const)('on a phone, %s, %s', async (level, colorScheme) => {
    await on(level === 'beginner' ? TWO : FOUR, { ...PHONE, colorScheme }, async (page) => {
      await arrived(page);
      await page.getByText(level === 'beginner' ? '3/21' : /^30\//).waitFor();
      await expectPainted(page, 0);
      await shot(page, `watch-phone-${level}-${colorScheme}`);
      await scan(page);
      await page.getByRole('button', { name: 'Setup' }).tap();
      await expectNoSideways(page);
      await expectLargeTargets(page);
      await page.getByRole('button', { name: /^Agent: lowest-risk/ }).tap();
      await expectLargeTargets(page, 'dialog[open]');
      await scan(page);
      await page.getByRole('option', { name: /^random / }).tap();
      await page.getByRole('button', { name: 'Choose', exact: true }).tap();
      await page.getByRole('button', { name: 'Agent: random' }).waitFor();
    });
  });
});
