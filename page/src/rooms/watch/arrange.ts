//! How boards share the room: in the columns that make their cells largest.

import { fitUnit } from '../../board/geometry.ts';
import type { Shape } from '../../game/shape.ts';

export interface Space {
  width: number;
  height: number;
}

/** Smaller cells are hard to read: boards rather scroll. */
export const READABLE = 20;
const MOST = 44;
const GAP = 12;

/** The largest cells with which `boards` boards fit in these columns. */
function unitIn(columns: number, boards: number, shape: Shape, { width, height }: Space, around: Space): number {
  const rows = Math.ceil(boards / columns);
  const space = {
    width: (width - GAP * (columns - 1)) / columns - around.width,
    height: (height - GAP * (rows - 1)) / rows - around.height,
  };
  return fitUnit(shape, space, { least: 1, most: MOST }, 0);
}

/** The number of columns; `around` is what a pane needs beside its board. */
export function columnsFor(boards: number, shape: Shape, space: Space, around: Space): number {
  let best = 1;
  for (let columns = 2; columns <= boards; columns += 1) {
    if (unitIn(columns, boards, shape, space, around) > unitIn(best, boards, shape, space, around)) best = columns;
  }
  return best;
}

/** Whether two boards are larger side by side than one above the other. */
export function besideIn(shape: Shape, space: Space): boolean {
  const none = { width: 0, height: 0 };
  return unitIn(2, 2, shape, space, none) >= unitIn(1, 2, shape, space, none);
}

/** The height a board needs for readable cells across this width; a giant one scrolls instead. */
export function readableHeight(shape: Shape, width: number): number {
  const unit = fitUnit(shape, { width, height: Infinity }, { least: 8, most: READABLE }, 0);
  return Math.min(unit * shape.height, 480);
}
