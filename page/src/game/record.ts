//! Games in the project's record format, so that every door of deminer reads them.

import { Board, type Action } from './board.ts';
import { tookHelp } from './help.ts';
import { Layout } from './layout.ts';
import { shapeOf, type Rules } from './rules.ts';
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

/** Numbers that JavaScript cannot count are written as text. */
function count(value: bigint): number | string {
  return value <= 1n << 53n ? Number(value) : value.toString();
}

export function recordOf(board: Board, player: string, help: Help = {}): GameRecord {
  const { seed, game } = board.source;
  return {
    schema_version: 1,
    kind: 'record',
    player,
    rules: board.rules,
    ...(seed === undefined ? {} : { seed: count(seed), game: count(game ?? 0n) }),
    ...(board.layout && wasOpened(board, help) ? { layout: board.layout.rows() } : {}),
    moves: board.moves.map((_, number) => moveOf(board, number)),
    outcome: board.state === 'won' || board.state === 'lost' ? board.state : 'undecided',
    ...(tookHelp(help) ? { help } : {}),
  };
}

/** Whether some cell was ever opened, even if that was undone. */
function wasOpened(board: Board, { undone = [] }: Help): boolean {
  return board.state !== 'fresh' || undone.some(({ move }) => move.action === 'open');
}

/** A move of a board as records write it. */
export function moveOf(board: Board, number: number): RecordMove {
  const { action, cell, at } = board.moves[number]!;
  const starts = number === 0 && action === 'open';
  return {
    by: starts ? 'start' : 'agent',
    action,
    cell: board.shape.place(cell),
    why: { kind: starts ? 'start' : 'nothing' },
    micros: Math.max(0, Math.round((at - (board.moves[number - 1]?.at ?? 0)) * 1000)),
  };
}

/** Plays a record again, as far as its moves are ours to make. */
export function boardOf(record: GameRecord): Board {
  const shape = shapeOf(record.rules);
  const board = new Board(record.rules, {
    ...(record.seed === undefined ? {} : { seed: BigInt(record.seed), game: BigInt(record.game ?? 0) }),
    ...(record.layout ? { layout: Layout.fromRows(shape, record.layout) } : {}),
  });
  let at = 0;
  for (const { action, cell, micros } of record.moves) {
    at += (micros ?? 0) / 1000;
    if (action !== 'decline' && cell) board.act(action, shape.cell(cell), at);
  }
  return board;
}
