//! Hints in words: each step says a little more, and no sentence comes twice.

import type { Hint } from '../../api/types.ts';
import { percent } from '../../board/heat.ts';
import { placeText } from '../../parts/analysis.ts';
import type { HintLevel } from '../../game/help.ts';
import type { Game } from './game.svelte.ts';
import { sentence } from './words.ts';

/** A hint, and how much of it was asked for. */
export interface ShownHint {
  level: HintLevel;
  hint: Hint;
}

export const STEPS: readonly string[] = ['Is there a safe move?', 'Where should I look?', 'Which cell?', 'Why?'];

export function hintLines({ hint, level }: ShownHint): string[] {
  const { safe_exists, cell, safety, action } = hint;
  const lines = safe_exists ? ['Yes, there is a safe move.'] : ['No cell is certainly safe.', 'You have to guess.'];
  if (level === 2) lines.push(safe_exists ? 'Look at the tinted cells.' : 'The best guess is one of the tinted cells.');
  if (level >= 3 && cell) {
    // The reasons of a guess begin with its safety.
    const safe = level === 3 && typeof safety === 'number' ? `: ${percent(safety, 1)} safe` : '';
    if (!safe_exists) lines.push(`The best guess is ${placeText(cell)}${safe}.`);
    else lines.push(`${action === 'unflag' ? 'Remove the flag and open' : 'Open'} ${placeText(cell)}.`);
  }
  if (level >= 4) lines.push(...reasonsOf(hint));
  return distinct(lines);
}

/** Whether the words name rows and columns. */
export function namesCells(shown: ShownHint | null): boolean {
  return shown !== null && shown.level >= 3;
}

/** The engine's reasons, a sentence each. */
function reasonsOf({ reasons, why }: ShownHint['hint']): string[] {
  const texts = reasons?.length ? reasons : why ? [why] : [];
  return texts.flatMap((text) => text.split(/(?<=[.!?])\s+(?=[A-Z])|;\s+/)).map(closed).filter(Boolean);
}

function closed(text: string): string {
  const words = text.trim();
  return words && sentence(/[.!?:]$/.test(words) ? words : `${words}.`);
}

/** Without what was said before. */
function distinct(lines: readonly string[]): string[] {
  const plain = (line: string) => line.toLowerCase().replace(/[\s.!?]+/g, ' ').trim();
  return lines.filter((line, i) => lines.findIndex((other) => plain(other) === plain(line)) === i);
}

/** While nothing is open nothing is known; this needs no engine. */
export function firstHint(game: Game): Hint {
  const { shape } = game.board;
  const middle = shape.cell([Math.floor(shape.height / 2), Math.floor(shape.width / 2)]);
  const cell = game.startAt ?? (game.rules.start === 'open' ? middle : 0);
  const why = game.startAt !== null ? 'This board starts at the marked cell.' : {
    open: 'The first cell always opens an area, wherever it is.',
    safe: 'The first cell is always safe. Corners open an area most often.',
    unsafe: 'Nothing is known yet: every cell has the same risk. Corners open an area most often.',
  }[game.rules.start];
  return {
    level: 4, safe_exists: game.rules.start !== 'unsafe', why, clues: [], cell: shape.place(cell),
    area: [cell, ...shape.neighbors(cell)].map((near) => shape.place(near)),
  };
}
