//! Watch, in Chromium.

import { describe, expect, test } from 'vitest';
import { DESKTOP, PHONE } from './chromium.ts';
import { on, scan, shot } from './room.ts';

describe('Watch', () => {
  const place = '#/watch?agents=lowest-risk~single-point&board=9x9x10&start=safe&seed=3&move=3';

  test('two agents on the same board, stepped and scrubbed', async () => {
    await on(place, DESKTOP, async (page) => {
      await page.getByText('3/21').waitFor();
      await page.waitForTimeout(150);
      await shot(page, 'watch-desktop');
      await scan(page);
      await page.getByRole('button', { name: 'One move on' }).click();
      await page.getByText('4/21').waitFor();
      await page.getByRole('button', { name: 'Frontier' }).click();
      await page.getByRole('slider', { name: 'Move' }).fill('12');
      await page.getByText('12/21').waitFor();
      await page.waitForTimeout(150);
      await shot(page, 'watch-frontier-desktop');
      await page.getByRole('button', { name: 'Play', exact: true }).click();
      await page.waitForTimeout(500);
      await page.getByRole('button', { name: 'Pause' }).click();
      await page.getByRole('slider', { name: 'Move' }).fill('21');
      await page.getByText('won', { exact: true }).first().waitFor();
    });
  });

  test('on a phone', async () => {
    await on(place, PHONE, async (page) => {
      await page.getByText('3/21').waitFor();
      await page.waitForTimeout(150);
      await shot(page, 'watch-phone');
      await scan(page);
      expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
    });
  });
});
