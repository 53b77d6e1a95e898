//! Opens anything that holds a board or a game: a file, text, a link. What the page cannot read
//! itself the engine reads. `addressOf` says in which room it is shown.

import { engine } from '../api/engine.ts';
import type { Converted, MouseReplay } from '../api/types.ts';
import { COVERED } from '../game/face.ts';
import { facesOf, parsePosition, type Position } from '../game/notation.ts';
import type { GameRecord } from '../game/record.ts';
import { isForm } from '../game/rules.ts';
import { Shape } from '../game/shape.ts';
import { keepTrace, reviewAddress } from '../state/games.ts';
import { formatRoute, parseRoute, positionFromQuery, queryOfPosition, type CountlessPosition } from '../state/url.ts';

export interface Opened {
  /** A position to analyze; of a game, its last one. */
  position?: Position;
  /** Rows of cells without a mine count. The Analyze room asks for the count and adds it: `{ ...needsMines, mines }`. */
  needsMines?: CountlessPosition;
  /** A finished game. */
  record?: GameRecord;
  /** What the mouse did in that game, where the file holds it. */
  replay?: MouseReplay;
  /** Where one of deminer's own links leads. */
  address?: string;
}

/** The largest file that is read, in bytes; the server has the same limit. */
export const LIMIT = 4 << 20;

export async function openText(text: string): Promise<Opened> {
  const own = ownLink(text);
  if (own) return own;
  try {
    return { position: parsePosition(text) };
  } catch (fault) {
    if (/^\s*mines\s/.test(text)) throw fault;
  }
  const needsMines = rowsAlone(text);
  return needsMines ? { needsMines } : openBytes(new TextEncoder().encode(text));
}

export async function openFile(file: File): Promise<Opened> {
  if (file.size > LIMIT) throw new Error(`${file.name} is too large: it has ${megabytes(file.size)} MiB. Files up to ${LIMIT >> 20} MiB can be opened.`);
  const bytes = new Uint8Array(await file.arrayBuffer());
  const needsMines = bytes.includes(0) ? null : rowsAlone(new TextDecoder().decode(bytes));
  return needsMines ? { needsMines } : openBytes(bytes, file.name);
}

/** Where what was opened is shown: games in the Review room, positions in the Analyze room. */
export async function addressOf({ address, record, position, needsMines }: Opened): Promise<string> {
  if (address) return address;
  if (record) return reviewAddress(record);
  return formatRoute('analyze', [], queryOfPosition((position ?? needsMines)!));
}

async function openBytes(bytes: Uint8Array, name?: string): Promise<Opened> {
  if (isStatistics(bytes)) throw new Error('This file holds statistics. To import them, go to Statistics in the Play room.');
  if (bytes.length === 0) throw new Error(name ? `${name} is empty.` : 'There is nothing to open.');
  const opened = fromDocument(await engine.read(bytes, name));
  if (opened.record && opened.replay) await keepTrace(opened.record, opened.replay);
  return opened;
}

function fromDocument(document: Converted): Opened {
  const opened: Opened = {};
  if (document.record) opened.record = document.record;
  if (document.replay) opened.replay = document.replay;
  if (document.position) {
    const { rows, mines, shape, clues } = document.position;
    const form = formOf(rows, shape);
    opened.position = { shape: form, mines, clues: clues ?? 'exact', faces: facesOf(form, rows) };
  } else if (document.layout) {
    const { rows, shape } = document.layout;
    const form = formOf(rows, shape);
    const mines = rows.join('').split('*').length - 1;
    opened.position = { shape: form, mines, clues: 'exact', faces: new Uint8Array(form.size).fill(COVERED) };
  }
  if (!opened.position && !opened.record) throw new Error('The file holds neither a board nor a game.');
  return opened;
}

function formOf(rows: readonly string[], shape: string | null | undefined): Shape {
  return new Shape(shape && isForm(shape) ? shape : 'rect', rows[0]?.length ?? 1, rows.length);
}

/** Rows of cells without a mine count. Rows of nothing but `.` and `*` are a layout, which the engine reads. */
function rowsAlone(text: string): CountlessPosition | null {
  if (text.length > 100_000 || /^[\s.*]*$/.test(text)) return null;
  try {
    const { mines: _, ...position } = parsePosition(`mines 0\n${text}`);
    return position;
  } catch {
    return null;
  }
}

/** One of deminer's own links: the position that it holds, or else where it leads. */
function ownLink(text: string): Opened | null {
  const fragment = /^\s*\S*(#\/\S+)\s*$/.exec(text)?.[1];
  const route = fragment ? parseRoute(fragment) : null;
  if (!fragment || !route?.room) return null;
  const position = route.room === 'analyze' ? positionFromQuery(route.query) : null;
  return position ? { position } : { address: fragment };
}

function megabytes(bytes: number): string {
  return (bytes / (1 << 20)).toFixed(1);
}

/** Whether these are the statistics that the Play room exports. */
function isStatistics(bytes: Uint8Array): boolean {
  return /^\s*\{[^[]*"kind":\s*"statistics"/.test(new TextDecoder().decode(bytes.subarray(0, 400)));
}
