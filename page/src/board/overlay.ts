//! What is drawn above the tiles: marks, highlighted clues, arrows, outlines, a recorded mouse.

import type { Geometry } from './geometry.ts';
import { drawPointer, drawTrail, type MousePointer, type Point } from './mouse.ts';
import type { Theme } from './tiles.ts';

/**
 * - `safe` tick, `mine` cross: proved;
 * - `best` ring: the best move; `guess` thin ring: an alternative;
 * - `clue`: a clue that a reason rests on; `premise`: an earlier conclusion that it rests on;
 * - `look`: an area to look at;
 * - `conflict`: a clue that cannot hold; `dead`: opening it tells nothing; `fifty`: of a 50/50;
 * - `last`: the cell just played; `select`: the cell chosen.
 */
export type MarkKind =
  | 'safe' | 'mine' | 'best' | 'guess' | 'clue' | 'premise' | 'look' | 'conflict' | 'dead' | 'fifty' | 'last' | 'select';

export interface Mark {
  cell: number;
  kind: MarkKind;
}

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

/** Draws the overlay; the context already has the board's coordinates. */
export function drawOverlay(context: CanvasRenderingContext2D, geometry: Geometry, overlay: Overlay, theme: Theme, heated: boolean): void {
  drawOutline(context, geometry, overlay.outline, theme);
  for (const mark of overlay.marks) drawMark(context, geometry, mark, theme, heated);
  for (const arrow of overlay.arrows) drawArrow(context, geometry, arrow, theme);
  drawTrail(context, geometry, overlay.trail, theme);
  if (overlay.pointer) drawPointer(context, geometry, overlay.pointer, theme);
}

/** Strokes twice, light under dark, so that the line reads on any ground. */
function stroke(context: CanvasRenderingContext2D, color: string, width: number, halo: string): void {
  context.lineCap = 'round';
  context.lineJoin = 'round';
  context.strokeStyle = halo;
  context.lineWidth = width + 2;
  context.stroke();
  context.strokeStyle = color;
  context.lineWidth = width;
  context.stroke();
}

/** Fills lightly, so that what is below can be read. */
function tint(context: CanvasRenderingContext2D, color: string, strength: number): void {
  context.fillStyle = color;
  context.globalAlpha = strength;
  context.fill();
  context.globalAlpha = 1;
}

/** Strokes with dashes. */
function dash(context: CanvasRenderingContext2D, dashes: number[], ...line: [color: string, width: number, halo: string]): void {
  context.setLineDash(dashes);
  stroke(context, ...line);
  context.setLineDash([]);
}

function drawMark(context: CanvasRenderingContext2D, geometry: Geometry, { cell, kind }: Mark, theme: Theme, heated: boolean): void {
  const box = geometry.box(cell);
  const [x, y] = geometry.center(cell);
  const u = geometry.unit / 24;
  const thick = Math.max(1.5, 2.2 * u);
  context.beginPath();
  switch (kind) {
    case 'safe':
      context.moveTo(x - 5 * u, y + 0.5 * u);
      context.lineTo(x - 1.5 * u, y + 4.5 * u);
      context.lineTo(x + 5.5 * u, y - 4.5 * u);
      stroke(context, heated ? '#ffffff' : theme.safe, thick, heated ? 'rgb(0 20 50 / 0.85)' : theme.open);
      break;
    case 'mine':
      context.moveTo(x - 4 * u, y - 4 * u);
      context.lineTo(x + 4 * u, y + 4 * u);
      context.moveTo(x + 4 * u, y - 4 * u);
      context.lineTo(x - 4 * u, y + 4 * u);
      stroke(context, heated ? '#1b1400' : theme.danger, thick, heated ? 'rgb(255 255 255 / 0.7)' : theme.open);
      break;
    case 'best':
    case 'guess':
      context.arc(x, y, geometry.unit * 0.4, 0, 2 * Math.PI);
      dash(
        context, kind === 'guess' ? [3 * u, 4 * u] : [], heated ? '#ffffff' : theme.accent,
        kind === 'best' ? Math.max(2, 2.6 * u) : Math.max(1, 1.4 * u), heated ? 'rgb(0 0 0 / 0.75)' : theme.open,
      );
      break;
    case 'clue':
      geometry.trace(context, box, Math.max(1, 1.2 * u));
      tint(context, theme.accent, 0.16);
      stroke(context, theme.accent, Math.max(1.5, 1.8 * u), theme.open);
      break;
    case 'premise':
      geometry.trace(context, box, Math.max(1, 1.2 * u));
      dash(context, [4 * u, 3 * u], theme.accent, Math.max(1.5, 1.8 * u), theme.open);
      break;
    case 'look':
      geometry.trace(context, box, 0.5);
      tint(context, theme.accent, 0.3);
      break;
    case 'conflict':
      geometry.trace(context, box, Math.max(1, 1.2 * u));
      tint(context, theme.danger, 0.2);
      stroke(context, theme.danger, Math.max(2, 2.2 * u), theme.open);
      break;
    case 'dead':
      for (const side of [-1, 1]) {
        context.moveTo(x + side * 9.5 * u - 2 * u * side, y + 9.5 * u);
        context.lineTo(x + side * 9.5 * u, y + 9.5 * u - 2 * u);
      }
      context.moveTo(x - 3 * u, y + 9 * u);
      context.lineTo(x + 3 * u, y + 9 * u);
      stroke(context, theme.ink, Math.max(1, 1.4 * u), theme.open);
      break;
    case 'fifty':
      geometry.trace(context, box, Math.max(1.5, 2 * u));
      dash(context, [3 * u, 2.5 * u], theme.ink, Math.max(1, 1.4 * u), theme.open);
      break;
    case 'last':
      geometry.trace(context, box, Math.max(1, u));
      stroke(context, theme.ink, Math.max(1.5, 1.8 * u), theme.open);
      break;
    case 'select':
      geometry.trace(context, box, Math.max(1, u));
      stroke(context, theme.accent, Math.max(2, 2.4 * u), theme.open);
      break;
  }
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
