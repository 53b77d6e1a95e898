//! What the Play room draws over its board, and says of the marked cells.

import type { Analysis } from '../../api/types.ts';
import type { Mark, MarkKind } from '../../board/marks.ts';
import { isOver, type Board } from '../../game/board.ts';
import { marksOfAnalysis } from '../../parts/analysis.ts';
import type { ShownHint } from './hints.ts';

export interface Shown {
  board: Board;
  analysis: Analysis | null;
  hint: ShownHint | null;
  /** The cell that waits for a second tap. */
  chosen: number | null;
  /** The cell to open first. */
  startAt: number | null;
  /** Whether numbers whose chord is possible are outlined. */
  chords: boolean;
}

export function marksOf({ board, analysis, hint, chosen, startAt, chords }: Shown): Mark[] {
  const { shape } = board;
  const marks: Mark[] = [];
  const put = (cells: readonly number[], kind: MarkKind) => marks.push(...cells.map((cell) => ({ cell, kind })));
  if (analysis) marks.push(...marksOfAnalysis(shape, analysis, { best: false }));
  if (isOver(board)) return marks;
  if (chords) put(board.chords, 'premise');
  if (startAt !== null && board.state === 'fresh') put([startAt], 'best');
  if (hint) {
    const cellsOf = (places: typeof hint.hint.area) => (places ?? []).map((place) => shape.cell(place));
    if (hint.level === 2) put(cellsOf(hint.hint.area), 'look');
    if (hint.level >= 4) put(cellsOf(hint.hint.clues), 'clue');
    if (hint.level >= 3 && hint.hint.cell) put([shape.cell(hint.hint.cell)], 'best');
  }
  if (chosen !== null) put([chosen], 'select');
  return marks;
}

/** Words for screen readers that follow the label of a marked cell. */
export function markWords(marks: readonly Mark[], { hint }: Pick<Shown, 'hint'>): (cell: number) => string {
  const words: Partial<Record<MarkKind, string>> = {
    best: hint ? 'hinted cell' : 'start here', clue: 'clue of the hint', look: 'look here', premise: 'chord possible',
  };
  const byCell = new Map(marks.filter(({ kind }) => words[kind]).map(({ cell, kind }) => [cell, words[kind]!]));
  return (cell) => byCell.get(cell) ?? '';
}
