//! A small picture of a board that is larger than its window: a pixel for each cell, and a frame
//! around what is in sight. Clicking or dragging moves the window; keys do so on the board itself.

import { COVERED, EXPLODED, FLAGGED, MINE, WRONG_FLAG } from '../game/face.ts';
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

  draw(theme: Theme): void {
    if (this.element.hidden) return;
    this.#drawCells(theme);
    const { geometry } = this.#scene;
    const { clientWidth, clientHeight, scrollLeft, scrollTop } = this.#scroller;
    const share = this.height / geometry.height;
    this.element.style.height = `${this.height}px`;
    this.element.style.width = `${geometry.width * share}px`;
    Object.assign(this.#frame.style, {
      left: `${scrollLeft * share}px`, top: `${scrollTop * share}px`,
      width: `${Math.min(clientWidth, geometry.width) * share}px`, height: `${Math.min(clientHeight, geometry.height) * share}px`,
    });
  }

  #drawCells(theme: Theme): void {
    const { faces, heat, heatStyle, shape } = this.#scene;
    if (this.#canvas.width !== shape.width) this.#canvas.width = shape.width;
    if (this.#canvas.height !== shape.height) this.#canvas.height = shape.height;
    const image = new ImageData(shape.width, shape.height);
    const [covered, flag, danger, open, clue] = [theme.covered, theme.flag, theme.danger, theme.open, theme.muted].map(parseRgb) as [Rgb, Rgb, Rgb, Rgb, Rgb];
    faces.forEach((face, cell) => {
      const risk = heat?.[cell] ?? NaN;
      let color = face === 0 ? open : mix(open, clue);
      if (face === FLAGGED || face === WRONG_FLAG) color = flag;
      else if (face === MINE || face === EXPLODED) color = danger;
      else if (face === COVERED) color = Number.isNaN(risk) ? covered : riskColor(heatStep(risk), heatStyle, theme);
      image.data.set([...color, 255], cell * 4);
    });
    this.#canvas.getContext('2d')!.putImageData(image, 0, 0);
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

function mix(a: Rgb, b: Rgb): Rgb {
  return [0, 1, 2].map((i) => a[i]! * 0.72 + b[i]! * 0.28) as unknown as Rgb;
}
