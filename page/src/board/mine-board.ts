//! `<mine-board>`: a board of any shape on two canvases, with a real ARIA grid above them.
//!
//! It shows what it is given and tells what people do on it; it knows no rules. It depends on no
//! framework, so any page can embed it:
//!
//! ```ts
//! const board = document.querySelector('mine-board');
//! board.setShape(new Shape('rect', 9, 9));
//! board.setFaces(faces);
//! board.addEventListener('cellopen', (event) => play(event.detail.cell));
//! ```
//!
//! Only what is in sight is drawn, and of that only what changed, so a board of 10 000 cells costs
//! no more than its window. Gridcells exist around the focus; smaller boards have all of them.

import { BLANK, COVERED, FLAGGED, MINE, isOpen, spoken } from '../game/face.ts';
import { Shape } from '../game/shape.ts';
import { Geometry, fitUnit, type Box } from './geometry.ts';
import { percent, type Palette } from './heat.ts';
import { DEFAULT_KEYS, commandOf, type KeyMap } from './keys.ts';
import { NO_OVERLAY, drawOverlay, type Overlay } from './overlay.ts';
import { TileSheet, type HeatStyle, type Theme } from './tiles.ts';

export type Mode = 'play' | 'edit' | 'view';
export type Tool = 'open' | 'flag';

export interface BoardEvents {
  /** A covered cell should be opened. */
  cellopen: { cell: number };
  cellflag: { cell: number };
  cellchord: { cell: number };
  /** In `edit` mode: put the brush here, or `face` if a key named one. */
  cellpaint: { cell: number; face: number | null; drag: boolean };
  /** In `edit` mode: the stroke is over. */
  cellpaintend: { cell: number };
  /** In `view` mode: the cell was chosen. */
  cellpick: { cell: number };
  /** The pointer or the focus is on this cell, or on none. */
  cellhover: { cell: number | null };
}

const STYLE = `
:host { display: block; position: relative; min-height: 0; --mb-font: system-ui, sans-serif; }
.scroller { position: relative; overflow: auto; margin-inline: auto; overscroll-behavior: contain;
  touch-action: pan-x pan-y; border-radius: 6px; -webkit-user-select: none; user-select: none;
  -webkit-touch-callout: none; background: var(--mb-line, #c9d1d8); scrollbar-width: thin; }
.scroller.fits { overflow: hidden; }
.scroller.bare { background: none; }
.content { position: relative; }
.sheet { position: sticky; top: 0; left: 0; width: 0; height: 0; z-index: 0; }
canvas { position: absolute; top: 0; left: 0; display: block; pointer-events: none; }
.grid { position: absolute; inset: 0; z-index: 1; }
[role=row] { display: contents; }
[role=gridcell] { position: absolute; outline: none; cursor: default; border-radius: 4px; }
.keys [role=gridcell]:focus { outline: 3px solid var(--mb-focus, #b3540b); outline-offset: -2px; box-shadow: 0 0 0 2px var(--mb-open, #fff); z-index: 2; }
.live { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
:host([mode=edit]) .scroller { cursor: crosshair; }
`;

const sheet = typeof CSSStyleSheet === 'undefined' ? null : new CSSStyleSheet();
sheet?.replaceSync(STYLE);

const GUTTER = 22;
/** The most rows and columns that have gridcells. */
const WINDOW = { rows: 24, columns: 40 };
/** From so many cells on, copying pixels is faster than drawing. */
const MANY = 300;
const LONG_PRESS = 380;
const SLACK = 10;

interface Press {
  id: number;
  cell: number;
  x: number;
  y: number;
  touch: boolean;
  timer: number;
  done: boolean;
}

const Base = typeof HTMLElement === 'undefined' ? (class {} as typeof HTMLElement) : HTMLElement;

export class MineBoard extends Base {
  #shape = new Shape('rect', 9, 9);
  #geometry = new Geometry(this.#shape, 32);
  #faces = new Uint8Array(81).fill(COVERED);
  #heat: Float64Array | null = null;
  #overlay: Overlay = NO_OVERLAY;
  #heatStyle: HeatStyle = { palette: 'cividis', numbers: true, certain: false };
  #ruler = false;
  #zoom: number | null = null;
  #focus = 0;
  #hover: number | null = null;
  #pressed: number[] = [];
  #press: Press | null = null;
  #pinch: { distance: number; unit: number } | null = null;
  #touches = new Map<number, { x: number; y: number }>();
  #tiles: TileSheet | null = null;
  #theme: Theme | null = null;
  #dirty: Set<number> | 'all' = 'all';
  #overlayDirty = true;
  #frame = 0;
  #image: ImageData | null = null;
  #labels = new Map<number, HTMLElement>();
  #span = { top: 0, left: 0, bottom: -1, right: -1 };
  #mode: Mode = 'play';
  #extra: ((cell: number) => string) | null = null;

  tool: Tool = 'open';
  keys: KeyMap = DEFAULT_KEYS;
  /** Whether a click on an open number is a chord. */
  chords = true;

  readonly #scroller = document.createElement('div');
  readonly #content = document.createElement('div');
  readonly #sheet = document.createElement('div');
  readonly #tileCanvas = document.createElement('canvas');
  readonly #overlayCanvas = document.createElement('canvas');
  readonly #grid = document.createElement('div');
  readonly #live = document.createElement('div');
  readonly #resize = new ResizeObserver(() => this.#layOut());
  readonly #schemes = ['(prefers-color-scheme: dark)', '(forced-colors: active)', '(pointer: coarse)'].map((query) => matchMedia(query));

  constructor() {
    super();
    const root = this.attachShadow({ mode: 'open', delegatesFocus: true });
    if (sheet) root.adoptedStyleSheets = [sheet];
    this.#scroller.className = 'scroller';
    this.#content.className = 'content';
    this.#sheet.className = 'sheet';
    this.#grid.className = 'grid';
    this.#live.className = 'live';
    this.#grid.setAttribute('role', 'grid');
    this.#live.setAttribute('role', 'status');
    for (const canvas of [this.#tileCanvas, this.#overlayCanvas]) {
      canvas.setAttribute('aria-hidden', 'true');
      this.#sheet.append(canvas);
    }
    this.#content.append(this.#sheet, this.#grid);
    this.#scroller.append(this.#content);
    root.append(this.#scroller, this.#live);
    this.#listen();
  }

  connectedCallback(): void {
    this.#resize.observe(this);
    for (const scheme of this.#schemes) scheme.addEventListener('change', this.refreshTheme);
    this.#nameGrid();
    this.#layOut();
  }

  disconnectedCallback(): void {
    this.#resize.disconnect();
    for (const scheme of this.#schemes) scheme.removeEventListener('change', this.refreshTheme);
    cancelAnimationFrame(this.#frame);
    this.#frame = 0;
  }

  static get observedAttributes(): string[] {
    return ['label', 'mode'];
  }

  attributeChangedCallback(name: string, _: string | null, value: string | null): void {
    if (name === 'label') this.#nameGrid();
    if (name === 'mode') this.#mode = value === 'edit' || value === 'view' ? value : 'play';
  }

  /** What people may do: play, draw a position, or look and choose. */
  get mode(): Mode {
    return this.#mode;
  }

  set mode(mode: Mode) {
    this.setAttribute('mode', mode);
  }

  // What is shown ------------------------------------------------------------------------------

  get shape(): Shape {
    return this.#shape;
  }

  get geometry(): Geometry {
    return this.#geometry;
  }

  /** Takes another shape, all covered; the same shape changes nothing. */
  setShape(shape: Shape): void {
    if (shape.same(this.#shape) && this.#span.bottom >= 0) return;
    this.#shape = shape;
    this.#faces = new Uint8Array(shape.size).fill(COVERED);
    this.#heat = null;
    this.#overlay = NO_OVERLAY;
    this.#focus = Math.min(this.#focus, shape.size - 1);
    this.#span = { top: 0, left: 0, bottom: -1, right: -1 };
    this.#zoom = null;
    this.#layOut();
  }

  /** Shows these faces; only cells that changed are drawn again. */
  setFaces(faces: Uint8Array): void {
    if (faces.length !== this.#faces.length) return;
    for (let cell = 0; cell < faces.length; cell += 1) {
      if (faces[cell] === this.#faces[cell]) continue;
      this.#faces[cell] = faces[cell]!;
      this.#touch(cell);
    }
    this.#schedule();
  }

  /** Shows risks of covered cells as color; NaN where there is none, null for no heat at all. */
  setHeat(heat: Float64Array | null): void {
    const had = this.#heat;
    this.#heat = heat;
    for (let cell = 0; cell < this.#shape.size; cell += 1) {
      const [before, now] = [had?.[cell] ?? NaN, heat?.[cell] ?? NaN];
      if (!Object.is(before, now)) this.#touch(cell);
    }
    this.#overlayDirty = true;
    this.#schedule();
  }

  setOverlay(overlay: Overlay): void {
    this.#overlay = overlay;
    this.#overlayDirty = true;
    this.#schedule();
  }

  /** Words that follow the spoken label of a cell. */
  setExtra(extra: ((cell: number) => string) | null): void {
    this.#extra = extra;
    for (const [cell] of this.#labels) this.#relabel(cell);
  }

  /** `certain`: whether 0 and 100 are written too, where no tick and cross say so. */
  setHeatStyle(palette: Palette, numbers: boolean, certain = false): void {
    const style = { palette, numbers, certain };
    if (JSON.stringify(style) === JSON.stringify(this.#heatStyle)) return;
    this.#heatStyle = style;
    this.#restyle();
  }

  setRuler(ruler: boolean): void {
    if (ruler === this.#ruler) return;
    this.#ruler = ruler;
    this.#layOut();
  }

  /** Says something politely. */
  announce(text: string): void {
    this.#live.textContent = text;
  }

  get focusedCell(): number {
    return this.#focus;
  }

  focusCell(cell: number, scroll = true): void {
    if (cell < 0 || cell >= this.#shape.size) return;
    const moved = this.#focus;
    this.#focus = cell;
    this.#windowGrid();
    this.#labels.get(moved)?.setAttribute('tabindex', '-1');
    const target = this.#labels.get(cell);
    target?.setAttribute('tabindex', '0');
    target?.focus({ preventScroll: true });
    if (scroll) this.#reveal(cell);
  }

  // Size ---------------------------------------------------------------------------------------

  /** Makes cells larger or smaller; null fits them to the space again. */
  setZoom(unit: number | null): void {
    this.#zoom = unit === null ? null : Math.max(6, Math.min(72, unit));
    this.#layOut();
  }

  get unit(): number {
    return this.#geometry.unit;
  }

  zoomBy(factor: number, at?: { x: number; y: number }): void {
    const scroller = this.#scroller;
    const box = scroller.getBoundingClientRect();
    const [x, y] = at ? [at.x - box.x, at.y - box.y] : [scroller.clientWidth / 2, scroller.clientHeight / 2];
    const before = this.#geometry.unit;
    const place = [(scroller.scrollLeft + x) / before, (scroller.scrollTop + y) / before] as const;
    const next = factor > 1 ? Math.ceil(before * factor) : Math.floor(before * factor);
    this.setZoom(next);
    scroller.scrollLeft = place[0] * this.#geometry.unit - x;
    scroller.scrollTop = place[1] * this.#geometry.unit - y;
  }

  #layOut(): void {
    if (!this.isConnected) return;
    const gutter = this.#ruler ? GUTTER : 0;
    const width = this.clientWidth;
    if (width === 0) return;
    const limit = parseFloat(getComputedStyle(this).maxHeight);
    const height = Number.isFinite(limit) ? limit : Infinity;
    const coarse = this.#schemes[2]!.matches;
    const most = Number(this.getAttribute('most') ?? 48);
    const least = Number(this.getAttribute('least') ?? (coarse ? 44 : 22));
    const across = fitUnit(this.#shape, { width, height: Infinity }, { least: 1, most }, gutter);
    const whole = fitUnit(this.#shape, { width, height }, { least: 1, most }, gutter);
    // A board that nearly fits a phone is shown whole; a larger one scrolls with cells to touch.
    const floor = coarse && !this.hasAttribute('least') ? 34 : least;
    const unit = this.#zoom ?? (whole >= floor ? whole : across >= floor ? Math.max(floor, Math.min(across, least)) : Math.min(least, most));
    this.#geometry = new Geometry(this.#shape, unit, gutter);
    const [contentWidth, contentHeight] = [Math.ceil(this.#geometry.width), Math.ceil(this.#geometry.height)];
    const fits = contentWidth <= width && contentHeight <= height;
    this.#scroller.classList.toggle('fits', fits);
    this.#scroller.classList.toggle('bare', this.#geometry.hex && !this.#ruler);
    this.#scroller.style.width = `${Math.min(width, contentWidth)}px`;
    this.#scroller.style.height = `${Math.min(height, contentHeight)}px`;
    this.#content.style.width = `${contentWidth}px`;
    this.#content.style.height = `${contentHeight}px`;
    this.#span = { top: 0, left: 0, bottom: -1, right: -1 };
    this.#windowGrid();
    this.#restyle();
  }

  /** Reads colors from the page again. */
  refreshTheme = (): void => {
    this.#theme = null;
    this.#layOut();
  };

  #restyle(): void {
    this.#tiles = null;
    this.#dirty = 'all';
    this.#overlayDirty = true;
    this.#schedule();
  }

  // Drawing ------------------------------------------------------------------------------------

  /** Draws all that is in sight at once, and tells how many cells that were. */
  repaint(): number {
    this.#dirty = 'all';
    this.#overlayDirty = true;
    return this.#draw();
  }

  #touch(cell: number): void {
    if (this.#dirty !== 'all') this.#dirty.add(cell);
    this.#relabel(cell);
  }

  #schedule(): void {
    if (this.#frame || !this.isConnected) return;
    this.#frame = requestAnimationFrame(() => {
      this.#frame = 0;
      this.#draw();
    });
  }

  get #scale(): number {
    return Math.min(3, window.devicePixelRatio || 1);
  }

  #draw(): number {
    const { clientWidth: width, clientHeight: height, scrollLeft, scrollTop } = this.#scroller;
    if (width === 0 || height === 0) return 0;
    const scale = this.#scale;
    for (const canvas of [this.#tileCanvas, this.#overlayCanvas]) {
      const [w, h] = [Math.round(width * scale), Math.round(height * scale)];
      if (canvas.width === w && canvas.height === h) continue;
      canvas.width = w;
      canvas.height = h;
      canvas.style.width = `${width}px`;
      canvas.style.height = `${height}px`;
      this.#dirty = 'all';
      this.#overlayDirty = true;
    }
    const theme = (this.#theme ??= this.#readTheme());
    this.#tiles ??= new TileSheet(this.#geometry, scale, theme, this.#heatStyle);
    const view: Box = { x: scrollLeft, y: scrollTop, width, height };
    const drawn = this.#drawTiles(this.#tiles, view, scale);
    if (this.#overlayDirty) this.#drawOverlay(theme, view, scale);
    return drawn;
  }

  #drawTiles(tiles: TileSheet, view: Box, scale: number): number {
    const { top, bottom, left, right } = this.#geometry.span(view);
    const context = this.#tileCanvas.getContext('2d')!;
    const cells: number[] = [];
    if (this.#dirty === 'all') {
      context.clearRect(0, 0, this.#tileCanvas.width, this.#tileCanvas.height);
      for (let row = top; row <= bottom; row += 1) {
        for (let column = left; column <= right; column += 1) cells.push(row * this.#shape.width + column);
      }
    } else {
      for (const cell of this.#dirty) {
        const [row, column] = this.#shape.place(cell);
        if (row >= top && row <= bottom && column >= left && column <= right) cells.push(cell);
      }
    }
    this.#dirty = new Set();
    const pressed = this.#pressed;
    const keys = cells.map((cell) => {
      const face = pressed.includes(cell) && this.#faces[cell] === COVERED ? 0 : this.#faces[cell]!;
      const key = tiles.key(face, this.#heat?.[cell] ?? NaN);
      tiles.slot(key);
      return key;
    });
    if (cells.length > MANY && !this.#geometry.hex) this.#blit(context, tiles, cells, keys, view, scale);
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
    const { x, y } = this.#geometry.box(cell);
    const { unit, hex } = this.#geometry;
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
    const { width, height } = this.#tileCanvas;
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
    const context = this.#overlayCanvas.getContext('2d')!;
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.clearRect(0, 0, this.#overlayCanvas.width, this.#overlayCanvas.height);
    context.setTransform(scale, 0, 0, scale, -view.x * scale, -view.y * scale);
    drawOverlay(context, this.#geometry, this.#overlay, theme, this.#heat !== null);
    if (this.#hover !== null && !matchMedia('(hover: none)').matches) {
      context.beginPath();
      this.#geometry.trace(context, this.#geometry.box(this.#hover), 0.5);
      context.strokeStyle = theme.ink;
      context.globalAlpha = 0.45;
      context.lineWidth = 1;
      context.stroke();
      context.globalAlpha = 1;
    }
    if (this.#shape.form === 'torus') this.#drawWrap(context, theme);
    if (this.#ruler) this.#drawRuler(context, theme, view, scale);
  }

  /** A dashed border tells that the board goes on at the other side. */
  #drawWrap(context: CanvasRenderingContext2D, theme: Theme): void {
    const { gutter, width, height } = this.#geometry;
    context.setLineDash([6, 5]);
    context.lineWidth = 3;
    context.strokeStyle = theme.accent;
    context.strokeRect(gutter + 1.5, gutter + 1.5, width - gutter - 3, height - gutter - 3);
    context.setLineDash([]);
  }

  #drawRuler(context: CanvasRenderingContext2D, theme: Theme, view: Box, scale: number): void {
    const { unit, rowHeight, cellHeight } = this.#geometry;
    context.setTransform(scale, 0, 0, scale, 0, 0);
    context.fillStyle = theme.line;
    context.fillRect(0, 0, view.width, GUTTER);
    context.fillRect(0, 0, GUTTER, view.height);
    context.fillStyle = theme.muted;
    context.font = `500 10px ${theme.font}`;
    context.textAlign = 'center';
    context.textBaseline = 'middle';
    const every = Math.max(1, Math.ceil(18 / unit));
    const { top, bottom, left, right } = this.#geometry.span(view);
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

  #readTheme(): Theme {
    const style = getComputedStyle(this);
    const read = (name: string, other: string) => style.getPropertyValue(`--mb-${name}`).trim() || other;
    const digits = ['#1f5bb5', '#10714c', '#b8341b', '#5b3aa8', '#85480a', '#0b6675', '#23272b', '#626a73'];
    if (this.#schemes[1]!.matches) return this.#forcedTheme();
    return {
      covered: read('covered', '#bec9d3'),
      edge: read('edge', 'rgb(0 0 0 / 0.10)'),
      shine: read('shine', 'rgb(255 255 255 / 0.5)'),
      open: read('open', '#f5f7f8'),
      line: read('line', '#d5dce2'),
      ink: read('ink', '#1b2026'),
      muted: read('muted', '#5a6570'),
      accent: read('accent', '#0e6f8c'),
      flag: read('flag', '#b8341b'),
      danger: read('danger', '#c0321a'),
      safe: read('safe', '#10714c'),
      digits: digits.map((digit, i) => read(`digit-${i + 1}`, digit)),
      font: style.fontFamily || 'system-ui, sans-serif',
    };
  }

  /** System colors, resolved by the browser through a probe. */
  #forcedTheme(): Theme {
    const probe = document.createElement('span');
    this.shadowRoot!.append(probe);
    const resolve = (name: string) => {
      probe.style.color = name;
      return getComputedStyle(probe).color;
    };
    const [canvas, text, face, mark] = ['Canvas', 'CanvasText', 'ButtonFace', 'Highlight'].map(resolve) as [string, string, string, string];
    const theme: Theme = {
      covered: face, edge: text, shine: text, open: canvas, line: text, ink: text, muted: text,
      accent: mark, flag: text, danger: text, safe: text, digits: Array<string>(8).fill(text),
      font: getComputedStyle(this).fontFamily,
    };
    probe.remove();
    return theme;
  }

  // The grid for assistive technology ------------------------------------------------------------

  #nameGrid(): void {
    this.#grid.setAttribute('aria-label', this.getAttribute('label') ?? 'Board');
  }

  /** Makes gridcells around the focus; a board of ordinary size has all of them. */
  #windowGrid(): void {
    const { width, height } = this.#shape;
    const [row, column] = this.#shape.place(this.#focus);
    const inside = (at: number, low: number, high: number, last: number) =>
      at >= (low === 0 ? 0 : low + 2) && at <= (high === last ? last : high - 2);
    const { top, bottom, left, right } = this.#span;
    if (bottom >= 0 && inside(row, top, bottom, height - 1) && inside(column, left, right, width - 1)) return;

    const from = (at: number, window: number, size: number) => Math.max(0, Math.min(at - Math.floor(window / 2), size - window));
    const first = { row: from(row, WINDOW.rows, height), column: from(column, WINDOW.columns, width) };
    this.#span = {
      top: first.row,
      left: first.column,
      bottom: Math.min(height, first.row + WINDOW.rows) - 1,
      right: Math.min(width, first.column + WINDOW.columns) - 1,
    };
    const hadFocus = this.shadowRoot!.activeElement?.getAttribute('role') === 'gridcell';
    this.#labels.clear();
    const rows: HTMLElement[] = [];
    for (let r = this.#span.top; r <= this.#span.bottom; r += 1) {
      const line = document.createElement('div');
      line.setAttribute('role', 'row');
      line.setAttribute('aria-rowindex', String(r + 1));
      for (let c = this.#span.left; c <= this.#span.right; c += 1) line.append(this.#gridCell(r * width + c, c));
      rows.push(line);
    }
    this.#grid.setAttribute('aria-rowcount', String(height));
    this.#grid.setAttribute('aria-colcount', String(width));
    this.#grid.replaceChildren(...rows);
    if (hadFocus) this.#labels.get(this.#focus)?.focus({ preventScroll: true });
  }

  #gridCell(cell: number, column: number): HTMLElement {
    const element = document.createElement('div');
    const { x, y, width, height } = this.#geometry.box(cell);
    element.setAttribute('role', 'gridcell');
    element.setAttribute('aria-colindex', String(column + 1));
    element.setAttribute('tabindex', cell === this.#focus ? '0' : '-1');
    element.dataset.cell = String(cell);
    element.style.left = `${x}px`;
    element.style.top = `${y}px`;
    element.style.width = `${width}px`;
    element.style.height = `${height}px`;
    this.#labels.set(cell, element);
    this.#relabel(cell);
    return element;
  }

  #relabel(cell: number): void {
    const element = this.#labels.get(cell);
    if (!element) return;
    const [row, column] = this.#shape.place(cell);
    const risk = this.#heat?.[cell] ?? NaN;
    const words = [`row ${row}`, `column ${column}`, spoken(this.#faces[cell]!)];
    if (!Number.isNaN(risk) && !isOpen(this.#faces[cell]!)) words.push(`${percent(risk)} mine`);
    const extra = this.#extra?.(cell);
    if (extra) words.push(extra);
    element.setAttribute('aria-label', words.join(', '));
  }

  #reveal(cell: number): void {
    const { x, y, width, height } = this.#geometry.box(cell);
    const { scrollLeft, scrollTop, clientWidth, clientHeight } = this.#scroller;
    const gutter = this.#geometry.gutter;
    if (x - gutter < scrollLeft) this.#scroller.scrollLeft = x - gutter - width;
    else if (x + width > scrollLeft + clientWidth) this.#scroller.scrollLeft = x + 2 * width - clientWidth;
    if (y - gutter < scrollTop) this.#scroller.scrollTop = y - gutter - height;
    else if (y + height > scrollTop + clientHeight) this.#scroller.scrollTop = y + 2 * height - clientHeight;
  }

  /** Brings a cell to the middle without taking the focus. */
  center(cell: number): void {
    const [x, y] = this.#geometry.center(cell);
    this.#scroller.scrollLeft = x - this.#scroller.clientWidth / 2;
    this.#scroller.scrollTop = y - this.#scroller.clientHeight / 2;
  }

  // What people do -------------------------------------------------------------------------------

  #tell<K extends keyof BoardEvents>(type: K, detail: BoardEvents[K]): void {
    this.dispatchEvent(new CustomEvent(type, { detail, bubbles: true, composed: true }));
  }

  #listen(): void {
    const scroller = this.#scroller;
    scroller.addEventListener('scroll', () => {
      this.#dirty = 'all';
      this.#overlayDirty = true;
      this.#schedule();
    }, { passive: true });
    scroller.addEventListener('pointerdown', (event) => this.#down(event));
    scroller.addEventListener('pointermove', (event) => this.#move(event));
    scroller.addEventListener('pointerup', (event) => this.#up(event));
    scroller.addEventListener('pointercancel', (event) => this.#cancel(event));
    scroller.addEventListener('pointerleave', () => this.#setHover(null));
    scroller.addEventListener('contextmenu', (event) => event.preventDefault());
    scroller.addEventListener('auxclick', (event) => event.preventDefault());
    // Assistive technology clicks without a pointer.
    scroller.addEventListener('click', (event) => {
      const cell = Number((event.target as HTMLElement).dataset?.cell ?? NaN);
      if (event.detail === 0 && !Number.isNaN(cell)) this.#primary(cell);
    });
    scroller.addEventListener('wheel', (event) => {
      if (!event.ctrlKey) return;
      event.preventDefault();
      this.zoomBy(event.deltaY < 0 ? 1.1 : 0.9, { x: event.clientX, y: event.clientY });
    }, { passive: false });
    this.#grid.addEventListener('keydown', (event) => {
      this.#grid.classList.add('keys');
      this.#key(event);
    });
    // The focus is drawn for those who came by keyboard.
    this.#grid.addEventListener('focusin', (event) => {
      if ((event.target as HTMLElement).matches(':focus-visible') && !this.#press) this.#grid.classList.add('keys');
    });
    this.#grid.addEventListener('focusin', (event) => {
      const cell = Number((event.target as HTMLElement).dataset.cell ?? NaN);
      if (Number.isNaN(cell)) return;
      if (cell !== this.#focus) {
        this.#labels.get(this.#focus)?.setAttribute('tabindex', '-1');
        this.#labels.get(cell)?.setAttribute('tabindex', '0');
        this.#focus = cell;
      }
      this.#tell('cellhover', { cell });
    });
  }

  #at(event: { clientX: number; clientY: number }): number | null {
    const box = this.#scroller.getBoundingClientRect();
    const [x, y] = [event.clientX - box.x, event.clientY - box.y];
    const { clientWidth, clientHeight } = this.#scroller;
    if (x < this.#geometry.gutter || y < this.#geometry.gutter || x >= clientWidth || y >= clientHeight) return null;
    return this.#geometry.cellAt(x + this.#scroller.scrollLeft, y + this.#scroller.scrollTop);
  }

  #setHover(cell: number | null): void {
    if (cell === this.#hover) return;
    this.#hover = cell;
    this.#overlayDirty = true;
    this.#schedule();
    this.#tell('cellhover', { cell });
  }

  #setPressed(cells: number[]): void {
    for (const cell of [...this.#pressed, ...cells]) if (this.#dirty !== 'all') this.#dirty.add(cell);
    this.#pressed = cells;
    this.#schedule();
  }

  /** What a press on a cell would open, shown sunk while it lasts. */
  #sunk(cell: number): number[] {
    if (this.mode !== 'play' || this.tool === 'flag') return [];
    const face = this.#faces[cell]!;
    if (face === COVERED) return [cell];
    if (!this.chords || face < 1 || face > 8) return [];
    return this.#shape.neighbors(cell).filter((near) => this.#faces[near] === COVERED);
  }

  #down(event: PointerEvent): void {
    const cell = this.#at(event);
    this.#grid.classList.remove('keys');
    if (event.pointerType === 'touch') {
      this.#touches.set(event.pointerId, { x: event.clientX, y: event.clientY });
      if (this.#touches.size === 2) {
        this.#drop();
        this.#pinch = { distance: this.#spread(), unit: this.#geometry.unit };
        return;
      }
    }
    if (cell === null) return;
    if (event.pointerType === 'mouse') event.preventDefault();
    this.focusCell(cell, false);
    this.#grid.classList.remove('keys');
    if (event.pointerType === 'mouse' && event.button !== 0) {
      this.#drop();
      if (event.button === 1 || (event.button === 2 && (event.buttons & 1) !== 0)) this.#tell('cellchord', { cell });
      else if (event.button === 2) this.#secondary(cell);
      return;
    }
    if (this.mode === 'edit' && event.pointerType !== 'touch') {
      this.#scroller.setPointerCapture(event.pointerId);
      this.#press = { id: event.pointerId, cell, x: event.clientX, y: event.clientY, touch: false, timer: 0, done: false };
      this.#tell('cellpaint', { cell, face: null, drag: false });
      return;
    }
    const touch = event.pointerType === 'touch';
    const timer = touch ? window.setTimeout(() => this.#longPress(), LONG_PRESS) : 0;
    this.#press = { id: event.pointerId, cell, x: event.clientX, y: event.clientY, touch, timer, done: false };
    this.#setPressed(this.#sunk(cell));
  }

  #longPress(): void {
    const press = this.#press;
    if (!press) return;
    press.done = true;
    this.#setPressed([]);
    navigator.vibrate?.(18);
    if (this.mode === 'play' && this.tool === 'flag') this.#tell('cellopen', { cell: press.cell });
    else this.#secondary(press.cell);
  }

  #move(event: PointerEvent): void {
    if (event.pointerType === 'touch' && this.#touches.has(event.pointerId)) {
      this.#touches.set(event.pointerId, { x: event.clientX, y: event.clientY });
      if (this.#pinch && this.#touches.size === 2) {
        const points = [...this.#touches.values()];
        const at = { x: (points[0]!.x + points[1]!.x) / 2, y: (points[0]!.y + points[1]!.y) / 2 };
        const unit = Math.round((this.#pinch.unit * this.#spread()) / this.#pinch.distance);
        if (unit !== this.#geometry.unit) this.zoomBy(unit / this.#geometry.unit, at);
        return;
      }
    }
    const cell = this.#at(event);
    if (event.pointerType === 'mouse') this.#setHover(cell);
    const press = this.#press;
    if (!press || press.id !== event.pointerId) return;
    if (this.mode === 'edit' && !press.touch) {
      if (cell !== null && cell !== press.cell) {
        press.cell = cell;
        this.#tell('cellpaint', { cell, face: null, drag: true });
      }
      return;
    }
    if (press.touch) {
      if (Math.hypot(event.clientX - press.x, event.clientY - press.y) > SLACK) this.#drop();
    } else if (cell !== press.cell && cell !== null) {
      press.cell = cell;
      this.#setPressed(this.#sunk(cell));
    } else if (cell === null) this.#setPressed([]);
  }

  #up(event: PointerEvent): void {
    this.#touches.delete(event.pointerId);
    if (this.#touches.size < 2) this.#pinch = null;
    const press = this.#press;
    if (!press || press.id !== event.pointerId) return;
    this.#drop();
    if (this.mode === 'edit' && !press.touch) {
      this.#tell('cellpaintend', { cell: press.cell });
      return;
    }
    if (press.done || this.#at(event) !== press.cell) return;
    if (press.touch && this.mode === 'play' && this.tool === 'flag' && !isOpen(this.#faces[press.cell]!)) {
      this.#tell('cellflag', { cell: press.cell });
    } else this.#primary(press.cell);
  }

  #cancel(event: PointerEvent): void {
    this.#touches.delete(event.pointerId);
    this.#pinch = null;
    if (this.#press?.id === event.pointerId) this.#drop();
  }

  #drop(): void {
    if (this.#press) window.clearTimeout(this.#press.timer);
    this.#press = null;
    if (this.#pressed.length > 0) this.#setPressed([]);
  }

  #spread(): number {
    const [a, b] = [...this.#touches.values()] as [{ x: number; y: number }, { x: number; y: number }];
    return Math.max(1, Math.hypot(a.x - b.x, a.y - b.y));
  }

  #primary(cell: number): void {
    if (this.mode === 'view') this.#tell('cellpick', { cell });
    else if (this.mode === 'edit') {
      this.#tell('cellpaint', { cell, face: null, drag: false });
      this.#tell('cellpaintend', { cell });
    } else if (isOpen(this.#faces[cell]!)) {
      if (this.chords) this.#tell('cellchord', { cell });
    } else if (this.#faces[cell] === COVERED) this.#tell('cellopen', { cell });
  }

  #secondary(cell: number): void {
    if (this.mode === 'play') {
      if (isOpen(this.#faces[cell]!)) this.#tell('cellchord', { cell });
      else this.#tell('cellflag', { cell });
    } else if (this.mode === 'edit') {
      this.#tell('cellpaint', { cell, face: this.#faces[cell] === FLAGGED ? COVERED : FLAGGED, drag: false });
      this.#tell('cellpaintend', { cell });
    } else this.#tell('cellpick', { cell });
  }

  #key(event: KeyboardEvent): void {
    if (this.#navigate(event) || (this.mode === 'edit' && this.#paintKey(event)) || this.#command(event)) {
      event.preventDefault();
      event.stopPropagation();
    }
  }

  #command(event: KeyboardEvent): boolean {
    const cell = this.#focus;
    switch (commandOf(this.keys, event)) {
      case 'open':
        this.#primary(cell);
        return true;
      case 'flag':
        this.#secondary(cell);
        return true;
      case 'chord':
        if (this.mode === 'play') this.#tell('cellchord', { cell });
        return this.mode === 'play';
      default:
        if (event.key !== '+' && event.key !== '-') return false;
        this.zoomBy(event.key === '+' ? 1.15 : 0.87);
        this.#reveal(cell);
        return true;
    }
  }

  #paintKey(event: KeyboardEvent): boolean {
    if (event.ctrlKey || event.altKey || event.metaKey) return false;
    const faces: Record<string, number> = {
      '#': COVERED, Backspace: COVERED, Delete: COVERED, '.': 0, f: FLAGGED, F: FLAGGED, '?': BLANK, '*': MINE, m: MINE,
    };
    const face = /^[0-8]$/.test(event.key) ? Number(event.key) : faces[event.key];
    if (face === undefined) return false;
    this.#tell('cellpaint', { cell: this.#focus, face, drag: false });
    this.#tell('cellpaintend', { cell: this.#focus });
    return true;
  }

  #navigate(event: KeyboardEvent): boolean {
    const { width, height, form } = this.#shape;
    const [row, column] = this.#shape.place(this.#focus);
    const wrap = (at: number, size: number) =>
      form === 'torus' ? (at + size) % size : Math.max(0, Math.min(size - 1, at));
    const go = (r: number, c: number) => this.focusCell(wrap(r, height) * width + wrap(c, width));
    const page = Math.max(1, Math.floor(this.#scroller.clientHeight / this.#geometry.rowHeight) - 1);
    switch (event.key) {
      case 'Home':
        go(event.ctrlKey ? 0 : row, 0);
        return true;
      case 'End':
        go(event.ctrlKey ? height - 1 : row, width - 1);
        return true;
      case 'PageUp':
        this.focusCell(Math.max(0, row - page) * width + column);
        return true;
      case 'PageDown':
        this.focusCell(Math.min(height - 1, row + page) * width + column);
        return true;
    }
    switch (commandOf(this.keys, event)) {
      case 'up':
        go(row - 1, column);
        return true;
      case 'down':
        go(row + 1, column);
        return true;
      case 'left':
        go(row, column - 1);
        return true;
      case 'right':
        go(row, column + 1);
        return true;
      default:
        return false;
    }
  }
}

if (typeof customElements !== 'undefined' && !customElements.get('mine-board')) customElements.define('mine-board', MineBoard);

declare global {
  interface HTMLElementTagNameMap {
    'mine-board': MineBoard;
  }
}
