//! Analyze, in Chromium: at small and expert size, by mouse, keys and fingers.

import type { BrowserContextOptions, Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import type { Analysis } from '../../src/api/types.ts';
import { parsePosition, rowsOf } from '../../src/game/notation.ts';
import { EXAMPLES } from '../../src/rooms/analyze/examples.ts';
import { formatRoute, queryOfPosition } from '../../src/state/url.ts';
import { DESKTOP, PHONE, cell, label } from './chromium.ts';
import { expectPainted } from './pixels.ts';
import { engine, on, scan, shot } from './room.ts';
import { expectLargeTargets, expectNoSideways } from './touch.ts';

const WIDE: BrowserContextOptions = { viewport: { width: 1920, height: 1080 } };
const DARK: BrowserContextOptions = { ...DESKTOP, colorScheme: 'dark' };
const expertExample = parsePosition(EXAMPLES.find(({ name }) => name.startsWith('Expert'))!.text);
const EXPERT = formatRoute('analyze', [], queryOfPosition(expertExample));
const best = (page: Page) => page.getByRole('region', { name: 'Best move' });

async function pasteText(page: Page, text: string): Promise<void> {
  await page.evaluate((pasted) => {
    const data = new DataTransfer();
    data.setData('text/plain', pasted);
    document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }));
  }, text);
}

/** What the engine answers for the expert example. */
async function expertAnswer(): Promise<Analysis> {
  const body = JSON.stringify({ rows: rowsOf(expertExample.shape, expertExample.faces), mines: expertExample.mines });
  const answer = await fetch(`${engine.url}api/v1/analyze`, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
  return (await answer.json()) as Analysis;
}

/** As the page writes it: numbers stay with their percent sign. */
const written = (text: string) => text.replaceAll(' %', '\u202f%');

describe('Analyze', () => {
  test('odds, proofs, painting, undo, contradictions', async () => {
    await on('#/analyze', DESKTOP, async (page) => {
      await best(page).getByRole('button', { name: 'row 4, column 1' }).waitFor();
      expect(await best(page).textContent()).toMatch(/\d+ other cells? (is|are) safe too\./);
      await cell(page, 4, 1).hover();
      await page.getByText('2 clues, 2 steps deep.').waitFor();
      await cell(page, 4, 1).click();
      await page.getByText('If it is safe, it shows').waitFor();
      await expectPainted(page);
      await shot(page, 'analyze-desktop');
      await scan(page);
      await page.getByRole('button', { name: 'Number 8' }).click();
      await cell(page, 1, 1).click();
      await page.getByRole('heading', { name: 'No arrangement of mines fits' }).waitFor();
      await shot(page, 'analyze-conflict-desktop');
      await page.getByRole('button', { name: 'Undo', exact: true }).click();
      await best(page).getByRole('button', { name: 'row 4, column 1' }).waitFor();
      await page.getByLabel('Examples').selectOption({ label: 'One clue in the middle: a guess' });
      await page.getByText('guess', { exact: true }).waitFor();
      await expectPainted(page);
    });
  });

  test('every example shows what its name says', async () => {
    for (const { name, text, shows } of EXAMPLES) {
      const { shape, mines, faces } = parsePosition(text);
      const body = JSON.stringify({ rows: rowsOf(shape, faces), mines, shape: shape.form });
      const response = await fetch(`${engine.url}api/v1/analyze`, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
      const analysis = (await response.json()) as Analysis;
      expect(analysis.consistent, name).toBe(shows !== 'contradiction');
      expect(analysis.safe.length > 0, name).toBe(shows === 'safe');
      if (shows === 'guess' || shows === 'fifty') expect(analysis.best!.safety, name).toBeLessThan(1);
      if (shows !== 'fifty') continue;
      expect(analysis.fifty_fifty, name).toEqual([[[2, 3], [3, 3]]]);
      expect([analysis.best!.safety, analysis.best!.win], name).toEqual([0.5, 0.5]);
    }
  });

  test('text is edited, faults are told, the address holds the position', async () => {
    await on('#/analyze', DESKTOP, async (page) => {
      expect(await page.getByRole('button', { name: /text/i }).allTextContents()).toEqual(['Paste or edit as text', 'Copy text']);
      await page.getByRole('button', { name: 'Paste or edit as text' }).click();
      const area = page.getByRole('region', { name: 'Position as text' }).getByRole('textbox');
      expect(await area.inputValue()).toMatch(/^mines 10\n/);
      await page.getByText(/drop a file anywhere/).waitFor();
      await area.fill('mines 3\n####\n#1x#');
      await page.getByRole('button', { name: 'Load', exact: true }).click();
      await page.getByText('is not a cell').waitFor();
      await scan(page);
      await area.fill('mines 3\n# # # #\n# 1 2 #\n# # # #');
      await page.getByRole('button', { name: 'Load', exact: true }).click();
      await page.getByText('Position loaded.').waitFor();
      await best(page).getByRole('button', { name: 'row 0, column 1' }).waitFor();
      expect(page.url()).toContain('rows=D-A12A-D');
      await cell(page, 0, 0).click();
      await page.keyboard.press('1');
      expect(await label(page, 0, 0)).toContain('open, 1');
      await page.keyboard.press('Control+z');
      expect(await label(page, 0, 0)).toContain('covered');
      await cell(page, 2, 3).hover();
      await page.keyboard.press('2');
      expect(await label(page, 2, 3)).toContain('open, 2');
      await page.mouse.wheel(0, -120);
      await expect.poll(() => label(page, 2, 3)).toContain('open, 3');
    });
  });

  test('rows without a mine count are asked about', async () => {
    await on('#/analyze', DESKTOP, async (page) => {
      await best(page).waitFor();
      await pasteText(page, '####\n#12#\n####');
      const question = page.getByRole('form', { name: 'How many mines?' });
      // No number is proposed where none is known.
      expect(await question.getByLabel('Mines').inputValue()).toBe('');
      expect(await question.getByRole('button', { name: 'Load' }).isDisabled()).toBe(true);
      await question.getByLabel('Mines').fill('99');
      await question.getByText('Enter a whole number from 0 to 12.').waitFor();
      await scan(page);
      await question.getByLabel('Mines').fill('3');
      await question.getByRole('button', { name: 'Load' }).click();
      await best(page).getByRole('button', { name: 'row 0, column 1' }).waitFor();
      expect(page.url()).toContain('mines=3&rows=D-A12A-D');
      await pasteText(page, '####\n1##1\n####');
      expect(await question.getByLabel('Mines').inputValue()).toBe('3');
    });
  });

  test('an unopened position asks what the first click is promised, and tells the engine', async () => {
    await on('#/analyze?mines=10&rows=I-I-I-I-I-I-I-I-I', DESKTOP, async (page) => {
      const start = page.getByLabel('First click');
      expect(await start.inputValue()).toBe('unsafe');
      await best(page).getByRole('button', { name: /^row/ }).first().waitFor();
      const unsafe = await best(page).textContent();
      await start.selectOption('safe');
      await expect.poll(() => best(page).textContent()).not.toBe(unsafe);
      expect(page.url()).toContain('start=safe');
      await page.getByRole('button', { name: 'Number 1' }).click();
      await cell(page, 4, 4).click();
      await start.waitFor({ state: 'detached' });
      expect(page.url()).not.toContain('start=');
    });
  });

  test.each([['1280x800', DESKTOP], ['1280x800 dark', DARK], ['1920x1080', WIDE]] as const)('a guess on expert is explained at %s', async (size, options) => {
    await on('#/analyze', options, async (page) => {
      await best(page).waitFor();
      await page.getByLabel('Examples').selectOption({ label: 'Expert: a guess in mid-game' });
      const reasons = best(page).getByRole('listitem');
      await reasons.first().waitFor();
      const { reasons: given, alternatives } = (await expertAnswer()).best!;
      expect(given!.length).toBeGreaterThan(3);
      expect(await reasons.allTextContents()).toEqual(given!.map(written));
      const compared = page.getByRole('region', { name: 'Guesses compared' });
      expect(await compared.getByRole('columnheader').allTextContents()).toEqual(['Cell', 'Safe', 'Win', 'Progress', 'Next']);
      for (const { why } of alternatives.slice(1)) await expect.poll(() => compared.getByText(written(why!)).count(), { timeout: 5000 }).toBeGreaterThan(0);
      await expect.poll(() => compared.getByText('–', { exact: true }).count(), { timeout: 5000 }).toBe(0);
      expect((await expectPainted(page)).cells).toBe(480);
      await page.getByText('Colors', { exact: true }).click();
      await expectPainted(page);
      await page.getByText('Colors', { exact: true }).click();
      await expectPainted(page);
      await shot(page, `analyze-expert-${size.replace(' ', '-')}`);
      await scan(page);
      const box = (await best(page).boundingBox())!;
      expect(box.y + box.height).toBeLessThan(page.viewportSize()!.height);
    });
  });

  test.each(['light', 'dark'] as const)('on a phone the best move of an expert position and its reasons are seen without scrolling, %s', async (colorScheme) => {
    await on('#/analyze', { ...PHONE, colorScheme }, async (page) => {
      await best(page).waitFor();
      await page.evaluate((address) => (location.hash = address), EXPERT);
      const reason = best(page).getByRole('listitem').last();
      await reason.waitFor();
      await page.getByText('Position loaded.').waitFor({ state: 'detached' });
      const { y, height } = (await reason.boundingBox())!;
      const bar = (await page.getByRole('navigation', { name: 'Rooms' }).boundingBox())!;
      expect(y + height).toBeLessThan(bar.y);
      const board = (await page.locator('mine-board').boundingBox())!;
      expect(bar.y - board.y).toBeGreaterThan(200);
      await expectPainted(page);
      await shot(page, `analyze-phone-expert-${colorScheme}`);
      await scan(page);
      await expectNoSideways(page);
      await expectLargeTargets(page);
    });
  });

  test('on a phone numbers come from the palette, and a finger paints', async () => {
    await on('#/analyze', PHONE, async (page) => {
      await best(page).getByRole('button', { name: 'row 4, column 1' }).waitFor();
      await shot(page, 'analyze-phone');
      await page.getByRole('button', { name: 'Number 2' }).tap();
      await cell(page, 0, 8).tap();
      expect(await label(page, 0, 8)).toContain('open, 2');
      const [from, to] = [(await cell(page, 5, 5).boundingBox())!, (await cell(page, 5, 8).boundingBox())!];
      const touch = await page.context().newCDPSession(page);
      const at = (x: number) => [{ x, y: from.y + from.height / 2 }];
      await touch.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: at(from.x + 5) });
      for (let step = 1; step <= 8; step += 1) await touch.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: at(from.x + 5 + ((to.x - from.x) * step) / 8) });
      await touch.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
      for (const column of [5, 6, 7, 8]) await expect.poll(() => label(page, 5, column)).toContain('open, 2');
      // The browser may take a tap right after a stroke for its end, so this is a click.
      await page.getByRole('button', { name: 'Undo', exact: true }).click();
      await expect.poll(() => label(page, 5, 6)).toContain('covered');
      expect(await label(page, 0, 8)).toContain('open, 2');
      await expectPainted(page);
      await expectNoSideways(page);
    });
  });
});
