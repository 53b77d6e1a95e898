//! Playing and drawing by mouse, pen and touch: clicks, long presses, strokes, pinches.
//!
//! One finger scrolls the board, and the page where the board ends. Two fingers zoom and scroll. In
//! `edit` mode with a brush, one finger paints.

import { COVERED, isOpen } from '../game/face.ts';
import { primary, secondary, type Hands } from './hands.ts';

/** Milliseconds after which a press is long. */
const LONG_PRESS = 380;
/** Pixels that a finger may move before it scrolls or paints. */
const SLACK = 10;

interface Press {
  id: number;
  cell: number;
  x: number;
  y: number;
  touch: boolean;
  timer: number;
  done: boolean;
  /** A finger has begun to paint. */
  painting: boolean;
}

/** Two fingers: how far they were apart and how large cells were at first, and where their middle is. */
interface Pinch {
  distance: number;
  unit: number;
  at: { x: number; y: number };
}

function far(event: PointerEvent, press: Press): boolean {
  return Math.hypot(event.clientX - press.x, event.clientY - press.y) > SLACK;
}

export class Pointer {
  readonly #hands: Hands;
  readonly #touches = new Map<number, { x: number; y: number }>();
  #press: Press | null = null;
  #pinch: Pinch | null = null;

  /** Listens to what is done on the board's scroller. */
  constructor(hands: Hands) {
    this.#hands = hands;
    const { scroller } = hands;
    scroller.addEventListener('pointerdown', (event) => this.#down(event));
    scroller.addEventListener('pointermove', (event) => this.#move(event));
    scroller.addEventListener('pointerup', (event) => this.#up(event));
    scroller.addEventListener('pointercancel', (event) => this.#cancel(event));
    scroller.addEventListener('pointerleave', () => hands.hover(null));
    scroller.addEventListener('contextmenu', (event) => event.preventDefault());
    scroller.addEventListener('auxclick', (event) => event.preventDefault());
    // Assistive technology clicks without a pointer.
    scroller.addEventListener('click', (event) => {
      const cell = hands.grid.cellOf(event.target);
      if (event.detail === 0 && cell !== null) primary(hands, cell);
    });
    // The browser would take two fingers for scrolling and end the pinch.
    for (const type of ['touchstart', 'touchmove'] as const) {
      scroller.addEventListener(type, (event) => {
        if (event.touches.length > 1 && event.cancelable) event.preventDefault();
      }, { passive: false });
    }
  }

  #at(event: { clientX: number; clientY: number }): number | null {
    const box = this.#hands.scroller.getBoundingClientRect();
    const [x, y] = [event.clientX - box.x, event.clientY - box.y];
    const { clientWidth, clientHeight } = this.#hands.scroller;
    if (x < this.#hands.scene.geometry.gutter || y < this.#hands.scene.geometry.gutter || x >= clientWidth || y >= clientHeight) return null;
    return this.#hands.scene.geometry.cellAt(x + this.#hands.scroller.scrollLeft, y + this.#hands.scroller.scrollTop);
  }

  /** What a press on a cell would open, shown sunk while it lasts. */
  #sunk(cell: number): number[] {
    if (this.#hands.mode !== 'play' || this.#hands.tool === 'flag') return [];
    const face = this.#hands.scene.faces[cell]!;
    if (face === COVERED) return [cell];
    if (!this.#hands.chords || face < 1 || face > 8) return [];
    return this.#hands.scene.shape.neighbors(cell).filter((near) => this.#hands.scene.faces[near] === COVERED);
  }

  #down(event: PointerEvent): void {
    const cell = this.#at(event);
    if (event.pointerType === 'touch') {
      this.#touches.set(event.pointerId, { x: event.clientX, y: event.clientY });
      if (this.#touches.size === 2) {
        if (this.#press?.painting) this.#hands.tell('cellpaintend', { cell: this.#press.cell });
        this.#drop();
        this.#pinch = { distance: this.#spread(), unit: this.#hands.scene.geometry.unit, at: this.#middle() };
        return;
      }
    }
    if (cell === null) return;
    if (event.pointerType === 'mouse') event.preventDefault();
    this.#hands.focusCell(cell, false);
    this.#hands.grid.showFocus(false);
    if (event.pointerType === 'mouse' && event.button !== 0) {
      this.#drop();
      if (event.button === 1 || (event.button === 2 && (event.buttons & 1) !== 0)) this.#hands.tell('cellchord', { cell });
      else if (event.button === 2) secondary(this.#hands, cell);
      return;
    }
    if (this.#hands.mode === 'edit' && event.pointerType !== 'touch') {
      this.#hands.scroller.setPointerCapture(event.pointerId);
      this.#press = { id: event.pointerId, cell, x: event.clientX, y: event.clientY, touch: false, timer: 0, done: false, painting: true };
      this.#hands.tell('cellpaint', { cell, face: null, drag: false });
      return;
    }
    const touch = event.pointerType === 'touch';
    const timer = touch ? window.setTimeout(() => this.#longPress(), LONG_PRESS) : 0;
    this.#press = { id: event.pointerId, cell, x: event.clientX, y: event.clientY, touch, timer, done: false, painting: false };
    this.#hands.press(this.#sunk(cell));
  }

  #longPress(): void {
    const press = this.#press;
    if (!press) return;
    press.done = true;
    this.#hands.press([]);
    navigator.vibrate?.(18);
    if (this.#hands.mode === 'play' && this.#hands.tool === 'flag') this.#hands.tell('cellopen', { cell: press.cell });
    else secondary(this.#hands, press.cell);
  }

  #move(event: PointerEvent): void {
    if (event.pointerType === 'touch' && this.#touches.has(event.pointerId)) {
      this.#touches.set(event.pointerId, { x: event.clientX, y: event.clientY });
      if (this.#pinch && this.#touches.size === 2) {
        this.#pinchTo(this.#pinch, this.#middle());
        return;
      }
    }
    const cell = this.#at(event);
    if (event.pointerType === 'mouse') this.#hands.hover(cell);
    const press = this.#press;
    if (!press || press.id !== event.pointerId) return;
    if (press.touch && this.#hands.paints && !press.painting && !press.done && far(event, press)) {
      window.clearTimeout(press.timer);
      press.painting = true;
      this.#hands.tell('cellpaint', { cell: press.cell, face: null, drag: false });
    }
    if (press.painting) {
      this.#stroke(press, event);
      return;
    }
    if (press.touch) {
      if (far(event, press)) this.#drop();
    } else if (cell !== press.cell && cell !== null) {
      press.cell = cell;
      this.#hands.press(this.#sunk(cell));
    } else if (cell === null) this.#hands.press([]);
  }

  #up(event: PointerEvent): void {
    this.#touches.delete(event.pointerId);
    if (this.#touches.size < 2) this.#pinch = null;
    const press = this.#press;
    if (!press || press.id !== event.pointerId) return;
    this.#drop();
    if (press.painting) {
      this.#hands.tell('cellpaintend', { cell: press.cell });
      return;
    }
    if (press.done || this.#at(event) !== press.cell) return;
    if (press.touch && this.#hands.mode === 'play' && this.#hands.tool === 'flag' && !isOpen(this.#hands.scene.faces[press.cell]!)) {
      this.#hands.tell('cellflag', { cell: press.cell });
    } else primary(this.#hands, press.cell);
  }

  #cancel(event: PointerEvent): void {
    this.#touches.delete(event.pointerId);
    this.#pinch = null;
    if (this.#press?.id !== event.pointerId) return;
    if (this.#press.painting) this.#hands.tell('cellpaintend', { cell: this.#press.cell });
    this.#drop();
  }

  /** Paints every cell on the way, also where the pointer is faster than the screen. */
  #stroke(press: Press, event: PointerEvent): void {
    const way = event.getCoalescedEvents();
    for (const point of way.length > 0 ? way : [event]) {
      const cell = this.#at(point);
      if (cell === null || cell === press.cell) continue;
      press.cell = cell;
      this.#hands.tell('cellpaint', { cell, face: null, drag: true });
    }
  }

  /** Zooms around the middle of two fingers and scrolls with them: the board, and the page where the board ends. */
  #pinchTo(pinch: Pinch, at: { x: number; y: number }): void {
    const { scroller, scene } = this.#hands;
    const [dx, dy] = [pinch.at.x - at.x, pinch.at.y - at.y];
    const before = scroller.scrollTop;
    scroller.scrollBy(dx, dy);
    window.scrollBy(0, dy - (scroller.scrollTop - before));
    pinch.at = at;
    const unit = Math.round((pinch.unit * this.#spread()) / pinch.distance);
    if (Math.abs(unit - scene.geometry.unit) >= 1) this.#hands.zoomBy(unit / scene.geometry.unit, at);
  }

  #middle(): { x: number; y: number } {
    const [a, b] = [...this.#touches.values()] as [{ x: number; y: number }, { x: number; y: number }];
    return { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 };
  }

  #drop(): void {
    if (this.#press) window.clearTimeout(this.#press.timer);
    this.#press = null;
    if (this.#hands.scene.pressed.length > 0) this.#hands.press([]);
  }

  #spread(): number {
    const [a, b] = [...this.#touches.values()] as [{ x: number; y: number }, { x: number; y: number }];
    return Math.max(1, Math.hypot(a.x - b.x, a.y - b.y));
  }
}
