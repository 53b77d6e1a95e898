//! Help that a player took during a game: moves undone, hints, odds shown.

import { plural } from './words.ts';

export type HintLevel = 1 | 2 | 3 | 4;

/** How much help was taken. */
export interface HelpCounts {
  undone: number;
  hints: number;
  odds: boolean;
}

export const NO_HELP: HelpCounts = { undone: 0, hints: 0, odds: false };

/** What was taken, such as `1 hint, 2 moves undone, odds shown`. */
export function helpWords({ undone, hints, odds }: HelpCounts): string {
  return [hints > 0 && plural(hints, 'hint'), undone > 0 && `${plural(undone, 'move')} undone`, odds && 'odds shown'].filter(Boolean).join(', ');
}
