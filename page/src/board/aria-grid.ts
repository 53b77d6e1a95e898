//! The board as an ARIA grid: real elements above the picture that can be focused and spoken.
//!
//! Gridcells exist around the focus; a board of ordinary size has all of them. One cell is in the
//! order of tabs, the others are reached by arrows.

import { isOpen, spoken } from '../game/face.ts';
import { percent } from './heat.ts';
import type { Scene } from './scene.ts';

/** The most rows and columns that have gridcells. */
const WINDOW = { rows: 24, columns: 40 };
const NOTHING = { top: 0, left: 0, bottom: -1, right: -1 };

export class AriaGrid {
  readonly element = document.createElement('div');
  readonly #scene: Scene;
  readonly #labels = new Map<number, HTMLElement>();
  #focus = 0;
  #span = NOTHING;
  #byKeys = false;
  /** Words that follow the label of a cell. */
  extra: ((cell: number) => string) | null = null;
  /** Called when a cell gets the focus, with whether it is drawn, and with null when the grid loses it. */
  onfocus: ((cell: number | null, shown: boolean) => void) | null = null;

  constructor(scene: Scene) {
    this.#scene = scene;
    this.element.className = 'grid';
    this.element.setAttribute('role', 'grid');
    this.element.addEventListener('focusin', (event) => {
      const cell = this.cellOf(event.target);
      if (cell === null) return;
      this.moveTab(cell);
      this.onfocus?.(cell, this.#byKeys);
    });
    this.element.addEventListener('focusout', (event) => {
      if (this.cellOf(event.relatedTarget) === null) this.onfocus?.(null, false);
    });
  }

  get focus(): number {
    return this.#focus;
  }

  /** The cell that an element of the grid is, or none. */
  cellOf(target: EventTarget | null): number | null {
    const cell = (target as HTMLElement | null)?.dataset?.cell;
    return cell === undefined ? null : Number(cell);
  }

  /** Makes a cell the one in the order of tabs. */
  moveTab(cell: number): void {
    this.#labels.get(this.#focus)?.setAttribute('tabindex', '-1');
    this.#labels.get(cell)?.setAttribute('tabindex', '0');
    this.#focus = cell;
  }

  /** Moves the focus to a cell. */
  focusOn(cell: number): void {
    this.moveTab(cell);
    this.moveWindow();
    this.#labels.get(cell)?.focus({ preventScroll: true });
  }

  /** The shape or the size is another: all gridcells are made again. */
  rebuild(): void {
    this.#focus = Math.min(this.#focus, this.#scene.shape.size - 1);
    this.#span = NOTHING;
    this.moveWindow();
  }

  relabelAll(): void {
    for (const [cell] of this.#labels) this.relabel(cell);
  }

  /** The focus is drawn for those who came by keyboard. */
  showFocus(shown: boolean): void {
    this.#byKeys = shown;
    if (this.#hasFocus()) this.onfocus?.(this.#focus, shown);
  }

  /** A key was pressed somewhere: a focus that comes now comes by keyboard. */
  expectKeys(): void {
    this.#byKeys = true;
  }

  /** How likely the cell is a mine, for people, if that is shown. */
  risk(cell: number, digits = 0): string {
    const risk = this.#scene.heat?.[cell] ?? NaN;
    return Number.isNaN(risk) || isOpen(this.#scene.faces[cell]!) ? '' : `${percent(risk, digits)} mine`;
  }

  #hasFocus(): boolean {
    const root = this.element.getRootNode() as ShadowRoot;
    return root.activeElement?.getAttribute('role') === 'gridcell';
  }

  /** Makes gridcells around the focus; a board of ordinary size has all of them. */
  moveWindow(): void {
    const { width, height } = this.#scene.shape;
    const [row, column] = this.#scene.shape.place(this.#focus);
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
    const hadFocus = this.#hasFocus();
    this.#labels.clear();
    const rows: HTMLElement[] = [];
    for (let r = this.#span.top; r <= this.#span.bottom; r += 1) {
      const line = document.createElement('div');
      line.setAttribute('role', 'row');
      line.setAttribute('aria-rowindex', String(r + 1));
      for (let c = this.#span.left; c <= this.#span.right; c += 1) line.append(this.#gridCell(r * width + c, c));
      rows.push(line);
    }
    this.element.setAttribute('aria-rowcount', String(height));
    this.element.setAttribute('aria-colcount', String(width));
    this.element.replaceChildren(...rows);
    if (hadFocus) this.#labels.get(this.#focus)?.focus({ preventScroll: true });
  }

  #gridCell(cell: number, column: number): HTMLElement {
    const element = document.createElement('div');
    const { x, y, width, height } = this.#scene.geometry.box(cell);
    element.setAttribute('role', 'gridcell');
    element.setAttribute('aria-colindex', String(column + 1));
    element.setAttribute('tabindex', cell === this.#focus ? '0' : '-1');
    element.dataset.cell = String(cell);
    element.style.left = `${x}px`;
    element.style.top = `${y}px`;
    element.style.width = `${width}px`;
    element.style.height = `${height}px`;
    this.#labels.set(cell, element);
    this.relabel(cell);
    return element;
  }

  relabel(cell: number): void {
    const element = this.#labels.get(cell);
    if (!element) return;
    const [row, column] = this.#scene.shape.place(cell);
    const words = [`row ${row}`, `column ${column}`, spoken(this.#scene.faces[cell]!)];
    words.push(this.risk(cell), this.extra?.(cell) ?? '');
    element.setAttribute('aria-label', words.filter(Boolean).join(', '));
  }
}
