//! What phones need: no sideways scrolling, nothing too small for a finger; and a finger that swipes.

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

/** Moves a finger over the page, and gives how far that scrolled it. */
export async function swipe(page: Page, from: { x: number; y: number }, by: number): Promise<number> {
  const touch = await page.context().newCDPSession(page);
  const before = await page.evaluate(() => scrollY);
  const put = (type: 'touchStart' | 'touchMove' | 'touchEnd', y?: number) =>
    touch.send('Input.dispatchTouchEvent', { type, touchPoints: y === undefined ? [] : [{ x: from.x, y }] });
  await put('touchStart', from.y);
  for (let step = 1; step <= 15; step += 1) {
    await put('touchMove', from.y + (by * step) / 15);
    await page.waitForTimeout(16);
  }
  await put('touchEnd');
  await page.waitForTimeout(300);
  await touch.detach();
  return (await page.evaluate(() => scrollY)) - before;
}
