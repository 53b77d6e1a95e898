//! Help that a player took during a game: moves undone, hints, odds shown.

import type { Help, RecordMove } from './record.ts';
import { plural } from './words.ts';

export type HintLevel = 1 | 2 | 3 | 4;

/** A hint was asked for, or a deeper step of the last one: four steps of one hint are one hint. */
export function withHint(help: Help, at: number, level: HintLevel): Help {
  const hints = help.hints ?? [];
  const last = hints.at(-1);
  if (!last || (level === 1 && last.at !== at)) return { ...help, hints: [...hints, { at, level }] };
  const deepest = Math.max(last.level, level) as HintLevel;
  return { ...help, hints: [...hints.slice(0, -1), { ...last, level: deepest }] };
}

/** A move was undone, so that `at` moves are left. */
export function withUndone(help: Help, at: number, move: RecordMove): Help {
  return { ...help, undone: [...(help.undone ?? []), { at, move }] };
}

export function tookHelp({ undone = [], hints = [], odds = false }: Help): boolean {
  return undone.length > 0 || hints.length > 0 || odds;
}

/** What was taken, such as `1 hint, 2 moves undone, odds shown`. */
export function helpWords({ undone, hints, odds }: { undone: number; hints: number; odds: boolean }): string {
  return [hints > 0 && plural(hints, 'hint'), undone > 0 && `${plural(undone, 'move')} undone`, odds && 'odds shown'].filter(Boolean).join(', ');
}

export function helpCounts(help: Help): { undone: number; hints: number; odds: boolean } {
  return { undone: help.undone?.length ?? 0, hints: help.hints?.length ?? 0, odds: help.odds ?? false };
}
