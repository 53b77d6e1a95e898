//! A finished game in the history, without its moves.

import type { Measures } from '../../../api/types.ts';
import type { Rules } from '../../../game/rules.ts';
import type { Game } from '../game.svelte.ts';
import type { Wishes } from '../wishes.ts';

export interface FinishedGame {
  /** When its board was dealt, and a few letters: unique, and in the order of time. */
  id: string;
  /** When it ended, as ISO 8601. */
  finished: string;
  rules: Rules;
  wishes: Wishes;
  outcome: 'won' | 'lost';
  millis: number;
  threeBv: number;
  /** 3BV of what was opened. */
  solved: number;
  /** Actions that changed something: openings, chords and flags. */
  clicks: number;
  undone: number;
  hints: number;
  odds: boolean;
  /** Whether the same board had been begun before. */
  replayed: boolean;
  /** From the engine, once it answered. */
  zini?: number;
}

/** Whether a game counts for win rate, streaks and best times: the player had no help and did not know the board. */
export function isUnaided({ undone, hints, odds, replayed }: FinishedGame): boolean {
  return undone === 0 && hints === 0 && !odds && !replayed;
}

/** A game that is over, before the engine has measured it. */
export type PlayedGame = Omit<FinishedGame, 'threeBv' | 'solved' | 'zini'>;

export function playedGame(game: Game): PlayedGame {
  const { undone, hints, odds } = game.helped;
  return {
    // A loss stays a loss: what comes after it was undone is another entry, one for each board.
    id: undone > 0 ? `${game.id}-practice` : game.id,
    finished: new Date().toISOString(),
    rules: game.rules,
    wishes: { ...game.wishes },
    outcome: game.state === 'won' ? 'won' : 'lost',
    millis: Math.round(game.elapsed),
    clicks: game.moves,
    undone,
    hints,
    odds,
    replayed: game.replayed,
  };
}

/** What there is to keep of a game that is over. */
export function finishedGame(played: PlayedGame, { three_bv, solved_three_bv, zini }: Measures): FinishedGame {
  return { ...played, threeBv: three_bv, solved: solved_three_bv, zini };
}

export function withMeasures(game: FinishedGame, { zini }: Measures): FinishedGame {
  return { ...game, zini };
}

/** 3BV solved in each second; null for a game without a clock. */
export function speedOf({ solved, millis }: Pick<FinishedGame, 'solved' | 'millis'>): number | null {
  return millis > 0 ? solved / (millis / 1000) : null;
}

/** 3BV solved with each click. */
export function efficiencyOf({ solved, clicks }: Pick<FinishedGame, 'solved' | 'clicks'>): number | null {
  return clicks > 0 ? solved / clicks : null;
}

/** ZiNi for each click of a won game. */
export function ziniEfficiencyOf({ outcome, zini, clicks }: Pick<FinishedGame, 'outcome' | 'zini' | 'clicks'>): number | null {
  return outcome === 'won' && zini !== undefined && clicks > 0 ? zini / clicks : null;
}
