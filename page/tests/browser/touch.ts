//! What fingers need.

import type { Page } from 'playwright-core';

/** Controls of the room that a finger would miss, with their sizes: those under 44 pixels. */
export function smallTargets(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('main button, main a, main label.check, main select, main input:not([type=checkbox], [hidden])')]
      .map((element) => ({ name: element.textContent!.trim() || element.getAttribute('aria-label'), box: element.getBoundingClientRect() }))
      .filter(({ box }) => box.width > 0 && (box.height < 44 || box.width < 44))
      .map(({ name, box }) => `${name} ${box.width}x${box.height}`),
  );
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
