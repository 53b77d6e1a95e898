//! Numbers of rows and columns at the left and the top of a board.

import type { Box, Geometry } from './geometry.ts';
import type { Theme } from './theme.ts';

/** The width of the rulers. */
export const GUTTER = 22;

/** Draws both rulers; the context has the coordinates of the window, `view` is the window on the board. */
export function drawRuler(context: CanvasRenderingContext2D, geometry: Geometry, theme: Theme, view: Box): void {
  const { gutter, unit, rowHeight, cellHeight } = geometry;
  context.fillStyle = theme.line;
  context.fillRect(0, 0, view.width, gutter);
  context.fillRect(0, 0, gutter, view.height);
  context.fillStyle = theme.muted;
  context.font = `500 10px ${theme.font}`;
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  const every = Math.max(1, Math.ceil(18 / unit));
  const { top, bottom, left, right } = geometry.span(view);
  for (let column = left; column <= right; column += 1) {
    const x = gutter + (column + 0.5) * unit - view.x;
    if (column % every === 0 && x > gutter + 4) context.fillText(String(column), x, gutter / 2);
  }
  for (let row = top; row <= bottom; row += 1) {
    const y = gutter + row * rowHeight + cellHeight / 2 - view.y;
    if (row % every === 0 && y > gutter + 4) context.fillText(String(row), gutter / 2, y);
  }
  context.fillStyle = theme.line;
  context.fillRect(0, 0, gutter, gutter);
}
