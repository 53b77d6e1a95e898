//! Rules in short words, for what differs from the default.

import { LEVELS, type Rules } from '../../game/rules.ts';
import type { Wishes } from './wishes.ts';

const SHAPES = { rect: '', torus: 'Torus', hex: 'Hexagons' };
const STARTS = { open: '', safe: 'First cell is safe', unsafe: 'First cell may be a mine' };

/** Each rule in force that differs from the default. */
export function ruleWords({ shape, start, cascade, clues }: Omit<Rules, 'board'>, { noGuess, difficulty }: Wishes): string[] {
  return [
    SHAPES[shape],
    cluesWords(clues),
    STARTS[start],
    cascade === 'off' ? 'A zero reveals only itself' : '',
    noGuess ? 'No-guess' : '',
    difficulty ? `Logic difficulty: ${difficulty}` : '',
  ].filter(Boolean);
}

function cluesWords(clues: string): string {
  const hidden = /^blind:(.+)$/.exec(clues);
  if (hidden) return `${Number((Number(hidden[1]) * 100).toFixed(2))} % of clues hidden`;
  return { exact: '', optimistic: 'Optimistic clues', cautious: 'Cautious clues', 'cautious:degree': 'Cautious clues, up to all neighbors' }[clues] ?? clues;
}

/** What a clue of these rules means, where it is not the number of mines around it. */
export function cluesMeaning(clues: string): string | null {
  if (clues === 'optimistic') return 'A number may be lower than the mines around it.';
  if (clues.startsWith('cautious')) return 'A number may be higher than the mines around it.';
  return clues.startsWith('blind:') ? 'Some opened cells show no number.' : null;
}

/** `Expert`, or the size of a board that is no level. */
export function levelName(board: string): string {
  return LEVELS.find((level) => level.board === board)?.name ?? board.replace(/^(\d+)x(\d+)x(\d+)$/, '$1×$2, $3 mines');
}
