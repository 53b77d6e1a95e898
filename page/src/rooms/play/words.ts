//! What is said aloud after an action.

import { flagsOn, type Board } from '../../game/board.ts';
import { FLAGGED, describeFace } from '../../game/face.ts';
import { plural } from '../../game/words.ts';
import { placeText } from '../../parts/analysis.ts';

/** What an opening showed: the one cell, or how many. */
export function openedWords(board: Board, before: Uint8Array): string {
  const opened = [...board.faces.keys()].filter((cell) => board.faces[cell] !== before[cell]);
  if (opened.length !== 1) return opened.length === 0 ? '' : `Opened ${plural(opened.length, 'cell')}.`;
  return `${sentence(placeText(board.shape.place(opened[0]!)))}: ${describeFace(board.faces[opened[0]!]!)}.`;
}

export function flaggedWords(board: Board, cell: number): string {
  const left = board.mines - flagsOn(board);
  return `Flag ${board.faces[cell] === FLAGGED ? 'placed' : 'removed'}. ${plural(left, 'mine')} left.`;
}

export function endWords(board: Board, elapsed: number): string {
  return board.state === 'won' ? `Won in ${seconds(elapsed, 1)} seconds.` : 'A mine. The game is lost. You can undo the move.';
}

export function seconds(millis: number, digits = 2): string {
  return (millis / 1000).toFixed(digits);
}

/** With a capital at the beginning. */
export function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
