//! A game in progress: the hidden layout, what is seen of it, and what actions do to both.
//! The engine's rules, move for move, so that a game played here replays there.

import { BLANK, COVERED, EXPLODED, FLAGGED, MINE, WRONG_FLAG, type Face } from './face.ts';
import { Layout } from './layout.ts';
import { PURPOSE, derive, nthDraw, unit } from './rng.ts';
import { shapeOf, sizeOf, type Rules } from './rules.ts';
import type { Shape } from './shape.ts';

export type Action = 'open' | 'flag' | 'unflag' | 'chord';
export type State = 'fresh' | 'live' | 'won' | 'lost';

export interface Move {
  action: Action;
  cell: number;
  /** Milliseconds on the clock when it was made. */
  at: number;
}

/** Where the mines come from: a seed, dealt at the first opening, or a layout that is given. */
export interface Source {
  seed?: bigint;
  game?: bigint;
  layout?: Layout;
}

export class Board {
  readonly shape: Shape;
  readonly mines: number;
  readonly faces: Uint8Array;
  readonly moves: Move[] = [];
  layout: Layout | null = null;
  state: State = 'fresh';
  opened = 0;

  constructor(readonly rules: Rules, readonly source: Source) {
    this.shape = shapeOf(rules);
    this.mines = sizeOf(rules).mines;
    this.faces = new Uint8Array(this.shape.size).fill(COVERED);
    this.layout = source.layout ?? null;
  }

  get over(): boolean {
    return this.state === 'won' || this.state === 'lost';
  }

  get flags(): number {
    return this.faces.reduce((flags, face) => flags + (face === FLAGGED ? 1 : 0), 0);
  }

  /** Whether the action would change anything. */
  legal(action: Action, cell: number): boolean {
    if (this.over || cell < 0 || cell >= this.shape.size) return false;
    const face = this.faces[cell]!;
    switch (action) {
      case 'open':
      case 'flag':
        return face === COVERED;
      case 'unflag':
        return face === FLAGGED;
      case 'chord': {
        const near = this.shape.neighbors(cell).map((other) => this.faces[other]);
        return (
          face >= 1 && face <= 8 &&
          near.filter((other) => other === FLAGGED).length === face &&
          near.includes(COVERED)
        );
      }
    }
  }

  /** Does what the player wants; false if that changes nothing. */
  act(action: Action, cell: number, at = 0): boolean {
    if (!this.legal(action, cell)) return false;
    this.moves.push({ action, cell, at });
    if (action === 'flag') this.faces[cell] = FLAGGED;
    else if (action === 'unflag') this.faces[cell] = COVERED;
    else this.#open(action === 'open' ? [cell] : this.shape.neighbors(cell));
    return true;
  }

  /** The same board with its first moves only: the way back, and the way through a review. */
  after(moves: number): Board {
    const source = this.layout ? { ...this.source, layout: this.layout } : this.source;
    const board = new Board(this.rules, source);
    for (const { action, cell, at } of this.moves.slice(0, moves)) board.act(action, cell, at);
    return board;
  }

  /** What the player sees; after the end also the mines. */
  shownFaces(): Uint8Array {
    if (!this.over || !this.layout) return this.faces;
    const shown = this.faces.slice();
    for (let cell = 0; cell < shown.length; cell += 1) {
      const mine = this.layout.isMine(cell);
      if (shown[cell] === FLAGGED && !mine) shown[cell] = WRONG_FLAG;
      else if (shown[cell] === COVERED && mine) shown[cell] = this.state === 'won' ? FLAGGED : MINE;
      else if (shown[cell] === MINE) shown[cell] = EXPLODED;
    }
    return shown;
  }

  #open(cells: readonly number[]): void {
    for (const cell of cells) {
      if (this.faces[cell] !== COVERED) continue;
      this.#lay(cell);
      if (this.layout!.isMine(cell)) {
        this.faces[cell] = MINE;
        this.state = 'lost';
        return;
      }
      this.#flood(cell);
    }
    if (this.opened === this.shape.size - this.mines) this.state = 'won';
  }

  #lay(first: number): void {
    this.layout ??= Layout.deal(
      this.shape, this.mines, this.rules.start,
      derive(this.source.seed ?? 0n, this.source.game ?? 0n, PURPOSE.layout), first,
    );
    if (this.state === 'fresh') this.state = 'live';
  }

  /** Opens a safe cell and, where it proves that no mine is around, its neighbors in turn. */
  #flood(start: number): void {
    const stack = [start];
    while (stack.length > 0) {
      const cell = stack.pop()!;
      if (this.faces[cell] !== COVERED) continue;
      const face = this.#faceOf(cell);
      this.faces[cell] = face;
      this.opened += 1;
      if (this.rules.cascade === 'on' && this.#provesZero(face)) {
        for (const near of this.shape.neighbors(cell)) if (this.faces[near] === COVERED) stack.push(near);
      }
    }
  }

  #provesZero(face: Face): boolean {
    return face === 0 && this.rules.clues !== 'optimistic';
  }

  #faceOf(cell: number): Face {
    const count = this.layout!.counts[cell]!;
    const { clues } = this.rules;
    if (clues === 'exact' || (clues.startsWith('blind') && this.opened === 0)) return count;
    const noise = derive(this.source.seed ?? 0n, this.source.game ?? 0n, PURPOSE.clueNoise);
    const draw = nthDraw(noise, cell);
    const oneOf = (low: number, high: number) => low + Number((draw * BigInt(high - low + 1)) >> 64n);
    if (clues.startsWith('blind')) return unit(draw) < Number(clues.slice('blind:'.length)) ? BLANK : count;
    if (clues === 'optimistic') return oneOf(0, count);
    return oneOf(count, clues === 'cautious' ? 8 : this.shape.neighbors(cell).length);
  }
}
