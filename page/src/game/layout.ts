//! Where the mines lie.

import { Rng } from './rng.ts';
import type { Start } from './rules.ts';
import type { Shape } from './shape.ts';

export class Layout {
  readonly #mine: Uint8Array;
  readonly counts: Uint8Array;
  readonly total: number;

  constructor(readonly shape: Shape, mines: Iterable<number>) {
    this.#mine = new Uint8Array(shape.size);
    this.counts = new Uint8Array(shape.size);
    let total = 0;
    for (const cell of mines) {
      if (this.#mine[cell]) continue;
      this.#mine[cell] = 1;
      total += 1;
      for (const near of shape.neighbors(cell)) this.counts[near]! += 1;
    }
    this.total = total;
  }

  /**
   * The engine's deal: a seed shuffles all cells, and the mines are the first of them that the
   * start rule allows once `first` is opened; under `open` what does not fit elsewhere goes to the
   * neighbors of `first`, in shuffled order.
   */
  static deal(shape: Shape, mines: number, start: Start, seed: bigint, first: number): Layout {
    const rng = new Rng(seed);
    const order = Array.from({ length: shape.size }, (_, cell) => cell);
    const kept = new Set(start === 'open' ? shape.neighbors(first) : []);
    const dealt: number[] = [];
    const postponed: number[] = [];
    for (let i = 0; i < order.length && dealt.length < mines; i += 1) {
      const j = i + rng.below(order.length - i);
      [order[i], order[j]] = [order[j]!, order[i]!];
      const cell = order[i]!;
      if (cell === first && start !== 'unsafe') continue;
      if (kept.has(cell)) postponed.push(cell);
      else dealt.push(cell);
    }
    return new Layout(shape, [...dealt, ...postponed.slice(0, mines - dealt.length)]);
  }

  /** Reads rows of `*` and `.`. */
  static fromRows(shape: Shape, rows: readonly string[]): Layout {
    const mines: number[] = [];
    rows.forEach((row, r) => [...row].forEach((symbol, c) => symbol === '*' && mines.push(shape.cell([r, c]))));
    return new Layout(shape, mines);
  }

  isMine(cell: number): boolean {
    return this.#mine[cell] === 1;
  }

  rows(): string[] {
    const { width, height } = this.shape;
    return Array.from({ length: height }, (_, r) =>
      Array.from({ length: width }, (_, c) => (this.isMine(r * width + c) ? '*' : '.')).join(''),
    );
  }

  /** The fewest left clicks that open every safe cell without chords, each as the cells it opens. */
  clicks(): number[][] {
    const reached = new Uint8Array(this.shape.size);
    const clicks: number[][] = [];
    for (let start = 0; start < this.shape.size; start += 1) {
      if (this.counts[start] || this.isMine(start) || reached[start]) continue;
      reached[start] = 1;
      const patch = [start];
      for (let next = 0; next < patch.length; next += 1) {
        if (this.counts[patch[next]!]) continue;
        for (const near of this.shape.neighbors(patch[next]!)) {
          if (!reached[near]) {
            reached[near] = 1;
            patch.push(near);
          }
        }
      }
      clicks.push(patch);
    }
    for (let cell = 0; cell < this.shape.size; cell += 1) {
      if (!reached[cell] && !this.isMine(cell)) clicks.push([cell]);
    }
    return clicks;
  }

  threeBv(): number {
    return this.clicks().length;
  }
}
