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
//! no more than its window.
//!
//! ```text
//! scene                what there is to see
//! painter              draws it: tiles, theme, overlay
//! aria-grid            speaks it, and has the focus
//! hands                what people may do; pointer and keyboard listen to them
//! ```

import type { Face } from '../game/face.ts';
import { Shape } from '../game/shape.ts';
import { AriaGrid } from './aria-grid.ts';
import { Geometry, fitUnit } from './geometry.ts';
import type { BoardEvents, Hands, Mode, Tool } from './hands.ts';
import type { Palette } from './heat.ts';
import { listenToKeys } from './keyboard.ts';
import { DEFAULT_KEYS, type KeyMap } from './keys.ts';
import { NO_OVERLAY, type Overlay } from './overlay.ts';
import { GUTTER, Painter } from './painter.ts';
import { Pointer } from './pointer.ts';
import { Scene } from './scene.ts';

export type { BoardEvents, Mode, Tool };

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

const Base = typeof HTMLElement === 'undefined' ? (class {} as typeof HTMLElement) : HTMLElement;

export class MineBoard extends Base {
  readonly #scene = new Scene();
  readonly #scroller = division('scroller');
  readonly #content = division('content');
  readonly #live = division('live');
  readonly #grid = new AriaGrid(this.#scene);
  readonly #painter: Painter;
  readonly #resize = new ResizeObserver(() => this.#layOut());
  readonly #coarse = matchMedia('(pointer: coarse)');
  readonly #schemes = [this.#coarse, matchMedia('(prefers-color-scheme: dark)'), matchMedia('(forced-colors: active)')];
  /** The size of cells that was chosen, the whole board, or what suits the space. */
  #zoom: number | 'whole' | null = null;
  #mode: Mode = 'play';

  tool: Tool = 'open';
  keys: KeyMap = DEFAULT_KEYS;
  /** Whether a click on an open number is a chord. */
  chords = true;

  constructor() {
    super();
    const root = this.attachShadow({ mode: 'open', delegatesFocus: true });
    if (sheet) root.adoptedStyleSheets = [sheet];
    const canvases = division('sheet');
    this.#painter = new Painter(this.#scene, this, this.#scroller, canvases);
    this.#live.setAttribute('role', 'status');
    this.#content.append(canvases, this.#grid.element);
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
    this.#painter.rest();
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
    return this.#scene.shape;
  }

  /** What a cell shows. */
  face(cell: number): Face {
    return this.#scene.faces[cell]!;
  }

  get geometry(): Geometry {
    return this.#scene.geometry;
  }

  /** Takes another shape, all covered; the same shape changes nothing. */
  setShape(shape: Shape): void {
    if (shape.same(this.#scene.shape)) return;
    this.#scene.reset(shape);
    this.#zoom = null;
    this.#layOut();
  }

  /** Shows these faces; only cells that changed are drawn again. */
  setFaces(faces: Uint8Array): void {
    const shown = this.#scene.faces;
    if (faces.length !== shown.length) return;
    const changed = [...faces.keys()].filter((cell) => faces[cell] !== shown[cell]);
    shown.set(faces);
    this.#changed(changed);
  }

  /** Shows risks of covered cells as color; NaN where there is none, null for no heat at all. */
  setHeat(heat: Float64Array | null): void {
    const had = this.#scene.heat;
    this.#scene.heat = heat;
    const differs = (cell: number) => !Object.is(had?.[cell] ?? NaN, heat?.[cell] ?? NaN);
    this.#changed([...this.#scene.faces.keys()].filter(differs));
    this.#painter.touchOverlay();
  }

  #changed(cells: readonly number[]): void {
    this.#painter.touch(cells);
    for (const cell of cells) this.#grid.relabel(cell);
  }

  /** Shows marks, arrows, an outline, a trail and a pointer; what is not named is taken away. */
  setOverlay(overlay: Partial<Overlay>): void {
    this.#scene.overlay = { ...NO_OVERLAY, ...overlay };
    this.#painter.touchOverlay();
  }

  /** Words that follow the spoken label of a cell. */
  setExtra(extra: ((cell: number) => string) | null): void {
    this.#grid.extra = extra;
    this.#grid.relabelAll();
  }

  /** `certain`: whether 0 and 100 are written too, where no tick and cross say so. */
  setHeatStyle(palette: Palette, numbers: boolean, certain = false): void {
    const style = { palette, numbers, certain };
    if (JSON.stringify(style) === JSON.stringify(this.#scene.heatStyle)) return;
    this.#scene.heatStyle = style;
    this.#painter.restyle();
  }

  setRuler(ruler: boolean): void {
    if (ruler === this.#scene.ruler) return;
    this.#scene.ruler = ruler;
    this.#layOut();
  }

  /** Says something politely. */
  announce(text: string): void {
    this.#live.textContent = text;
  }

  #nameGrid(): void {
    this.#grid.element.setAttribute('aria-label', this.getAttribute('label') ?? 'Board');
  }

  /** Reads colors from the page again. */
  refreshTheme = (): void => {
    this.#painter.forgetTheme();
    this.#layOut();
  };

  /** Draws all that is in sight at once, and tells how many cells that were. */
  repaint(): number {
    return this.#painter.repaint();
  }

  // Size and place -----------------------------------------------------------------------------

  /** Makes cells larger or smaller; null fits them to the space again. */
  setZoom(unit: number | null): void {
    this.#zoom = unit === null ? null : Math.max(2, Math.min(72, unit));
    this.#layOut();
  }

  /** Shows the whole board, with cells as small as that takes. */
  fit(): void {
    this.#zoom = 'whole';
    this.#layOut();
  }

  get unit(): number {
    return this.#scene.geometry.unit;
  }

  zoomBy(factor: number, at?: { x: number; y: number }): void {
    const scroller = this.#scroller;
    const box = scroller.getBoundingClientRect();
    const [x, y] = at ? [at.x - box.x, at.y - box.y] : [scroller.clientWidth / 2, scroller.clientHeight / 2];
    const before = this.#scene.geometry.unit;
    const place = [(scroller.scrollLeft + x) / before, (scroller.scrollTop + y) / before] as const;
    const next = factor > 1 ? Math.ceil(before * factor) : Math.floor(before * factor);
    this.setZoom(next);
    scroller.scrollLeft = place[0] * this.#scene.geometry.unit - x;
    scroller.scrollTop = place[1] * this.#scene.geometry.unit - y;
  }

  #layOut(): void {
    if (!this.isConnected) return;
    const gutter = this.#scene.ruler ? GUTTER : 0;
    const width = this.clientWidth;
    if (width === 0) return;
    const limit = parseFloat(getComputedStyle(this).maxHeight);
    const height = Number.isFinite(limit) ? limit : Infinity;
    const coarse = this.#coarse.matches;
    const most = Number(this.getAttribute('most') ?? 48);
    const least = Number(this.getAttribute('least') ?? (coarse ? 44 : 22));
    const across = fitUnit(this.#scene.shape, { width, height: Infinity }, { least: 1, most }, gutter);
    const whole = fitUnit(this.#scene.shape, { width, height }, { least: 1, most }, gutter);
    // A board that nearly fits a phone is shown whole; a larger one scrolls with cells to touch.
    const floor = coarse && !this.hasAttribute('least') ? 34 : least;
    const unit = this.#zoom === 'whole' ? whole : this.#zoom ?? (whole >= floor ? whole : across >= floor ? Math.max(floor, Math.min(across, least)) : Math.min(least, most));
    this.#scene.geometry = new Geometry(this.#scene.shape, unit, gutter);
    const [contentWidth, contentHeight] = [Math.ceil(this.#scene.geometry.width), Math.ceil(this.#scene.geometry.height)];
    const fits = contentWidth <= width && contentHeight <= height;
    this.#scroller.classList.toggle('fits', fits);
    this.#scroller.classList.toggle('bare', this.#scene.geometry.hex && !this.#scene.ruler);
    this.#scroller.style.width = `${Math.min(width, contentWidth)}px`;
    this.#scroller.style.height = `${Math.min(height, contentHeight)}px`;
    this.#content.style.width = `${contentWidth}px`;
    this.#content.style.height = `${contentHeight}px`;
    this.#grid.rebuild();
    this.#painter.restyle();
  }

  #reveal(cell: number): void {
    const { x, y, width, height } = this.#scene.geometry.box(cell);
    const { scrollLeft, scrollTop, clientWidth, clientHeight } = this.#scroller;
    const gutter = this.#scene.geometry.gutter;
    if (x - gutter < scrollLeft) this.#scroller.scrollLeft = x - gutter - width;
    else if (x + width > scrollLeft + clientWidth) this.#scroller.scrollLeft = x + 2 * width - clientWidth;
    if (y - gutter < scrollTop) this.#scroller.scrollTop = y - gutter - height;
    else if (y + height > scrollTop + clientHeight) this.#scroller.scrollTop = y + 2 * height - clientHeight;
  }

  /** Brings a cell to the middle without taking the focus. */
  center(cell: number): void {
    const [x, y] = this.#scene.geometry.center(cell);
    this.#scroller.scrollLeft = x - this.#scroller.clientWidth / 2;
    this.#scroller.scrollTop = y - this.#scroller.clientHeight / 2;
  }

  // What people do -----------------------------------------------------------------------------

  get focusedCell(): number {
    return this.#grid.focus;
  }

  focusCell(cell: number, scroll = true): void {
    if (cell < 0 || cell >= this.#scene.shape.size) return;
    this.#grid.focusOn(cell);
    if (scroll) this.#reveal(cell);
  }

  #tell<K extends keyof BoardEvents>(type: K, detail: BoardEvents[K]): void {
    this.dispatchEvent(new CustomEvent(type, { detail, bubbles: true, composed: true }));
  }

  #hover(cell: number | null): void {
    if (cell === this.#scene.hover) return;
    this.#scene.hover = cell;
    this.#painter.touchOverlay();
    this.#tell('cellhover', { cell });
  }

  #press(cells: readonly number[]): void {
    const before = this.#scene.pressed;
    this.#scene.pressed = cells;
    this.#painter.touch([...before, ...cells]);
  }

  #listen(): void {
    const board = this;
    const hands: Hands = {
      scene: this.#scene,
      grid: this.#grid,
      scroller: this.#scroller,
      get mode() { return board.mode; },
      get tool() { return board.tool; },
      get chords() { return board.chords; },
      get keys() { return board.keys; },
      tell: (type, detail) => this.#tell(type, detail),
      focusCell: (cell, scroll) => this.focusCell(cell, scroll),
      reveal: (cell) => this.#reveal(cell),
      zoomBy: (factor, at) => this.zoomBy(factor, at),
      hover: (cell) => this.#hover(cell),
      press: (cells) => this.#press(cells),
    };
    const pointer = new Pointer(hands);
    listenToKeys(hands);
    this.#scroller.addEventListener('scroll', () => this.#painter.touchAll(), { passive: true });
    this.#grid.element.addEventListener('focusin', (event) => {
      const target = event.target as HTMLElement;
      if (target.matches(':focus-visible') && !pointer.isDown) this.#grid.showFocus(true);
      const cell = this.#grid.cellOf(target);
      if (cell === null) return;
      this.#grid.moveTab(cell);
      this.#tell('cellhover', { cell });
    });
  }
}

function division(name: string): HTMLElement {
  const element = document.createElement('div');
  element.className = name;
  return element;
}

if (typeof customElements !== 'undefined' && !customElements.get('mine-board')) customElements.define('mine-board', MineBoard);

declare global {
  interface HTMLElementTagNameMap {
    'mine-board': MineBoard;
  }
}
