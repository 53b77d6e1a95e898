//! A game as the engine last described it. The engine knows the rules; this is what can be shown.

import { COVERED, FLAGGED } from './face.ts';
import { shapeOf, sizeOf, type Rules } from './rules.ts';
import type { Shape } from './shape.ts';

export type Action = 'open' | 'flag' | 'unflag' | 'chord';
export type State = 'fresh' | 'live' | 'won' | 'lost';

export interface Board {
  readonly rules: Rules;
  readonly shape: Shape;
  readonly mines: number;
  /** What each cell looks like; after the end also the mines. */
  readonly faces: Uint8Array;
  readonly state: State;
  /** How many moves were made. */
  readonly moves: number;
  /** Numbers with all their flags and a covered cell around them: a click there opens the rest. */
  readonly chords: readonly number[];
  /** Where the mines lie, as rows of `*` and `.`; not known before they are dealt. */
  readonly layout: readonly string[] | null;
}

/** A board before its first move: all cells are covered. */
export function freshBoard(rules: Rules, layout: readonly string[] | null = null): Board {
  const shape = shapeOf(rules);
  return { rules, shape, mines: sizeOf(rules).mines, faces: new Uint8Array(shape.size).fill(COVERED), state: 'fresh', moves: 0, chords: [], layout };
}

export function isOver({ state }: Pick<Board, 'state'>): boolean {
  return state === 'won' || state === 'lost';
}

export function flagsOn({ faces }: Pick<Board, 'faces'>): number {
  return faces.reduce((flags, face) => flags + (face === FLAGGED ? 1 : 0), 0);
}

/** Whether a layout, as rows of `*` and `.`, has a mine in this cell. */
export function isMine(layout: readonly string[], shape: Shape, cell: number): boolean {
  const [row, column] = shape.place(cell);
  return layout[row]?.[column] === '*';
}

/** A fresh seed, small enough to read aloud. */
export function freshSeed(): number {
  return crypto.getRandomValues(new Uint32Array(1))[0]!;
}
