//! What fits a phone: no sideways scrolling, nothing too small for a finger.

import type { Page } from 'playwright-core';
import { expect } from 'vitest';

export async function expectNoSideways(page: Page): Promise<void> {
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
}

/** Expects that fingers can hit every control inside this part of the page. */
export async function expectLargeTargets(page: Page, within = 'main'): Promise<void> {
  const small = await page.evaluate((within) => {
    const controls = `button, a, summary, label.check, select, textarea, [role=option], input:not([type=checkbox], [hidden])`;
    return [...document.querySelectorAll<HTMLElement>(within)].flatMap((part) => [...part.querySelectorAll<HTMLElement>(controls)])
      .map((element) => ({ name: element.textContent!.trim() || element.getAttribute('aria-label'), box: element.getBoundingClientRect() }))
      .filter(({ box }) => box.width > 0 && (Math.round(box.height) < 44 || Math.round(box.width) < 44))
      .map(({ name, box }) => `${name} ${box.width}x${box.height}`);
  }, within);
  expect(small).toEqual([]);
}
