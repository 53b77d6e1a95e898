//! A game as a film: what is seen after each of its moves, and when each was made.

import { Board } from '../../game/board.ts';
import { COVERED } from '../../game/face.ts';
import { Layout } from '../../game/layout.ts';
import type { Position } from '../../game/notation.ts';
import type { GameRecord } from '../../game/record.ts';
import { shapeOf } from '../../game/rules.ts';
import type { Shape } from '../../game/shape.ts';

/** All faces are kept after each this many moves; others are found from there. */
const KEY = 32;
/** Moves of agents take microseconds; below this pace, in milliseconds a move, a film runs evenly. */
const FASTEST = 20;
/** The pace of such a film, in milliseconds a move. */
const EVEN = 250;
/** Longer pauses can be shortened to this, in milliseconds. */
export const LONG_PAUSE = 2000;

export class Film {
  readonly shape: Shape;
  readonly mines: number;
  readonly clues: string;
  /** How many moves there are. */
  readonly length: number;
  /** Milliseconds on the clock after each move; the first entry is the start. */
  readonly times: readonly number[];
  /** Whether the times are those of a clock, not of a program's thinking. */
  readonly timed: boolean;
  /** The board after the last move. */
  readonly end: Board;
  readonly #keys: Uint8Array[] = [];
  /** What each move changed: cell and face. */
  readonly #changes: [number, number][][] = [];

  constructor(readonly record: GameRecord) {
    const { rules, moves } = record;
    this.shape = shapeOf(rules);
    this.clues = rules.clues;
    this.length = moves.length;
    let clock = 0;
    this.times = [0, ...moves.map(({ micros }) => (clock += (micros ?? 0) / 1000))];
    this.timed = this.times.at(-1)! >= FASTEST * moves.length;
    this.end = this.#play();
    this.mines = this.end.mines;
  }

  /** Makes all moves once, noting what each changes. */
  #play(): Board {
    const { rules, seed, game, layout, moves } = this.record;
    const board = new Board(rules, {
      ...(seed === undefined ? {} : { seed: BigInt(seed), game: BigInt(game ?? 0) }),
      ...(layout ? { layout: Layout.fromRows(this.shape, layout) } : {}),
    });
    let before = new Uint8Array(this.shape.size).fill(COVERED);
    moves.forEach(({ action, cell, redrawn }, number) => {
      if (number % KEY === 0) this.#keys.push(before);
      if (redrawn) board.layout = Layout.fromRows(this.shape, redrawn);
      if (action !== 'decline' && cell) board.act(action, this.shape.cell(cell), this.times[number + 1]!);
      const after = (number + 1 === moves.length ? board.shownFaces() : board.faces).slice();
      const changed = [...after.keys()].filter((at) => after[at] !== before[at]);
      this.#changes.push(changed.map((at) => [at, after[at]!]));
      before = after;
    });
    if (moves.length === 0) this.#keys.push(before);
    return board;
  }

  /** What is seen after this many moves; after the last one also the mines. */
  facesAfter(moves: number): Uint8Array {
    const key = Math.min(Math.floor(moves / KEY), this.#keys.length - 1);
    const faces = this.#keys[key]!.slice();
    for (const changes of this.#changes.slice(key * KEY, moves)) for (const [cell, face] of changes) faces[cell] = face;
    return faces;
  }

  positionAfter(moves: number): Position {
    return { shape: this.shape, mines: this.mines, clues: this.clues, faces: this.facesAfter(moves) };
  }

  /** Whether the game goes on after this many moves. */
  isLive(moves: number): boolean {
    return moves < this.length || !this.end.over;
  }

  /** When each move is shown, in milliseconds: at its recorded time, or evenly where there is none. */
  schedule(shortPauses: boolean): number[] {
    if (!this.timed) return this.times.map((_, move) => move * EVEN);
    const most = shortPauses ? LONG_PAUSE : Infinity;
    let at = 0;
    return this.times.map((time, move) => (at += Math.min(most, time - (this.times[move - 1] ?? 0))));
  }
}

/** The last of these rising times that is not after `time`. */
export function lastBefore(times: readonly number[], time: number): number {
  let [low, high] = [0, times.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (times[middle]! <= time) low = middle;
    else high = middle - 1;
  }
  return low;
}
