//! Cells in whole pixels of the screen, so that a cell looks the same wherever it is drawn.

import type { Box, Geometry } from './geometry.ts';

/** How many pixels of the screen a pixel of the page has; more than three are not worth drawing. */
export function deviceScale(): number {
  return Math.min(3, window.devicePixelRatio || 1);
}

/** All boxes are in pixels of the screen, measured from the corner of the board. */
export class PixelGrid {
  readonly cellWidth: number;
  readonly cellHeight: number;
  readonly #gutter: number;

  constructor(readonly geometry: Geometry, readonly scale: number) {
    this.cellWidth = Math.max(1, Math.round(geometry.unit * scale));
    this.cellHeight = geometry.hex ? Math.ceil(geometry.cellHeight * scale) : this.cellWidth;
    this.#gutter = Math.round(geometry.gutter * scale);
  }

  left(row: number, column: number): number {
    const shift = this.geometry.hex && row % 2 === 1 ? Math.round(this.cellWidth / 2) : 0;
    return this.#gutter + column * this.cellWidth + shift;
  }

  top(row: number): number {
    return this.#gutter + (this.geometry.hex ? Math.round(row * this.geometry.rowHeight * this.scale) : row * this.cellHeight);
  }

  box(cell: number): Box {
    const [row, column] = this.geometry.shape.place(cell);
    return { x: this.left(row, column), y: this.top(row), width: this.cellWidth, height: this.cellHeight };
  }

  /** The first and last row and column that touch a box. */
  span({ x, y, width, height }: Box): { top: number; bottom: number; left: number; right: number } {
    const { shape, hex, rowHeight } = this.geometry;
    const row = (at: number) => Math.floor((at - this.#gutter) / (hex ? rowHeight * this.scale : this.cellHeight));
    const column = (at: number) => Math.floor((at - this.#gutter) / this.cellWidth);
    const spare = hex ? 1 : 0;
    return {
      top: Math.max(0, row(y) - spare),
      bottom: Math.min(shape.height - 1, row(y + height - 1) + spare),
      left: Math.max(0, column(x) - spare),
      right: Math.min(shape.width - 1, column(x + width - 1)),
    };
  }
}

/** The smallest box around boxes, or none. */
export function around(boxes: Iterable<Box>): Box | null {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const { x, y, width, height } of boxes) {
    [left, top] = [Math.min(left, x), Math.min(top, y)];
    [right, bottom] = [Math.max(right, x + width), Math.max(bottom, y + height)];
  }
  return right > left ? { x: left, y: top, width: right - left, height: bottom - top } : null;
}

/** What two boxes share, or nothing. */
export function common(a: Box, b: Box): Box | null {
  const [x, y] = [Math.max(a.x, b.x), Math.max(a.y, b.y)];
  const width = Math.min(a.x + a.width, b.x + b.width) - x;
  const height = Math.min(a.y + a.height, b.y + b.height) - y;
  return width > 0 && height > 0 ? { x, y, width, height } : null;
}
