//! How large cells are: what a person chose, or what suits the space.

import type { Shape } from '../game/shape.ts';
import { fitUnit } from './geometry.ts';

/** The smallest and largest cells that a person may choose. */
const SMALLEST = 2;
const LARGEST = 72;
/** Cells that a mouse, and cells that a finger can aim at. */
const MOUSE = 22;
const FINGER = 44;
/** A board that fits a phone with cells of this size is shown whole. */
const TIGHT_FINGER = 34;

export interface Space {
  width: number;
  /** Infinite where the page scrolls. */
  height: number;
  /** What rulers take at the left and the top. */
  gutter: number;
  /** Pixels of the screen for each pixel of the page. */
  scale: number;
}

export interface Wish {
  /** A size that was chosen, the whole board, or what suits. */
  zoom: number | 'whole' | null;
  least: number | null;
  most: number;
  /** Fingers aim at the cells. */
  coarse: boolean;
  /** The board has a pane of its own, which it fills. */
  fill: boolean;
}

/** The size of a cell: a whole number of pixels on the screen. */
export function chooseUnit(shape: Shape, space: Space, wish: Wish): number {
  const snap = (unit: number) => Math.max(1, Math.round(unit * space.scale)) / space.scale;
  if (typeof wish.zoom === 'number') return snap(Math.max(SMALLEST, Math.min(LARGEST, wish.zoom)));
  const fit = (height: number) => fitUnit(shape, { width: space.width, height }, { least: 1 / space.scale, most: wish.most }, space.gutter, space.scale);
  const whole = fit(space.height);
  if (wish.zoom === 'whole') return whole;
  if (wish.fill) return Math.max(whole, Math.min(wish.least ?? 1, wish.most));

  const least = wish.least ?? (wish.coarse ? FINGER : MOUSE);
  const floor = wish.coarse && wish.least === null ? TIGHT_FINGER : least;
  const across = fit(Infinity);
  if (whole >= floor) return whole;
  // The board scrolls, if it can in one direction only.
  return snap(across >= floor ? Math.max(floor, Math.min(across, least)) : Math.min(least, wish.most));
}
