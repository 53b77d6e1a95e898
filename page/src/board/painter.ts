//! Draws a scene on two canvases: tiles below, marks, hover, border and rulers above.
//!
//! Only what is in sight is drawn, and of that only what changed, at most once a frame.

import { COVERED } from '../game/face.ts';
import type { Box } from './geometry.ts';
import { drawOverlay } from './overlay.ts';
import type { Scene } from './scene.ts';
import { readTheme } from './theme.ts';
import { TileSheet, type Theme } from './tiles.ts';

/** The width of the rulers. */
export const GUTTER = 22;
/** From so many cells on, copying pixels is faster than drawing. */
const MANY = 300;

export class Painter {
  readonly #scene: Scene;
  readonly #host: HTMLElement;
  readonly #scroller: HTMLElement;
  readonly #tileLayer = document.createElement('canvas');
  readonly #overlayLayer = document.createElement('canvas');
  readonly #forced = matchMedia('(forced-colors: active)');
  #tiles: TileSheet | null = null;
  #theme: Theme | null = null;
  #dirty: Set<number> | 'all' = 'all';
  #overlayDirty = true;
  #frame = 0;
  #image: ImageData | null = null;

  /** Draws what the scroller shows of the scene onto canvases that it puts into the sheet. */
  constructor(scene: Scene, host: HTMLElement, scroller: HTMLElement, sheet: HTMLElement) {
    this.#scene = scene;
    this.#host = host;
    this.#scroller = scroller;
    for (const canvas of [this.#tileLayer, this.#overlayLayer]) {
      canvas.setAttribute('aria-hidden', 'true');
      sheet.append(canvas);
    }
  }

  /** Cells that look different now. */
  touch(cells: Iterable<number>): void {
    if (this.#dirty !== 'all') for (const cell of cells) this.#dirty.add(cell);
    this.#schedule();
  }

  /** Something above the tiles looks different now. */
  touchOverlay(): void {
    this.#overlayDirty = true;
    this.#schedule();
  }

  touchAll(): void {
    this.#dirty = 'all';
    this.touchOverlay();
  }

  /** Cells have another size or another style. */
  restyle(): void {
    this.#tiles = null;
    this.touchAll();
  }

  /** Colors are read from the page again when they are needed. */
  forgetTheme(): void {
    this.#theme = null;
  }

  /** Draws nothing more until something is touched. */
  rest(): void {
    cancelAnimationFrame(this.#frame);
    this.#frame = 0;
  }

  /** Draws all that is in sight at once, and tells how many cells that were. */
  repaint(): number {
    this.#dirty = 'all';
    this.#overlayDirty = true;
    return this.#draw();
  }

  #schedule(): void {
    if (this.#frame || !this.#host.isConnected) return;
    this.#frame = requestAnimationFrame(() => {
      this.#frame = 0;
      this.#draw();
    });
  }

  #draw(): number {
    const { clientWidth: width, clientHeight: height, scrollLeft, scrollTop } = this.#scroller;
    if (width === 0 || height === 0) return 0;
    const scale = Math.min(3, window.devicePixelRatio || 1);
    for (const canvas of [this.#tileLayer, this.#overlayLayer]) {
      const [w, h] = [Math.round(width * scale), Math.round(height * scale)];
      if (canvas.width === w && canvas.height === h) continue;
      canvas.width = w;
      canvas.height = h;
      canvas.style.width = `${width}px`;
      canvas.style.height = `${height}px`;
      this.#dirty = 'all';
      this.#overlayDirty = true;
    }
    const theme = (this.#theme ??= readTheme(this.#host, this.#forced.matches));
    this.#tiles ??= new TileSheet(this.#scene.geometry, scale, theme, this.#scene.heatStyle);
    const view: Box = { x: scrollLeft, y: scrollTop, width, height };
    const drawn = this.#drawTiles(this.#tiles, view, scale);
    if (this.#overlayDirty) this.#drawOverlay(theme, view, scale);
    return drawn;
  }

  #drawTiles(tiles: TileSheet, view: Box, scale: number): number {
    const { top, bottom, left, right } = this.#scene.geometry.span(view);
    const context = this.#tileLayer.getContext('2d')!;
    const cells: number[] = [];
    if (this.#dirty === 'all') {
      context.clearRect(0, 0, this.#tileLayer.width, this.#tileLayer.height);
      for (let row = top; row <= bottom; row += 1) {
        for (let column = left; column <= right; column += 1) cells.push(row * this.#scene.shape.width + column);
      }
    } else {
      for (const cell of this.#dirty) {
        const [row, column] = this.#scene.shape.place(cell);
        if (row >= top && row <= bottom && column >= left && column <= right) cells.push(cell);
      }
    }
    this.#dirty = new Set();
    const pressed = this.#scene.pressed;
    const keys = cells.map((cell) => {
      const face = pressed.includes(cell) && this.#scene.faces[cell] === COVERED ? 0 : this.#scene.faces[cell]!;
      const key = tiles.key(face, this.#scene.heat?.[cell] ?? NaN);
      tiles.slot(key);
      return key;
    });
    if (cells.length > MANY && !this.#scene.geometry.hex) this.#blit(context, tiles, cells, keys, view, scale);
    else {
      cells.forEach((cell, i) => {
        const from = tiles.slot(keys[i]!);
        const { left, top, right, bottom } = this.#pixelBox(tiles, cell, view, scale);
        context.drawImage(tiles.canvas, from.x, from.y, tiles.width, tiles.height, left, top, right - left, bottom - top);
      });
    }
    return cells.length;
  }

  /** Where a cell lies on the canvas, in whole pixels without gaps. */
  #pixelBox(tiles: TileSheet, cell: number, view: Box, scale: number) {
    const { x, y } = this.#scene.geometry.box(cell);
    const { unit, hex } = this.#scene.geometry;
    const [left, top] = [Math.round((x - view.x) * scale), Math.round((y - view.y) * scale)];
    return {
      left, top,
      right: hex ? left + tiles.width : Math.round((x - view.x + unit) * scale),
      bottom: hex ? top + tiles.height : Math.round((y - view.y + unit) * scale),
    };
  }

  /**
   * Draws many square cells by copying pixels: one pass over the picture, where thousands of
   * drawing calls would take ten times as long.
   */
  #blit(context: CanvasRenderingContext2D, tiles: TileSheet, cells: number[], keys: number[], view: Box, scale: number): void {
    const { width, height } = this.#tileLayer;
    if (this.#image?.width !== width || this.#image.height !== height) this.#image = new ImageData(width, height);
    const target = new Uint32Array(this.#image.data.buffer);
    target.fill(0);
    for (let i = 0; i < cells.length; i += 1) {
      const { left, top, right, bottom } = this.#pixelBox(tiles, cells[i]!, view, scale);
      const source = tiles.pixels(keys[i]!);
      const [from, to] = [Math.max(0, left), Math.min(width, right)];
      for (let y = Math.max(0, top); y < Math.min(height, bottom); y += 1) {
        const offset = (y - top) * tiles.width - left;
        const row = y * width;
        for (let x = from; x < to; x += 1) target[row + x] = source[offset + x]!;
      }
    }
    context.putImageData(this.#image, 0, 0);
  }

  #drawOverlay(theme: Theme, view: Box, scale: number): void {
    this.#overlayDirty = false;
    const context = this.#overlayLayer.getContext('2d')!;
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.clearRect(0, 0, this.#overlayLayer.width, this.#overlayLayer.height);
    context.setTransform(scale, 0, 0, scale, -view.x * scale, -view.y * scale);
    drawOverlay(context, this.#scene.geometry, this.#scene.overlay, theme, this.#scene.heat !== null);
    if (this.#scene.hover !== null && !matchMedia('(hover: none)').matches) {
      context.beginPath();
      this.#scene.geometry.trace(context, this.#scene.geometry.box(this.#scene.hover), 0.5);
      context.strokeStyle = theme.ink;
      context.globalAlpha = 0.45;
      context.lineWidth = 1;
      context.stroke();
      context.globalAlpha = 1;
    }
    if (this.#scene.shape.form === 'torus') this.#drawWrap(context, theme);
    if (this.#scene.ruler) this.#drawRuler(context, theme, view, scale);
  }

  /** A dashed border tells that the board goes on at the other side. */
  #drawWrap(context: CanvasRenderingContext2D, theme: Theme): void {
    const { gutter, width, height } = this.#scene.geometry;
    context.setLineDash([6, 5]);
    context.lineWidth = 3;
    context.strokeStyle = theme.accent;
    context.strokeRect(gutter + 1.5, gutter + 1.5, width - gutter - 3, height - gutter - 3);
    context.setLineDash([]);
  }

  #drawRuler(context: CanvasRenderingContext2D, theme: Theme, view: Box, scale: number): void {
    const { unit, rowHeight, cellHeight } = this.#scene.geometry;
    context.setTransform(scale, 0, 0, scale, 0, 0);
    context.fillStyle = theme.line;
    context.fillRect(0, 0, view.width, GUTTER);
    context.fillRect(0, 0, GUTTER, view.height);
    context.fillStyle = theme.muted;
    context.font = `500 10px ${theme.font}`;
    context.textAlign = 'center';
    context.textBaseline = 'middle';
    const every = Math.max(1, Math.ceil(18 / unit));
    const { top, bottom, left, right } = this.#scene.geometry.span(view);
    for (let column = left; column <= right; column += 1) {
      const x = GUTTER + (column + 0.5) * unit - view.x;
      if (column % every === 0 && x > GUTTER + 4) context.fillText(String(column), x, GUTTER / 2);
    }
    for (let row = top; row <= bottom; row += 1) {
      const y = GUTTER + row * rowHeight + cellHeight / 2 - view.y;
      if (row % every === 0 && y > GUTTER + 4) context.fillText(String(row), GUTTER / 2, y);
    }
    context.fillStyle = theme.line;
    context.fillRect(0, 0, GUTTER, GUTTER);
  }
}
