//! What is said of an analysis.

import type { Alternative, Analysis } from '../../api/types.ts';
import { percent } from '../../board/heat.ts';
import type { Mark } from '../../board/overlay.ts';
import { counted, placeText } from '../../parts/analysis.ts';

/** The result in one sentence, for screen readers. */
export function resultText({ consistent, safe, best }: Analysis): string {
  if (!consistent) return 'No arrangement of mines fits these clues.';
  if (safe.length > 0) return `${counted(safe.length, 'cell is', 'cells are')} safe.`;
  if (!best) return '';
  if (best.safety === 1) return `The best move is ${placeText(best.cell)}. It is certainly safe.`;
  return `No cell is certainly safe. The best guess is ${placeText(best.cell)}, ${percent(best.safety, 1)} safe.`;
}

/** What the marks of a cell mean, for screen readers. */
export function marksText(marks: readonly Mark[], cell: number): string {
  const words: Partial<Record<Mark['kind'], string>> = {
    safe: 'proved safe', mine: 'proved mine', best: 'best move', conflict: 'in conflict', dead: 'gives no information', fifty: '50/50', clue: 'clue of the proof',
  };
  return marks.filter((mark) => mark.cell === cell).flatMap(({ kind }) => words[kind] ?? []).join(', ');
}

/** The 50/50s that a guess settles, where the engine gives no sentence. */
export function settlesText({ settles }: Alternative): string {
  return (settles ?? []).map((pair) => `Settles the 50/50 of ${pair.map(placeText).join(' and ')}.`).join(' ');
}

/** A sentence of the engine, with a capital and a full stop; numbers stay with their percent sign. */
export function sentence(text: string): string {
  const capital = (text.slice(0, 1).toUpperCase() + text.slice(1)).replace(/(\d) %/g, '$1\u202f%');
  return /[.!?]$/.test(capital) ? capital : `${capital}.`;
}
