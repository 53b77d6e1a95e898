//! What there is to see of a board, shared by those who draw it, speak it and act on it.

import { COVERED } from '../game/face.ts';
import { Shape } from '../game/shape.ts';
import { Geometry } from './geometry.ts';
import { NO_OVERLAY, type Overlay } from './overlay.ts';
import type { HeatStyle } from './tiles.ts';

export class Scene {
  shape = new Shape('rect', 9, 9);
  geometry = new Geometry(this.shape, 32);
  faces = new Uint8Array(81).fill(COVERED);
  /** Risks of covered cells; NaN where there is none. */
  heat: Float64Array | null = null;
  heatStyle: HeatStyle = { palette: 'cividis', numbers: true, certain: false };
  overlay: Overlay = NO_OVERLAY;
  ruler = false;
  /** The cell under the pointer. */
  hover: number | null = null;
  /** The cell with the focus, if a person moves by keys. */
  focus: number | null = null;
  /** Cells that the press that lasts would open, shown sunk. */
  pressed: readonly number[] = [];

  /** Another shape, all covered. */
  reset(shape: Shape): void {
    this.shape = shape;
    this.faces = new Uint8Array(shape.size).fill(COVERED);
    this.heat = null;
    this.overlay = NO_OVERLAY;
    this.hover = null;
    this.focus = null;
    this.pressed = [];
  }
}
