//! Games in the project's record format, so that every door of deminer reads them.

import type { Action } from './board.ts';
import type { Rules } from './rules.ts';
import type { Place } from './shape.ts';

export type Premise = { clue: Place } | { mine: Place } | { safe: Place } | 'mine_total';

export type Why =
  | { kind: 'proved'; rule: string; premises: Premise[] }
  | { kind: 'rule'; name: string; premises: Premise[] }
  | { kind: 'risk'; risk: number }
  | { kind: 'start' }
  | { kind: 'blind' }
  | { kind: 'nothing' };

export interface RecordMove {
  by: 'start' | 'agent';
  action: Action | 'decline';
  cell?: Place;
  why: Why;
  micros?: number;
  redrawn?: string[];
}

/** Help that a player took; `at` is how many moves there were when it happened. */
export interface Help {
  /**
   * Moves taken back, one entry each, in the order of time; `at` is how many moves were left.
   * From the last entry to the first, the line before an undo is the first `at` moves of the line
   * before the next undo (of `moves`, for the last entry) and the move itself.
   */
  undone?: { at: number; move: RecordMove }[];
  /** Hints, each with the last step that was asked for. */
  hints?: { at: number; level: 1 | 2 | 3 | 4 }[];
  /** Whether the odds were shown. */
  odds?: boolean;
}

export interface GameRecord {
  schema_version: 1;
  kind: 'record';
  player: string;
  rules: Rules;
  seed?: number | string;
  game?: number | string;
  layout?: string[];
  moves: RecordMove[];
  outcome: 'won' | 'lost' | 'stuck' | 'undecided';
  help?: Help;
}
