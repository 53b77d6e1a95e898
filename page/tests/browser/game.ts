//! Boards of the Play room that the tests know.

import type { Page } from 'playwright-core';
import { Layout } from '../../src/game/layout.ts';
import { PURPOSE, derive } from '../../src/game/rng.ts';
import { Shape } from '../../src/game/shape.ts';
import { cell } from './chromium.ts';

/** The mines of a seed once a cell is opened. */
function dealt(width: number, height: number, mines: number, seed: bigint, first: [number, number]): Layout {
  const shape = new Shape('rect', width, height);
  return Layout.deal(shape, mines, 'open', derive(seed, 0n, PURPOSE.layout), shape.cell(first));
}

/** The mines of `#/play?seed=3` once row 4, column 4 is opened. */
export const layout = dealt(9, 9, 10, 3n, [4, 4]);
export const aMine = mineOf(layout);
/** The mines of `#/play?board=30x16x99&seed=12` once row 7, column 15 is opened. */
export const expert = dealt(30, 16, 99, 12n, [7, 15]);
export const EXPERT = '#/play?board=30x16x99&seed=12';

/** The first mine of a layout. */
export function mineOf(layout: Layout): [number, number] {
  return layout.shape.place(Array.from({ length: layout.shape.size }, (_, at) => at).find((at) => layout.isMine(at))!);
}

/** Opens every safe cell that is still covered, area by area. */
export async function playOut(page: Page, press: (row: number, column: number) => Promise<void>, mines = layout): Promise<void> {
  for (const [at] of mines.clicks()) {
    const [row, column] = mines.shape.place(at!);
    const label = await cell(page, row, column).getAttribute('aria-label');
    if (label?.includes('covered')) await press(row, column);
  }
}
