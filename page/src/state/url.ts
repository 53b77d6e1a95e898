//! The state of the page in the fragment of its address, so that every view can be shared.

import { COVERED, faceOf, symbol } from '../game/face.ts';
import { LEVELS, PLAIN, STARTS, boardOf, isClueRule, isForm, isStart, parseSize, sizeFault, type Rules } from '../game/rules.ts';
import { FORMS, Shape } from '../game/shape.ts';
import type { Position } from '../game/notation.ts';

export type Room = 'play' | 'learn' | 'analyze' | 'review' | 'watch' | 'lab';
export const ROOMS: readonly Room[] = ['play', 'learn', 'analyze', 'review', 'watch', 'lab'];

export interface Route {
  /** null where the address names no room. */
  room: Room | null;
  /** What follows the room: `table`, `s001-e1`. */
  path: string[];
  query: URLSearchParams;
}

export function parseRoute(fragment: string): Route {
  const [path = '', query = ''] = fragment.replace(/^#?\/?/, '').split('?', 2) as [string, string?];
  const parts = path.split('/').filter(Boolean).map(decode);
  return { room: roomOf(parts), path: parts.slice(1), query: new URLSearchParams(query) };
}

/** The room that an address names; an empty address is the Play room. */
function roomOf([name = 'play', ...path]: readonly string[]): Room | null {
  // Links of earlier versions spelled this room in British English.
  const room = ROOMS.find((one) => one === (name === 'analyse' ? 'analyze' : name)) ?? null;
  // Only the Lab has pages of its own, the Play room its statistics, and the Learn room its exercises.
  const known = path.length === 0 || room === 'lab' || (room === 'learn' && path.length <= 2) || (room === 'play' && path.join('/') === 'statistics');
  return known ? room : null;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

export function formatRoute(room: Room, path: readonly string[] = [], query: Record<string, string | number | undefined> = {}): string {
  const words = Object.entries(query).filter(([, value]) => value !== undefined && value !== '');
  const text = new URLSearchParams(words.map(([name, value]) => [name, String(value)])).toString();
  // Commas and colons are readable and legal in a fragment.
  const readable = text.replaceAll('%2C', ',').replaceAll('%3A', ':');
  return `#/${[room, ...path.map(encodeURIComponent)].join('/')}${readable ? `?${readable}` : ''}`;
}

/** Rules from an address; what is missing or wrong gets its default, see `ruleFaults`. */
export function rulesFromQuery(query: URLSearchParams): Rules {
  const board = boardOf(query.get('board') ?? '');
  const shape = query.get('shape') ?? '';
  const start = query.get('start') ?? '';
  const clues = query.get('clues') ?? '';
  return {
    board: parseSize(board) ? board : PLAIN.board,
    shape: isForm(shape) ? shape : PLAIN.shape,
    start: isStart(start) ? start : PLAIN.start,
    cascade: query.get('cascade') === 'off' ? 'off' : 'on',
    clues: isClueRule(clues) ? clues : PLAIN.clues,
  };
}

/** What is wrong with the rules and the seed in an address, a sentence each. */
export function ruleFaults(query: URLSearchParams): string[] {
  const faults: string[] = [];
  const check = (name: string, fits: (value: string) => boolean, allowed: string) => {
    const value = query.get(name);
    if (value !== null && !fits(value)) faults.push(`The link says ${name}=${value}, which is not possible. ${allowed}`);
  };
  check('board', (value) => parseSize(boardOf(value)) !== null, boardWords(query.get('board') ?? ''));
  check('shape', isForm, `Shapes: ${FORMS.join(', ')}.`);
  check('start', isStart, `Start rules: ${STARTS.join(', ')}.`);
  check('cascade', (value) => value === 'on' || value === 'off', 'It is on or off.');
  check('clues', isClueRule, 'Clue rules: exact, blind:0.1, optimistic, cautious, cautious:degree.');
  check('seed', () => seedFromQuery(query) !== null, 'A seed is a whole number below 2⁶⁴.');
  return faults;
}

/** What would be right instead of this board. */
function boardWords(board: string): string {
  const numbers = /^(\d+)x(\d+)x(\d+)$/.exec(board)?.slice(1).map(Number);
  if (!numbers) return `A board is ${LEVELS.map(({ name }) => name.toLowerCase()).join(', ')}, or width x height x mines, such as 30x16x99.`;
  const [width, height, mines] = numbers as [number, number, number];
  return sizeFault({ width, height, mines }) ?? '';
}

export function queryOfRules(rules: Rules): Record<string, string | undefined> {
  return {
    board: rules.board,
    shape: rules.shape === PLAIN.shape ? undefined : rules.shape,
    start: rules.start === PLAIN.start ? undefined : rules.start,
    cascade: rules.cascade === PLAIN.cascade ? undefined : rules.cascade,
    clues: rules.clues === PLAIN.clues ? undefined : rules.clues,
  };
}

export function seedFromQuery(query: URLSearchParams): bigint | null {
  const seed = query.get('seed') ?? '';
  return /^\d{1,20}$/.test(seed) && BigInt(seed) < 1n << 64n ? BigInt(seed) : null;
}

/**
 * A position in few letters: `A` to `Z` are 1 to 26 covered cells in a row, `f` a flag, `q` an open
 * cell without a clue, `m` a mine, digits themselves; rows are joined by `-`.
 */
export function packRows(shape: Shape, faces: Uint8Array): string {
  const rows: string[] = [];
  for (let row = 0; row < shape.height; row += 1) {
    let text = '';
    let covered = 0;
    const flush = () => {
      for (; covered > 0; covered -= Math.min(covered, 26)) text += String.fromCharCode(64 + Math.min(covered, 26));
    };
    for (const face of faces.subarray(row * shape.width, (row + 1) * shape.width)) {
      if (face === COVERED) covered += 1;
      else {
        flush();
        text += { '.': '0', F: 'f', '?': 'q', '*': 'm' }[symbol(face)] ?? symbol(face);
      }
    }
    flush();
    rows.push(text);
  }
  return rows.join('-');
}

/** Reads packed rows; null if they are none. */
export function unpackRows(text: string): { width: number; height: number; faces: Uint8Array } | null {
  const rows = text.split('-').map((row) => {
    const faces: number[] = [];
    for (const letter of row) {
      if (letter >= 'A' && letter <= 'Z') faces.push(...Array<number>(letter.charCodeAt(0) - 64).fill(COVERED));
      else {
        const face = faceOf({ f: 'F', q: '?', m: '*' }[letter] ?? letter);
        if (face === null) return null;
        faces.push(face);
      }
    }
    return faces;
  });
  const width = rows[0]?.length ?? 0;
  if (width < 1 || width > 100 || rows.length > 100 || rows.some((row) => row?.length !== width)) return null;
  return { width, height: rows.length, faces: Uint8Array.from(rows.flatMap((row) => row!)) };
}

/** A position whose number of mines is not known yet. */
export type CountlessPosition = Omit<Position, 'mines'>;

/** The query of a position; without its mines, the Analyze room asks for their number. */
export function queryOfPosition({ shape, clues, faces, mines }: CountlessPosition & { mines?: number }): Record<string, string | undefined> {
  return {
    mines: mines === undefined ? undefined : String(mines),
    shape: shape.form === 'rect' ? undefined : shape.form,
    clues: clues === 'exact' ? undefined : clues,
    rows: packRows(shape, faces),
  };
}

export function positionFromQuery(query: URLSearchParams): Position | null {
  const position = countlessFromQuery(query);
  const mines = Number(query.get('mines') ?? NaN);
  return position && Number.isInteger(mines) && mines >= 0 && mines <= position.faces.length ? { ...position, mines } : null;
}

/** The position of an address, whether or not the address says how many mines there are. */
export function countlessFromQuery(query: URLSearchParams): CountlessPosition | null {
  const rows = unpackRows(query.get('rows') ?? '');
  if (!rows) return null;
  const form = query.get('shape') ?? 'rect';
  const clues = query.get('clues') ?? 'exact';
  return {
    shape: new Shape(isForm(form) ? form : 'rect', rows.width, rows.height),
    clues: isClueRule(clues) ? clues : 'exact',
    faces: rows.faces,
  };
}
