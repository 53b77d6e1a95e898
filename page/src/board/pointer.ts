//! Playing and drawing by mouse, pen and touch: clicks, long presses, strokes, pinches.

import { COVERED, isOpen } from '../game/face.ts';
import { primary, secondary, type Hands } from './hands.ts';

/** So many milliseconds make a press long. */
const LONG_PRESS = 380;
/** A finger that moves so many pixels scrolls. */
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

export class Pointer {
  readonly #hands: Hands;
  readonly #touches = new Map<number, { x: number; y: number }>();
  #press: Press | null = null;
  #pinch: { distance: number; unit: number } | null = null;

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
    scroller.addEventListener('wheel', (event) => {
      if (!event.ctrlKey) return;
      event.preventDefault();
      hands.zoomBy(event.deltaY < 0 ? 1.1 : 0.9, { x: event.clientX, y: event.clientY });
    }, { passive: false });
  }

  /** Whether a button or finger is down. */
  get isDown(): boolean {
    return this.#press !== null;
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
    this.#hands.grid.showFocus(false);
    if (event.pointerType === 'touch') {
      this.#touches.set(event.pointerId, { x: event.clientX, y: event.clientY });
      if (this.#touches.size === 2) {
        this.#drop();
        this.#pinch = { distance: this.#spread(), unit: this.#hands.scene.geometry.unit };
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
      this.#press = { id: event.pointerId, cell, x: event.clientX, y: event.clientY, touch: false, timer: 0, done: false };
      this.#hands.tell('cellpaint', { cell, face: null, drag: false });
      return;
    }
    const touch = event.pointerType === 'touch';
    const timer = touch ? window.setTimeout(() => this.#longPress(), LONG_PRESS) : 0;
    this.#press = { id: event.pointerId, cell, x: event.clientX, y: event.clientY, touch, timer, done: false };
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
        const points = [...this.#touches.values()];
        const at = { x: (points[0]!.x + points[1]!.x) / 2, y: (points[0]!.y + points[1]!.y) / 2 };
        const unit = Math.round((this.#pinch.unit * this.#spread()) / this.#pinch.distance);
        if (unit !== this.#hands.scene.geometry.unit) this.#hands.zoomBy(unit / this.#hands.scene.geometry.unit, at);
        return;
      }
    }
    const cell = this.#at(event);
    if (event.pointerType === 'mouse') this.#hands.hover(cell);
    const press = this.#press;
    if (!press || press.id !== event.pointerId) return;
    if (this.#hands.mode === 'edit' && !press.touch) {
      if (cell !== null && cell !== press.cell) {
        press.cell = cell;
        this.#hands.tell('cellpaint', { cell, face: null, drag: true });
      }
      return;
    }
    if (press.touch) {
      if (Math.hypot(event.clientX - press.x, event.clientY - press.y) > SLACK) this.#drop();
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
    if (this.#hands.mode === 'edit' && !press.touch) {
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
    if (this.#press?.id === event.pointerId) this.#drop();
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
