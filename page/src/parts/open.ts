//! Anything that holds a board: text, a file, a link. What the page cannot read itself the engine does.

import { api } from '../api/client.ts';
import type { Converted } from '../api/types.ts';
import { COVERED } from '../game/face.ts';
import { facesOf, parsePosition, type Position } from '../game/notation.ts';
import type { GameRecord } from '../game/record.ts';
import { isForm } from '../game/rules.ts';
import { Shape } from '../game/shape.ts';
import { positionFromQuery, parseRoute } from '../state/url.ts';

export interface Opened {
  position?: Position;
  record?: GameRecord;
}

/** The most that the engine takes. */
const LIMIT = 48 * 1024;

export async function openText(text: string): Promise<Opened> {
  const own = ownLink(text);
  if (own) return { position: own };
  try {
    return { position: parsePosition(text) };
  } catch (fault) {
    if (/^\s*mines\s/.test(text)) throw fault;
    return openBytes(new TextEncoder().encode(text));
  }
}

export async function openFile(file: File): Promise<Opened> {
  if (file.size > LIMIT) throw new Error(`${file.name} has ${Math.round(file.size / 1024)} kB; boards and replays up to ${LIMIT / 1024} kB can be read.`);
  return openBytes(new Uint8Array(await file.arrayBuffer()), file.name);
}

async function openBytes(bytes: Uint8Array, name?: string): Promise<Opened> {
  if (bytes.length === 0) throw new Error('There is nothing to read.');
  return fromDocument(await api.read(bytes, name));
}

function fromDocument(document: Converted): Opened {
  const opened: Opened = {};
  if (document.record) opened.record = document.record;
  if (document.position) {
    const { rows, mines, shape, clues } = document.position;
    const form = new Shape(shape && isForm(shape) ? shape : 'rect', rows[0]?.length ?? 1, rows.length);
    opened.position = { shape: form, mines, clues: clues ?? 'exact', faces: facesOf(form, rows) };
  } else if (document.layout) {
    const { rows, shape } = document.layout;
    const form = new Shape(shape && isForm(shape) ? shape : 'rect', rows[0]?.length ?? 1, rows.length);
    const mines = rows.join('').split('*').length - 1;
    opened.position = { shape: form, mines, clues: 'exact', faces: new Uint8Array(form.size).fill(COVERED) };
  }
  if (!opened.position && !opened.record) throw new Error('The document holds no board.');
  return opened;
}

/** One of our own links holds its position itself. */
function ownLink(text: string): Position | null {
  const fragment = /^\s*\S*#\/analy[sz]e\?(\S+)\s*$/.exec(text);
  return fragment ? positionFromQuery(parseRoute(`#/analyze?${fragment[1]}`).query) : null;
}
