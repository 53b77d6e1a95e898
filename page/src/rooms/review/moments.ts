//! The moves of a game in words, with what the coach says of them.

import type { Review, ReviewMove, Verdict } from '../../api/types.ts';
import { percent } from '../../board/heat.ts';
import type { GameRecord } from '../../game/record.ts';
import type { Place } from '../../game/shape.ts';
import { placeText } from '../../parts/analysis.ts';

export type Tone = '' | 'good' | 'warn' | 'bad';

/** Verdicts for people; flags and first clicks get none. */
export const VERDICTS: Readonly<Record<Verdict, { name: string; tone: Tone }>> = {
  start: { name: 'first click', tone: '' },
  none: { name: '', tone: '' },
  proved: { name: 'safe', tone: 'good' },
  best: { name: 'best move', tone: 'good' },
  good: { name: 'good', tone: 'good' },
  inaccuracy: { name: 'inaccuracy', tone: 'warn' },
  mistake: { name: 'mistake', tone: 'warn' },
  blunder: { name: 'blunder', tone: 'bad' },
};

const ACTIONS: Readonly<Record<string, string>> = { open: 'Open', chord: 'Chord', flag: 'Flag', unflag: 'Remove the flag at', decline: 'Stopped' };

export function moveWords({ action, cell }: { action: string; cell?: Place | null }): string {
  const words = ACTIONS[action] ?? action;
  return cell ? `${words} ${placeText(cell)}` : words;
}

/** A line of the list of moves. */
export interface Moment {
  /** The move to go to. */
  move: number;
  words: string;
  kind: 'move' | 'undone' | 'hint';
  reviewed: ReviewMove | null;
}

/** All moves in order, with undone moves and hints where they happened. */
export function momentsOf(record: GameRecord, review: Review | null): Moment[] {
  const reviewed = new Map(review?.moves.map((move) => [move.number, move]));
  const moves = record.moves.map((move, index): Moment => ({ move: index + 1, words: moveWords(move), kind: 'move', reviewed: reviewed.get(index + 1) ?? null }));
  // The sort is stable: what happened after a move follows it.
  return [...moves, ...undoneOf(record, review), ...hintsOf(record)].sort((a, b) => a.move - b.move);
}

function undoneOf({ help }: GameRecord, review: Review | null): Moment[] {
  if (review?.undone) return review.undone.map((move) => ({ move: move.at, words: moveWords(move), kind: 'undone', reviewed: move }));
  return (help?.undone ?? []).map(({ at, move }) => ({ move: at, words: moveWords(move), kind: 'undone', reviewed: null }));
}

function hintsOf({ help }: GameRecord): Moment[] {
  return (help?.hints ?? []).map(({ at, level }) => ({ move: at, words: HINTS[level] ?? 'Hint', kind: 'hint', reviewed: null }));
}

const HINTS: Readonly<Record<number, string>> = {
  1: 'Hint: is there a safe move', 2: 'Hint: where to look', 3: 'Hint: which cell', 4: 'Hint: which cell, and why',
};

/** A guess made though some cell was certainly safe. */
export function isUnneeded({ risk, safest, verdict }: ReviewMove): boolean {
  return verdict !== 'start' && (risk ?? 0) > 0 && safest === 0;
}

/** Blunders, mistakes, guesses that were not needed, and help that was taken. */
export function isKey({ kind, reviewed }: Moment): boolean {
  if (kind !== 'move') return true;
  return reviewed !== null && (['mistake', 'blunder'].includes(reviewed.verdict) || isUnneeded(reviewed));
}

export function isGuess({ kind, reviewed }: Moment): boolean {
  const risk = reviewed?.risk ?? 0;
  return kind === 'move' && reviewed?.verdict !== 'start' && risk > 0 && risk < 1;
}

/** The share of the win chance that a move gave away, or a dash. */
export function costWords({ cost }: ReviewMove): string {
  return percent(cost, 1);
}

/** Minutes and seconds of a clock. */
export function clockText(millis: number): string {
  const seconds = millis / 1000;
  if (seconds < 60) return `${seconds.toFixed(1)} s`;
  return `${Math.floor(seconds / 60)}:${(seconds % 60).toFixed(1).padStart(4, '0')}`;
}
