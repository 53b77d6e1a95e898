//! Draws a scene on two canvases: tiles below, marks, hover, focus, border and rulers above.
//!
//! At most once a frame, and of the tiles only the smallest box around those that changed. Every
//! box is drawn by the same copying of pixels, so it cannot matter how much of a board is drawn
//! at once: `tests/browser/painter.test.ts` compares.

import { COVERED } from '../game/face.ts';
import type { Box } from './geometry.ts';
import { drawOverlay } from './overlay.ts';
import { PixelGrid, around, common, deviceScale } from './pixel-grid.ts';
import { drawRuler } from './ruler.ts';
import type { Scene } from './scene.ts';
import { readTheme, type Theme } from './theme.ts';
import { Tiles } from './tiles.ts';

export class Painter {
  readonly #scene: Scene;
  readonly #host: HTMLElement;
  readonly #scroller: HTMLElement;
  readonly #tileLayer = document.createElement('canvas');
  readonly #overlayLayer = document.createElement('canvas');
  readonly #forced = matchMedia('(forced-colors: active)');
  #tiles: Tiles | null = null;
  #theme: Theme | null = null;
  #dirty: Set<number> | 'all' = 'all';
  #overlayDirty = true;
  /** Cells look different, in sight or not. */
  #changed = true;
  #frame = 0;
  #image: ImageData | null = null;
  /** Called when something was drawn, with whether cells changed. */
  ondraw: ((theme: Theme, cells: boolean) => void) | null = null;

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
    this.#changed = true;
    this.#schedule();
  }

  /** Something above the tiles looks different now. */
  touchOverlay(): void {
    this.#overlayDirty = true;
    this.#schedule();
  }

  /** All is drawn again: another part of the board is in sight. */
  touchAll(): void {
    this.#dirty = 'all';
    this.touchOverlay();
  }

  /** Cells have another size or another style. */
  restyle(): void {
    this.#tiles = null;
    this.#changed = true;
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

  /** Draws all that is in sight at once, and returns how many cells that were. */
  repaint(): number {
    this.#dirty = 'all';
    this.#overlayDirty = true;
    return this.#draw();
  }

  /** Whether a change still waits for the next frame. */
  get isWaiting(): boolean {
    return this.#frame !== 0;
  }

  #schedule(): void {
    if (this.#frame || !this.#host.isConnected) return;
    this.#frame = requestAnimationFrame(() => {
      this.#frame = 0;
      this.#draw();
    });
  }

  #draw(): number {
    const { clientWidth, clientHeight, scrollLeft, scrollTop } = this.#scroller;
    if (clientWidth === 0 || clientHeight === 0) return 0;
    const scale = deviceScale();
    const [width, height] = [Math.round(clientWidth * scale), Math.round(clientHeight * scale)];
    this.#resize(width, height, scale);
    const theme = (this.#theme ??= readTheme(this.#host, this.#forced.matches));
    if (this.#tiles?.grid.scale !== scale) this.#tiles = new Tiles(new PixelGrid(this.#scene.geometry, scale), theme, this.#scene.heatStyle);
    const view: Box = { x: Math.round(scrollLeft * scale), y: Math.round(scrollTop * scale), width, height };
    const changed = this.#changed;
    this.#changed = false;
    const drawn = this.#drawTiles(this.#tiles, view);
    if (this.#overlayDirty) this.#drawOverlay(theme, view, scale);
    this.ondraw?.(theme, changed);
    return drawn;
  }

  /** Gives the canvases the size of the window; another size empties them. */
  #resize(width: number, height: number, scale: number): void {
    for (const canvas of [this.#tileLayer, this.#overlayLayer]) {
      canvas.style.width = `${width / scale}px`;
      canvas.style.height = `${height / scale}px`;
      if (canvas.width === width && canvas.height === height) continue;
      canvas.width = width;
      canvas.height = height;
      this.#dirty = 'all';
      this.#overlayDirty = true;
    }
  }

  /** Draws the part of the view that changed; `view` is in pixels of the screen. */
  #drawTiles(tiles: Tiles, view: Box): number {
    const dirty = this.#dirty;
    this.#dirty = new Set();
    if (dirty !== 'all' && dirty.size === 0) return 0;
    const changed = dirty === 'all' ? view : around([...dirty].map((cell) => tiles.grid.box(cell)));
    const part = changed && common(changed, view);
    return part ? this.#copyTiles(tiles, part, view) : 0;
  }

  /** Fills a part of the board with the pictures of its cells. */
  #copyTiles(tiles: Tiles, part: Box, view: Box): number {
    const { width, height } = part;
    if (this.#image?.width !== width || this.#image.height !== height) this.#image = new ImageData(width, height);
    const target = new Uint32Array(this.#image.data.buffer);
    target.fill(0);
    const { faces, heat, shape, geometry } = this.#scene;
    const pressed = new Set(this.#scene.pressed);
    const copy = geometry.hex ? copyHexagon : copySquare;
    const { top, bottom, left, right } = tiles.grid.span(part);
    for (let row = top; row <= bottom; row += 1) {
      const y = tiles.grid.top(row) - part.y;
      let x = tiles.grid.left(row, left) - part.x;
      for (let cell = row * shape.width + left; cell <= row * shape.width + right; cell += 1, x += tiles.grid.cellWidth) {
        const face = pressed.has(cell) && faces[cell] === COVERED ? 0 : faces[cell]!;
        copy(target, width, height, tiles.picture(face, heat?.[cell] ?? NaN), tiles.grid, x, y);
      }
    }
    this.#tileLayer.getContext('2d')!.putImageData(this.#image, part.x - view.x, part.y - view.y);
    return (bottom - top + 1) * (right - left + 1);
  }

  #drawOverlay(theme: Theme, view: Box, scale: number): void {
    this.#overlayDirty = false;
    const { geometry, shape, hover, focus, ruler } = this.#scene;
    const context = this.#overlayLayer.getContext('2d')!;
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.clearRect(0, 0, this.#overlayLayer.width, this.#overlayLayer.height);
    context.setTransform(scale, 0, 0, scale, -view.x, -view.y);
    drawOverlay(context, this.#scene, theme);
    if (hover !== null && !matchMedia('(hover: none)').matches) {
      context.beginPath();
      geometry.trace(context, geometry.box(hover), 0.5);
      context.strokeStyle = theme.ink;
      context.globalAlpha = 0.45;
      context.lineWidth = 1;
      context.stroke();
      context.globalAlpha = 1;
    }
    if (focus !== null) this.#drawFocus(context, theme, focus);
    if (shape.form === 'torus') this.#drawWrap(context, theme);
    if (ruler) {
      context.setTransform(scale, 0, 0, scale, 0, 0);
      drawRuler(context, geometry, theme, { x: view.x / scale, y: view.y / scale, width: view.width / scale, height: view.height / scale });
    }
  }

  /** A ring around the cell that has the focus, light outside and dark inside, in the form of the cell. */
  #drawFocus(context: CanvasRenderingContext2D, theme: Theme, cell: number): void {
    const { geometry } = this.#scene;
    context.lineJoin = 'round';
    for (const [inset, color, width] of [[0, theme.open, 6], [0.5, theme.focus, 3]] as const) {
      context.beginPath();
      geometry.trace(context, geometry.box(cell), inset);
      context.strokeStyle = color;
      context.lineWidth = width;
      context.stroke();
    }
  }

  /** A dashed border says that the board goes on at the other side. */
  #drawWrap(context: CanvasRenderingContext2D, theme: Theme): void {
    const { gutter, width, height } = this.#scene.geometry;
    context.setLineDash([6, 5]);
    context.lineWidth = 3;
    context.strokeStyle = theme.accent;
    context.strokeRect(gutter + 1.5, gutter + 1.5, width - gutter - 3, height - gutter - 3);
    context.setLineDash([]);
  }
}

/** Copies the picture of a square to a place, as far as it lies inside. */
function copySquare(target: Uint32Array, width: number, height: number, picture: Uint32Array, grid: PixelGrid, left: number, top: number): void {
  const [from, to] = [Math.max(0, left), Math.min(width, left + grid.cellWidth)];
  for (let y = Math.max(0, top); y < Math.min(height, top + grid.cellHeight); y += 1) {
    const source = (y - top) * grid.cellWidth - left;
    const row = y * width;
    for (let x = from; x < to; x += 1) target[row + x] = picture[source + x]!;
  }
}

/**
 * Copies the picture of a hexagon. Its box overlaps the boxes around it, and a pixel on a border
 * is covered in part by each of its cells: their shares are added.
 */
function copyHexagon(target: Uint32Array, width: number, height: number, picture: Uint32Array, grid: PixelGrid, left: number, top: number): void {
  const [from, to] = [Math.max(0, left), Math.min(width, left + grid.cellWidth)];
  for (let y = Math.max(0, top); y < Math.min(height, top + grid.cellHeight); y += 1) {
    const source = (y - top) * grid.cellWidth - left;
    const row = y * width;
    for (let x = from; x < to; x += 1) {
      const color = picture[source + x]!;
      const share = color >>> 24;
      if (share === 0) continue;
      const before = target[row + x]!;
      const sum = Math.min(255, share + (before >>> 24));
      target[row + x] = share === 255 ? color : ((sum << 24) | ((before >>> 24 === 0 ? color : before) & 0xffffff)) >>> 0;
    }
  }
}
