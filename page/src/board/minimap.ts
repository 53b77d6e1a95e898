//! A small picture of a board that is larger than its window: a pixel for each cell, and a frame
//! around what is in sight. Clicking or dragging moves the window; keys do so on the board itself.
//! On a touch screen it only shows, for a moment, where a finger has scrolled.

import { COVERED, EXPLODED, FLAGGED, MINE, WRONG_FLAG, type Face } from '../game/face.ts';
import { heatStep, parseRgb, type Rgb } from './heat.ts';
import type { Scene } from './scene.ts';
import type { Theme } from './theme.ts';
import { riskColor } from './tiles.ts';

/** The most that it takes of the page. */
const MOST = { width: 200, height: 84 };
/** Milliseconds for which it stays over a board that a finger scrolls. */
const LINGER = 1600;

export class Minimap {
  readonly element = document.createElement('div');
  readonly #scene: Scene;
  readonly #scroller: HTMLElement;
  readonly #canvas = document.createElement('canvas');
  readonly #frame = document.createElement('div');
  #timer = 0;

  constructor(scene: Scene, scroller: HTMLElement) {
    this.#scene = scene;
    this.#scroller = scroller;
    this.element.className = 'map';
    this.element.hidden = true;
    this.element.setAttribute('aria-hidden', 'true');
    this.#frame.className = 'frame';
    this.element.append(this.#canvas, this.#frame);
    this.element.addEventListener('pointerdown', (event) => {
      event.preventDefault();
      this.element.setPointerCapture(event.pointerId);
      this.#moveTo(event);
    });
    this.element.addEventListener('pointermove', (event) => {
      if (event.buttons > 0) this.#moveTo(event);
    });
    scroller.addEventListener('scroll', () => this.#linger(), { passive: true });
  }

  /** How high it is for this shape. */
  get height(): number {
    const { width, height } = this.#scene.geometry;
    return Math.round(Math.min(MOST.height, (MOST.width * height) / width));
  }

  show(shown: boolean): void {
    this.element.hidden = !shown;
  }

  /** Draws the cells, if some changed, and the frame. */
  draw(theme: Theme, changed: boolean): void {
    if (this.element.hidden) return;
    if (changed) this.#drawCells(theme);
    const { geometry } = this.#scene;
    const { clientWidth, clientHeight, scrollLeft, scrollTop } = this.#scroller;
    const share = this.height / geometry.height;
    place(this.element, { height: this.height, width: geometry.width * share });
    place(this.#frame, {
      left: scrollLeft * share, top: scrollTop * share,
      width: Math.min(clientWidth, geometry.width) * share, height: Math.min(clientHeight, geometry.height) * share,
    });
  }

  #drawCells(theme: Theme): void {
    const { faces, heat, shape } = this.#scene;
    if (this.#canvas.width !== shape.width) this.#canvas.width = shape.width;
    if (this.#canvas.height !== shape.height) this.#canvas.height = shape.height;
    const image = new ImageData(shape.width, shape.height);
    const bytes = new DataView(image.data.buffer);
    const known = new Map<number, number>();
    for (let cell = 0; cell < faces.length; cell += 1) {
      const risk = heat?.[cell] ?? NaN;
      const step = faces[cell] !== COVERED || Number.isNaN(risk) ? null : heatStep(risk);
      const key = faces[cell]! + 16 * (step === null ? 0 : step + 1);
      let color = known.get(key);
      if (color === undefined) {
        const [r, g, b] = this.#color(faces[cell]!, step, theme);
        known.set(key, (color = ((r << 24) | (g << 16) | (b << 8) | 255) >>> 0));
      }
      bytes.setUint32(cell * 4, color);
    }
    this.#canvas.getContext('2d')!.putImageData(image, 0, 0);
  }

  #color(face: Face, step: number | null, theme: Theme): Rgb {
    if (step !== null) return riskColor(step, this.#scene.heatStyle, theme);
    switch (face) {
      case COVERED:
        return parseRgb(theme.covered);
      case FLAGGED:
      case WRONG_FLAG:
        return parseRgb(theme.flag);
      case MINE:
      case EXPLODED:
        return parseRgb(theme.danger);
      default: {
        const [open, clue] = [parseRgb(theme.open), parseRgb(theme.muted)];
        return face === 0 ? open : ([0, 1, 2].map((i) => open[i]! * 0.72 + clue[i]! * 0.28) as unknown as Rgb);
      }
    }
  }

  /** Brings the place under the pointer to the middle of the window. */
  #moveTo(event: PointerEvent): void {
    const box = this.#canvas.getBoundingClientRect();
    const { geometry } = this.#scene;
    this.#scroller.scrollTo(
      ((event.clientX - box.x) / box.width) * geometry.width - this.#scroller.clientWidth / 2,
      ((event.clientY - box.y) / box.height) * geometry.height - this.#scroller.clientHeight / 2,
    );
  }

  #linger(): void {
    this.element.classList.add('used');
    window.clearTimeout(this.#timer);
    this.#timer = window.setTimeout(() => this.element.classList.remove('used'), LINGER);
  }
}

/** Gives an element a place and size, where they are others: every write costs a layout. */
function place(element: HTMLElement, box: Record<string, number>): void {
  for (const [side, length] of Object.entries(box)) {
    const text = `${length.toFixed(1)}px`;
    if (element.dataset[side] === text) continue;
    element.dataset[side] = text;
    element.style.setProperty(side, text);
  }
}
