//! The mouse of a recorded game, drawn over the board: the way it took and where it is now.

import type { Geometry } from './geometry.ts';
import type { Theme } from './theme.ts';

/** A point on the board in cells: x 2.5, y 0.5 is the middle of row 0, column 2. */
export interface Point {
  x: number;
  y: number;
}

/** Where the mouse is, and whether a button is down. */
export interface MousePointer extends Point {
  pressed?: boolean;
}

/** An arrow like the ones that systems draw, its tip at 0, 0, on a grid of 24 to a cell. */
const ARROW: readonly [number, number][] = [[0, 0], [0, 17], [4, 13.4], [6.6, 19], [9.2, 17.8], [6.7, 12.4], [12, 12.2]];

export function drawTrail(context: CanvasRenderingContext2D, geometry: Geometry, trail: readonly Point[], theme: Theme): void {
  if (trail.length < 2) return;
  context.beginPath();
  trail.forEach((point, i) => {
    const [x, y] = geometry.at(point);
    if (i === 0) context.moveTo(x, y);
    else context.lineTo(x, y);
  });
  context.lineCap = 'round';
  context.lineJoin = 'round';
  for (const [color, width] of [[theme.open, 3.5], [theme.trail, 1.75]] as const) {
    context.strokeStyle = color;
    context.lineWidth = Math.max(width, (width * geometry.unit) / 24);
    context.stroke();
  }
}

export function drawPointer(context: CanvasRenderingContext2D, geometry: Geometry, pointer: MousePointer, theme: Theme): void {
  const [x, y] = geometry.at(pointer);
  const size = Math.max(16, geometry.unit) / 24;
  if (pointer.pressed) {
    context.beginPath();
    context.arc(x, y, 8 * size, 0, 2 * Math.PI);
    context.globalAlpha = 0.35;
    context.fillStyle = theme.trail;
    context.fill();
    context.globalAlpha = 1;
    context.strokeStyle = theme.trail;
    context.lineWidth = Math.max(1.5, 1.5 * size);
    context.stroke();
  }
  context.beginPath();
  ARROW.forEach(([dx, dy], i) => (i === 0 ? context.moveTo(x, y) : context.lineTo(x + dx * size, y + dy * size)));
  context.closePath();
  context.fillStyle = theme.ink;
  context.fill();
  context.lineJoin = 'round';
  context.strokeStyle = theme.open;
  context.lineWidth = Math.max(1, 1.4 * size);
  context.stroke();
}
