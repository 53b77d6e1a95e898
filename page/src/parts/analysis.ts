//! From an analysis to what the board shows.

import type { Analysis, Proof } from '../api/types.ts';
import type { Mark } from '../board/overlay.ts';
import type { Place, Shape } from '../game/shape.ts';

/** Risks by cell; a certain one is exactly 0 or 1 because the engine says so, never by rounding. */
export function heatOf(analysis: Analysis): Float64Array | null {
  const rows = analysis.mine_probability;
  if (!rows) return null;
  const heat = heatOfRows(rows);
  const at = ([row, column]: Place) => row * analysis.width + column;
  const certain = new Set([...analysis.safe, ...analysis.mine].map(at));
  for (let cell = 0; cell < heat.length; cell += 1) {
    if (certain.has(cell)) continue;
    if (heat[cell] === 0) heat[cell] = Number.EPSILON;
    else if (heat[cell] === 1) heat[cell] = 1 - Number.EPSILON;
  }
  for (const place of analysis.safe) heat[at(place)] = 0;
  for (const place of analysis.mine) heat[at(place)] = 1;
  return heat;
}

export function heatOfRows(rows: readonly (readonly (number | null)[])[]): Float64Array {
  return Float64Array.from(rows.flat(), (risk) => risk ?? NaN);
}

export function marksOfAnalysis(shape: Shape, analysis: Analysis, { best = true }: { best?: boolean } = {}): Mark[] {
  const marks: Mark[] = [];
  const put = (places: readonly Place[] | null | undefined, kind: Mark['kind']) => {
    for (const place of places ?? []) if (shape.contains(place)) marks.push({ cell: shape.cell(place), kind });
  };
  put(analysis.safe, 'safe');
  put(analysis.mine, 'mine');
  put(analysis.dead, 'dead');
  put(analysis.fifty_fifty?.flat(), 'fifty');
  put(analysis.conflict, 'conflict');
  put(analysis.wrong_flags, 'conflict');
  if (best && analysis.best) put([analysis.best.cell], 'best');
  return marks;
}

export function proofOf(analysis: Analysis | null, place: Place): Proof | undefined {
  return analysis?.proofs?.find(({ cell }) => cell[0] === place[0] && cell[1] === place[1]);
}

/** `1 cell`, `2 cells`; other plurals are given. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}

/** The number of layouts for people: exact when small, else a power of ten. */
export function layoutsText(log10: number): string {
  if (log10 < 6) return Math.round(10 ** log10).toLocaleString('en-US');
  const power = Math.floor(log10);
  return `${(10 ** (log10 - power)).toFixed(1)} · 10${superscript(power)}`;
}

function superscript(value: number): string {
  return [...String(value)].map((digit) => '⁰¹²³⁴⁵⁶⁷⁸⁹'[Number(digit)]).join('');
}

export function placeText([row, column]: Place): string {
  return `row ${row}, column ${column}`;
}
