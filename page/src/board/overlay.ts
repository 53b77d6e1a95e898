//! What is drawn above the tiles: marks, highlighted clues, arrows, outlines, a recorded mouse.

import { FLAGGED } from '../game/face.ts';
import type { Geometry } from './geometry.ts';
import { drawMark, stroke, type Mark } from './marks.ts';
import { drawPointer, drawTrail, type MousePointer, type Point } from './mouse.ts';
import type { Scene } from './scene.ts';
import type { Theme } from './theme.ts';

export type { Mark };

export interface Arrow {
  from: number;
  to: number;
}

export interface Overlay {
  marks: readonly Mark[];
  arrows: readonly Arrow[];
  outline: readonly number[];
  /** The way that the mouse of a recorded game took. */
  trail: readonly Point[];
  /** Where that mouse is. */
  pointer: MousePointer | null;
}

export const NO_OVERLAY: Overlay = { marks: [], arrows: [], outline: [], trail: [], pointer: null };

/** Draws the overlay of a scene; the context already has the board's coordinates. */
export function drawOverlay(context: CanvasRenderingContext2D, { geometry, overlay, heat, faces }: Scene, theme: Theme): void {
  drawOutline(context, geometry, overlay.outline, theme);
  for (const mark of overlay.marks) {
    const ground = { heated: !Number.isNaN(heat?.[mark.cell] ?? NaN), flagged: faces[mark.cell] === FLAGGED };
    drawMark(context, geometry, mark, theme, ground);
  }
  for (const arrow of overlay.arrows) drawArrow(context, geometry, arrow, theme);
  drawTrail(context, geometry, overlay.trail, theme);
  if (overlay.pointer) drawPointer(context, geometry, overlay.pointer, theme);
}

function drawArrow(context: CanvasRenderingContext2D, geometry: Geometry, { from, to }: Arrow, theme: Theme): void {
  const [x0, y0] = geometry.center(from);
  const [x1, y1] = geometry.center(to);
  const length = Math.hypot(x1 - x0, y1 - y0);
  if (length === 0) return;
  const u = geometry.unit / 24;
  const [dx, dy] = [(x1 - x0) / length, (y1 - y0) / length];
  const [sx, sy] = [x0 + dx * 7 * u, y0 + dy * 7 * u];
  const [ex, ey] = [x1 - dx * 8 * u, y1 - dy * 8 * u];
  context.beginPath();
  context.moveTo(sx, sy);
  context.lineTo(ex, ey);
  for (const turn of [2.6, -2.6]) {
    const angle = Math.atan2(dy, dx) + turn;
    context.moveTo(ex, ey);
    context.lineTo(ex + Math.cos(angle) * 5 * u, ey + Math.sin(angle) * 5 * u);
  }
  stroke(context, theme.accent, Math.max(1.2, 1.5 * u), theme.open);
}

/** The border of a set of cells. */
function drawOutline(context: CanvasRenderingContext2D, geometry: Geometry, cells: readonly number[], theme: Theme): void {
  if (cells.length === 0) return;
  const inside = new Set(cells);
  context.beginPath();
  for (const cell of inside) {
    for (const { from, to, across } of geometry.sides(cell)) {
      if (across !== null && inside.has(across)) continue;
      context.moveTo(...from);
      context.lineTo(...to);
    }
  }
  stroke(context, theme.danger, Math.max(1.5, geometry.unit / 14), theme.open);
}
