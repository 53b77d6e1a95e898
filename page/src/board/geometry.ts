//! Where cells lie on the screen.

import type { Shape } from '../game/shape.ts';

export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** Height of a pointy hexagon one wide, and the distance of its rows. */
const HEX_HEIGHT = 2 / Math.sqrt(3);
const HEX_ROW = Math.sqrt(3) / 2;

/**
 * Places the cells of a shape: squares of side `unit`, or hexagons `unit` wide, odd rows shifted
 * half a cell to the right. A ruler takes `gutter` at the left and the top.
 */
export class Geometry {
  constructor(readonly shape: Shape, readonly unit: number, readonly gutter = 0) {}

  get hex(): boolean {
    return this.shape.form === 'hex';
  }

  get width(): number {
    return this.gutter + this.unit * (this.shape.width + (this.hex && this.shape.height > 1 ? 0.5 : 0));
  }

  get height(): number {
    const rows = this.shape.height;
    return this.gutter + this.unit * (this.hex ? (rows - 1) * HEX_ROW + HEX_HEIGHT : rows);
  }

  get cellHeight(): number {
    return this.unit * (this.hex ? HEX_HEIGHT : 1);
  }

  get rowHeight(): number {
    return this.unit * (this.hex ? HEX_ROW : 1);
  }

  /** The box around a cell. */
  box(cell: number): Box {
    const [row, column] = this.shape.place(cell);
    return {
      x: this.gutter + this.unit * (column + (this.hex && row % 2 === 1 ? 0.5 : 0)),
      y: this.gutter + this.rowHeight * row,
      width: this.unit,
      height: this.cellHeight,
    };
  }

  center(cell: number): [x: number, y: number] {
    const { x, y, width, height } = this.box(cell);
    return [x + width / 2, y + height / 2];
  }

  /** Where a point in cells lies: the middle of row 0, column 2 is at x 2.5, y 0.5. */
  at({ x, y }: { x: number; y: number }): [x: number, y: number] {
    return [this.gutter + x * this.unit, this.gutter + y * this.rowHeight];
  }

  /** The cell at a point, or null. Of hexagons it is the one whose center is nearest. */
  cellAt(x: number, y: number): number | null {
    const { width, height } = this.shape;
    if (x < this.gutter || y < this.gutter) return null;
    if (!this.hex) {
      const row = Math.floor((y - this.gutter) / this.unit);
      const column = Math.floor((x - this.gutter) / this.unit);
      return this.shape.contains([row, column]) ? this.shape.cell([row, column]) : null;
    }
    const guess = Math.floor((y - this.gutter) / this.rowHeight);
    let best: number | null = null;
    let least = (this.cellHeight / 2) ** 2;
    for (const row of [guess - 1, guess]) {
      if (row < 0 || row >= height) continue;
      const column = Math.floor((x - this.gutter) / this.unit - (row % 2 === 1 ? 0.5 : 0));
      if (column < 0 || column >= width) continue;
      const [cx, cy] = this.center(this.shape.cell([row, column]));
      const distance = (cx - x) ** 2 + (cy - y) ** 2;
      if (distance <= least) [best, least] = [this.shape.cell([row, column]), distance];
    }
    return best;
  }

  /** The first and last row and column that a window on the board touches. */
  span(view: Box): { top: number; bottom: number; left: number; right: number } {
    const row = (y: number) => Math.floor((y - this.gutter) / this.rowHeight);
    const column = (x: number) => Math.floor((x - this.gutter) / this.unit);
    const spare = this.hex ? 1 : 0;
    return {
      top: Math.max(0, row(view.y) - spare),
      bottom: Math.min(this.shape.height - 1, row(view.y + view.height)),
      left: Math.max(0, column(view.x) - spare),
      right: Math.min(this.shape.width - 1, column(view.x + view.width)),
    };
  }

  /** Traces the outline of a cell, drawn in a box of this size at this place. */
  trace(path: Path2D | CanvasRenderingContext2D, { x, y, width, height }: Box, inset = 0): void {
    if (!this.hex) {
      path.rect(x + inset, y + inset, width - 2 * inset, height - 2 * inset);
      return;
    }
    const [cx, cy, w, h] = [x + width / 2, y + height / 2, width / 2 - inset, height / 2 - inset * HEX_HEIGHT];
    const corners = [[0, -h], [w, -h / 2], [w, h / 2], [0, h], [-w, h / 2], [-w, -h / 2]] as const;
    corners.forEach(([dx, dy], i) => (i === 0 ? path.moveTo(cx + dx, cy + dy) : path.lineTo(cx + dx, cy + dy)));
    path.closePath();
  }

  /** The corners of the side that a cell shares with the cell or space `side` steps clockwise from its top. */
  sides(cell: number): { from: [number, number]; to: [number, number]; across: number | null }[] {
    const { x, y, width, height } = this.box(cell);
    const [cx, cy] = this.center(cell);
    const corners: [number, number][] = this.hex
      ? [[cx, y], [x + width, y + height / 4], [x + width, y + (height * 3) / 4], [cx, y + height], [x, y + (height * 3) / 4], [x, y + height / 4]]
      : [[x, y], [x + width, y], [x + width, y + height], [x, y + height]];
    return corners.map((from, i) => {
      const to = corners[(i + 1) % corners.length]!;
      const [mx, my] = [(from[0] + to[0]) / 2, (from[1] + to[1]) / 2];
      return { from, to, across: this.cellAt(mx + (mx - cx) * 0.4, my + (my - cy) * 0.4) };
    });
  }
}

/** The largest cell size with which a board fits a space, within bounds: a whole number of pixels on a screen of this scale. */
export function fitUnit(shape: Shape, space: { width: number; height: number }, bounds: { least: number; most: number }, gutter = 0, scale = 1): number {
  const one = new Geometry(shape, 1);
  const fits = Math.min((space.width - gutter) / one.width, (space.height - gutter) / one.height);
  return Math.max(bounds.least, Math.min(bounds.most, Math.floor(fits * scale) / scale));
}
