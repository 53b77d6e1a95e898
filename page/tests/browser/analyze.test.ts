//! Analyze, in Chromium.

import { describe, expect, test } from 'vitest';
import { DESKTOP, PHONE, cell } from './chromium.ts';
import { on, scan, shot } from './room.ts';

describe('Analyze', () => {
  test('odds, proofs, painting, undo, contradictions', async () => {
    await on('#/analyze', DESKTOP, async (page) => {
      await page.getByRole('button', { name: 'row 4, column 1' }).waitFor();
      await cell(page, 4, 1).hover();
      await page.getByText('2 clues, 2 steps deep.').waitFor();
      await cell(page, 4, 1).click();
      await page.getByText('If it is safe, it shows').waitFor();
      await shot(page, 'analyze-desktop');
      await scan(page);
      await page.getByRole('button', { name: 'Number 8' }).click();
      await cell(page, 1, 1).click();
      await page.getByRole('heading', { name: 'No layout fits' }).waitFor();
      await shot(page, 'analyze-conflict-desktop');
      await page.getByRole('button', { name: 'Undo', exact: true }).click();
      await page.getByRole('button', { name: 'row 4, column 1' }).waitFor();
      await page.getByLabel('Examples').selectOption('2');
      await page.getByText('guess').waitFor();
      await page.waitForTimeout(150);
      await shot(page, 'analyze-guess-desktop');
    });
  });

  test('text is pasted and typed, faults are told, the address holds the position', async () => {
    await on('#/analyze', DESKTOP, async (page) => {
      await page.getByRole('button', { name: 'Text' }).first().click();
      await page.getByRole('textbox', { name: /position as text/ }).fill('mines 3\n####\n#1x#');
      await page.getByRole('button', { name: 'Read it' }).click();
      await page.getByText('is not a cell').waitFor();
      await page.getByRole('textbox', { name: /position as text/ }).fill('mines 3\n# # # #\n# 1 2 #\n# # # #');
      await page.getByRole('button', { name: 'Read it' }).click();
      await page.getByText('row 0, column 1').first().waitFor();
      expect(page.url()).toContain('rows=D-A12A-D');
      await cell(page, 0, 0).click();
      await page.keyboard.press('1');
      expect(await cell(page, 0, 0).getAttribute('aria-label')).toContain('open, 1');
      await page.keyboard.press('Control+z');
      expect(await cell(page, 0, 0).getAttribute('aria-label')).toContain('covered');
    });
  });

  test('on a phone numbers come from the palette', async () => {
    await on('#/analyze', PHONE, async (page) => {
      await page.getByRole('button', { name: 'row 4, column 1' }).waitFor();
      await shot(page, 'analyze-phone');
      await page.getByRole('button', { name: 'Number 2' }).tap();
      await cell(page, 0, 8).tap();
      expect(await cell(page, 0, 8).getAttribute('aria-label')).toContain('open, 2');
      await scan(page);
      expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
    });
  });
});
