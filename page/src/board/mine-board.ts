//! `<mine-board>`: a board of any shape on two canvases, with a real ARIA grid above them.
//!
//! It shows what it is given and reports what people do on it; it knows no rules. It depends on no
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
//! layout, geometry     how large cells are, and where they lie
//! painter              draws it: tiles, theme, overlay; minimap: boards larger than the window
//! aria-grid            speaks it, and has the focus
//! hands                what people may do; pointer, keyboard, wheel listen to them
//! ```
//!
//! Attributes: `label`; `mode`; `least` and `most`, the smallest and largest cells where none are
//! chosen; `fill`, where the board should fill a pane that has a height of its own; `paints`, where
//! in `edit` mode a finger paints (two fingers scroll).

import type { Face } from '../game/face.ts';
import { Shape } from '../game/shape.ts';
import { AriaGrid } from './aria-grid.ts';
import { Geometry } from './geometry.ts';
import type { BoardEvents, Hands, Mode, Tool } from './hands.ts';
import type { Palette } from './heat.ts';
import { listenToKeys, listenToTyping } from './keyboard.ts';
import { DEFAULT_KEYS, type KeyMap } from './keys.ts';
import { chooseUnit, type Space } from './layout.ts';
import { Minimap } from './minimap.ts';
import { NO_OVERLAY, type Overlay } from './overlay.ts';
import { Painter } from './painter.ts';
import { deviceScale } from './pixel-grid.ts';
import { Pointer } from './pointer.ts';
import { GUTTER } from './ruler.ts';
import { Scene } from './scene.ts';
import { STYLE } from './style.ts';
import { listenToWheel } from './wheel.ts';

export type { BoardEvents, Mode, Tool };

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
  readonly #map = new Minimap(this.#scene, this.#scroller);
  readonly #resize = new ResizeObserver(() => this.#resized());
  readonly #coarse = matchMedia('(pointer: coarse)');
  readonly #schemes = [this.#coarse, matchMedia('(prefers-color-scheme: dark)'), matchMedia('(forced-colors: active)')];
  /** The size of cells that was chosen, the whole board, or what suits the space. */
  readonly #hands = this.#makeHands();
  #whileConnected = new AbortController();
  #zoom: number | 'whole' | null = null;
  #mode: Mode = 'play';
  /** The space for which cells were laid out, as text; empty where they were not. */
  #laidOut = '';

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
    root.append(this.#scroller, this.#map.element, this.#live);
    this.#painter.ondraw = (theme, changed) => this.#map.draw(theme, changed);
    this.#listen();
  }

  connectedCallback(): void {
    this.#resize.observe(this);
    for (const scheme of this.#schemes) scheme.addEventListener('change', this.refreshTheme);
    this.#whileConnected = new AbortController();
    const { signal } = this.#whileConnected;
    window.addEventListener('resize', () => this.#resized(), { signal });
    this.#watchScale(signal);
    listenToTyping(this.#hands, signal);
    this.#nameGrid();
    this.refreshTheme();
  }

  /** Lays out again when the page moves to another screen or is zoomed. */
  #watchScale(signal: AbortSignal): void {
    matchMedia(`(resolution: ${window.devicePixelRatio}dppx)`).addEventListener('change', () => {
      this.#layOut();
      this.#watchScale(signal);
    }, { once: true, signal });
  }

  disconnectedCallback(): void {
    this.#resize.disconnect();
    this.#whileConnected.abort();
    for (const scheme of this.#schemes) scheme.removeEventListener('change', this.refreshTheme);
    this.#painter.rest();
  }

  static get observedAttributes(): string[] {
    return ['label', 'mode', 'least', 'most', 'fill'];
  }

  attributeChangedCallback(name: string, _: string | null, value: string | null): void {
    if (name === 'label') this.#nameGrid();
    else if (name !== 'mode') this.#layOut();
    else this.#mode = value === 'edit' || value === 'view' ? value : 'play';
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
    // Marks lie differently on flags.
    if (changed.length > 0) this.#painter.touchOverlay();
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
    this.#painter.restyle();
    this.#layOut();
  };

  /** Whether every change so far is drawn. */
  get isDrawn(): boolean {
    return !this.#painter.isWaiting;
  }

  /** Draws all that is in sight at once, and returns how many cells that were. */
  repaint(): number {
    return this.#painter.repaint();
  }

  // Size and place -----------------------------------------------------------------------------

  /** Makes cells this large; null chooses what suits the space again. */
  setZoom(unit: number | null): void {
    this.#zoom = unit;
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
    const scale = deviceScale();
    this.setZoom((factor > 1 ? Math.ceil(before * factor * scale) : Math.floor(before * factor * scale)) / scale);
    scroller.scrollLeft = place[0] * this.#scene.geometry.unit - x;
    scroller.scrollTop = place[1] * this.#scene.geometry.unit - y;
  }

  /** Lays out again if there is other space than before; what was touched while hidden is drawn in any case. */
  #resized(): void {
    if (JSON.stringify(this.#space()) === this.#laidOut) this.#painter.touch([]);
    else this.#layOut();
  }

  #layOut(): void {
    this.#laidOut = '';
    if (!this.isConnected || this.clientWidth === 0) return;
    const space = this.#space();
    this.#laidOut = JSON.stringify(space);
    const attribute = (name: string) => (this.hasAttribute(name) ? Number(this.getAttribute(name)) : null);
    const wish = { zoom: this.#zoom, least: attribute('least'), most: attribute('most') ?? 48, coarse: this.#coarse.matches, fill: this.hasAttribute('fill') };
    this.#setUnit(chooseUnit(this.#scene.shape, space, wish), space);
    const { width, height } = this.#scene.geometry;
    const fits = Math.ceil(width) <= space.width && Math.ceil(height) <= space.height;
    this.#map.show(!fits);
    // Beside a mouse the map stands below the board; over it on a touch screen.
    const below = fits || wish.coarse ? 0 : this.#map.height + 8;
    this.#sizeScroller(fits, { width: space.width, height: space.height - below });
    this.#grid.rebuild();
    this.#painter.restyle();
  }

  /** What the page gives the board. */
  #space(): Space {
    const scale = deviceScale();
    const limit = getComputedStyle(this).maxHeight;
    const height = this.hasAttribute('fill') ? this.clientHeight : limit.endsWith('px') ? parseFloat(limit) : Infinity;
    return { width: this.clientWidth, height, gutter: this.#scene.ruler ? Math.round(GUTTER * scale) / scale : 0, scale };
  }

  #setUnit(unit: number, { gutter }: Space): void {
    this.#scene.geometry = new Geometry(this.#scene.shape, unit, gutter);
    this.#content.style.width = `${Math.ceil(this.#scene.geometry.width)}px`;
    this.#content.style.height = `${Math.ceil(this.#scene.geometry.height)}px`;
  }

  /** The window on the board: as large as the board, if there is room, and its scrollbars. */
  #sizeScroller(fits: boolean, space: { width: number; height: number }): void {
    const { geometry, ruler } = this.#scene;
    const scroller = this.#scroller;
    const [width, height] = [Math.ceil(geometry.width), Math.ceil(geometry.height)];
    scroller.classList.toggle('fits', fits);
    scroller.classList.toggle('bare', geometry.hex && !ruler);
    const size = (bars: { width: number; height: number }) => {
      scroller.style.width = `${Math.min(space.width, width + bars.width)}px`;
      scroller.style.height = `${Math.min(space.height, height + bars.height)}px`;
    };
    size({ width: 0, height: 0 });
    if (!fits) size({ width: scroller.offsetWidth - scroller.clientWidth, height: scroller.offsetHeight - scroller.clientHeight });
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

  /** Scrolls as little as it takes to show the cell. */
  reveal(cell: number): void {
    this.#reveal(cell);
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
    this.#scroller.title = cell === null ? '' : this.#grid.risk(cell, 1);
    this.#tell('cellhover', { cell });
  }

  #press(cells: readonly number[]): void {
    const before = this.#scene.pressed;
    this.#scene.pressed = cells;
    this.#painter.touch([...before, ...cells]);
  }

  #listen(): void {
    listenToKeys(this.#hands);
    listenToWheel(this.#hands);
    this.#scroller.addEventListener('scroll', () => this.#painter.touchAll(), { passive: true });
    this.#grid.onfocus = (cell, shown) => {
      this.#scene.focus = shown ? cell : null;
      this.#painter.touchOverlay();
      if (cell !== null) this.#tell('cellhover', { cell });
    };
    new Pointer(this.#hands);
  }

  #makeHands(): Hands {
    const board = this;
    return {
      scene: this.#scene,
      grid: this.#grid,
      scroller: this.#scroller,
      get mode() { return board.mode; },
      get paints() { return board.mode === 'edit' && board.hasAttribute('paints'); },
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
