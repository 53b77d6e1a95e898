//! A game as a film: what is seen after each of its moves, and when each was made.

import type { FilmDocument } from '../../api/types.ts';
import { isOver } from '../../game/board.ts';
import { COVERED } from '../../game/face.ts';
import type { Position } from '../../game/notation.ts';
import type { GameRecord } from '../../game/record.ts';
import { shapeOf, sizeOf } from '../../game/rules.ts';
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
  /** The fewest clicks that open the board, if its mines are known. */
  readonly threeBv: number | null;
  readonly #keys: Uint8Array[] = [];

  /** `document` is the engine's film of the record. */
  constructor(readonly record: GameRecord, readonly document: FilmDocument) {
    const { rules, moves } = record;
    this.shape = shapeOf(rules);
    this.clues = rules.clues;
    this.length = moves.length;
    let clock = 0;
    this.times = [0, ...moves.map(({ micros }) => (clock += (micros ?? 0) / 1000))];
    this.timed = this.times.at(-1)! >= FASTEST * moves.length;
    this.mines = sizeOf(rules).mines;
    this.threeBv = document.three_bv ?? null;
    this.#keepKeys();
  }

  /** Goes through the moves once and keeps all faces after some of them. */
  #keepKeys(): void {
    const faces = new Uint8Array(this.shape.size).fill(COVERED);
    this.#keys.push(faces.slice());
    this.document.changes.forEach((changes, number) => {
      for (const [cell, face] of changes) faces[cell] = face;
      if ((number + 1) % KEY === 0) this.#keys.push(faces.slice());
    });
  }

  /** What is seen after this many moves; after the last one also the mines. */
  facesAfter(moves: number): Uint8Array {
    const key = Math.min(Math.floor(moves / KEY), this.#keys.length - 1);
    const faces = this.#keys[key]!.slice();
    for (const changes of this.document.changes.slice(key * KEY, moves)) for (const [cell, face] of changes) faces[cell] = face;
    return faces;
  }

  positionAfter(moves: number): Position {
    return { shape: this.shape, mines: this.mines, clues: this.clues, faces: this.facesAfter(moves) };
  }

  /** Whether the game goes on after this many moves. */
  isLive(moves: number): boolean {
    return moves < this.length || !isOver(this.document);
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
