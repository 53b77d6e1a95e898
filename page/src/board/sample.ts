//! One cell drawn as boards draw it, for legends and controls.

import { COVERED, FLAGGED, type Face } from '../game/face.ts';
import { Shape } from '../game/shape.ts';
import { Geometry } from './geometry.ts';
import { drawMark, type MarkKind } from './marks.ts';
import { PixelGrid, deviceScale } from './pixel-grid.ts';
import { readTheme } from './theme.ts';
import { Tiles, type HeatStyle } from './tiles.ts';

export interface Sample {
  face?: Face;
  /** The chance of a mine, shown as color. */
  risk?: number;
  mark?: MarkKind;
}

/** Draws a cell of this size onto a canvas, in the colors of the page around it. */
export function drawSample(canvas: HTMLCanvasElement, size: number, { face = COVERED, risk = NaN, mark }: Sample, style: HeatStyle): void {
  const scale = deviceScale();
  const geometry = new Geometry(new Shape('rect', 1, 1), Math.round(size * scale) / scale);
  const theme = readTheme(canvas.parentElement!);
  const tiles = new Tiles(new PixelGrid(geometry, scale), theme, style);
  canvas.width = canvas.height = tiles.grid.cellWidth;
  canvas.style.width = canvas.style.height = `${geometry.unit}px`;
  const context = canvas.getContext('2d')!;
  const image = new ImageData(canvas.width, canvas.height);
  new Uint32Array(image.data.buffer).set(tiles.picture(face, risk));
  context.putImageData(image, 0, 0);
  context.setTransform(scale, 0, 0, scale, 0, 0);
  if (mark) drawMark(context, geometry, { cell: 0, kind: mark }, theme, { heated: !Number.isNaN(risk), flagged: face === FLAGGED });
}
