//! Positions as text: a header `mines N` with optional words, then rows of # F . 0-8 ? *

import type { PositionBody } from '../api/types.ts';
import { COVERED, faceOf, symbol } from './face.ts';
import { MAX_SIDE, isClueRule, isForm } from './rules.ts';
import { Shape } from './shape.ts';

/** What is seen of a board, with what must be known to weigh it. */
export interface Position {
  shape: Shape;
  mines: number;
  clues: string;
  faces: Uint8Array;
}

export class NotationError extends Error {}

export function emptyPosition(shape: Shape, mines: number, clues = 'exact'): Position {
  return { shape, mines, clues, faces: new Uint8Array(shape.size).fill(COVERED) };
}

export function rowsOf(shape: Shape, faces: Uint8Array): string[] {
  return Array.from({ length: shape.height }, (_, row) =>
    Array.from(faces.subarray(row * shape.width, (row + 1) * shape.width), symbol).join(''),
  );
}

/** Reads rows of symbols. */
export function facesOf(shape: Shape, rows: readonly string[]): Uint8Array {
  const faces = new Uint8Array(shape.size).fill(COVERED);
  rows.forEach((row, r) =>
    [...row].forEach((text, c) => {
      const face = faceOf(text);
      if (face === null) {
        throw new NotationError(`row ${r}, column ${c}: \`${text}\` is not a cell (use # F . 0-8 ? or *)`);
      }
      faces[shape.cell([r, c])] = face;
    }),
  );
  return faces;
}

export function positionText({ shape, mines, clues, faces }: Position): string {
  const header = [`mines ${mines}`];
  if (shape.form !== 'rect') header.push(`shape ${shape.form}`);
  if (clues !== 'exact') header.push(`clues ${clues}`);
  const rows = rowsOf(shape, faces).map((row) => [...row].join(' '));
  return [...header, ...rows].join('\n') + '\n';
}

/** Reads a position; a fault names the line and what would be right. */
export function parsePosition(text: string): Position {
  let mines: number | null = null;
  let form = 'rect';
  let clues = 'exact';
  const rows: string[] = [];
  text.split(/\r?\n/).forEach((raw, line) => {
    const words = raw.trim().split(/\s+/).filter(Boolean);
    while (words.length >= 2 && ['mines', 'shape', 'clues'].includes(words[0]!)) {
      const [name, value] = words.splice(0, 2) as [string, string];
      if (name === 'mines' && /^\d+$/.test(value)) mines = Number(value);
      else if (name === 'shape' && isForm(value)) form = value;
      else if (name === 'clues' && isClueRule(value)) clues = value;
      else throw new NotationError(`line ${line + 1}: \`${name} ${value}\` cannot be read`);
    }
    if (words.length > 0) rows.push(words.join(''));
  });
  if (mines === null) throw new NotationError('the first line must tell the mines, such as `mines 10`');
  if (rows.length === 0) throw new NotationError('there are no rows of cells');
  const width = rows[0]!.length;
  const odd = rows.findIndex((row) => row.length !== width);
  if (odd >= 0) throw new NotationError(`row ${odd} has ${rows[odd]!.length} cells, the others ${width}`);
  if (width > MAX_SIDE || rows.length > MAX_SIDE) throw new NotationError(`a side has at most ${MAX_SIDE} cells`);
  if (mines > width * rows.length) throw new NotationError(`${mines} mines do not fit ${width * rows.length} cells`);
  const shape = new Shape(form as Shape['form'], width, rows.length);
  return { shape, mines, clues, faces: facesOf(shape, rows) };
}

/** A position as the engine is asked about it. */
export function positionBody({ shape, mines, clues, faces }: Position): PositionBody {
  return {
    rows: rowsOf(shape, faces),
    mines,
    ...(shape.form === 'rect' ? {} : { shape: shape.form }),
    ...(clues === 'exact' ? {} : { clues }),
  };
}
