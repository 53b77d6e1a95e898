//! The board of `#/play?seed=3`, known to the tests.

import type { Page } from 'playwright-core';
import { Layout } from '../../src/game/layout.ts';
import { PURPOSE, derive } from '../../src/game/rng.ts';
import { Shape } from '../../src/game/shape.ts';
import { cell } from './chromium.ts';

/** The mines of `#/play?seed=3` once row 4, column 4 is opened. */
export const layout = Layout.deal(new Shape('rect', 9, 9), 10, 'open', derive(3n, 0n, PURPOSE.layout), 40);
export const aMine = layout.shape.place(Array.from({ length: 81 }, (_, at) => at).find((at) => layout.isMine(at))!);

/** Opens every safe cell that is still covered. */
export async function playOut(page: Page, press: (row: number, column: number) => Promise<void>): Promise<void> {
  for (let at = 0; at < 81; at += 1) {
    if (layout.isMine(at)) continue;
    const [row, column] = layout.shape.place(at);
    const label = await cell(page, row, column).getAttribute('aria-label');
    if (label?.includes('covered')) await press(row, column);
  }
}
