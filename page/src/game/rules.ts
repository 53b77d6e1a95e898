//! Rules of a game, as the engine writes them.

import { FORMS, Shape, type Form } from './shape.ts';

export type Start = 'unsafe' | 'safe' | 'open';
export const STARTS: readonly Start[] = ['unsafe', 'safe', 'open'];

/** Shapes by names for people. */
export const FORM_NAMES: Readonly<Record<Form, string>> = { rect: 'Rectangle', torus: 'Torus, wraps', hex: 'Hexagons' };

/** What clues show, for people. */
export function cluesName(clues: string): string {
  const hidden = /^blind:(.+)$/.exec(clues);
  if (hidden) return `${Number(hidden[1]) * 100} % hidden`;
  const names: Record<string, string> = {
    exact: 'Exact', optimistic: 'Optimistic: at most the count', cautious: 'Cautious: at least the count', 'cautious:degree': 'Cautious, up to the neighbors',
  };
  return names[clues] ?? clues;
}

export interface Rules {
  /** Width, height and mines: `30x16x99`. */
  board: string;
  shape: Form;
  start: Start;
  cascade: 'on' | 'off';
  /** `exact`, `blind:0.1`, `optimistic`, `cautious` or `cautious:degree`. */
  clues: string;
}

export interface Size {
  width: number;
  height: number;
  mines: number;
}

export const LEVELS = [
  { name: 'Beginner', board: '9x9x10' },
  { name: 'Intermediate', board: '16x16x40' },
  { name: 'Expert', board: '30x16x99' },
] as const;

/** The engine answers for boards up to this side. */
export const MAX_SIDE = 100;

export const PLAIN: Rules = { board: '9x9x10', shape: 'rect', start: 'open', cascade: 'on', clues: 'exact' };

export function parseSize(text: string): Size | null {
  const match = /^(\d{1,3})x(\d{1,3})x(\d{1,5})$/.exec(text);
  if (!match) return null;
  const [width, height, mines] = match.slice(1).map(Number) as [number, number, number];
  return sizeFault({ width, height, mines }) === null ? { width, height, mines } : null;
}

/** A board by its name, as on the command line, or as it is written: `expert` is `30x16x99`. */
export function boardOf(text: string): string {
  return LEVELS.find(({ name }) => name.toLowerCase() === text.toLowerCase())?.board ?? text;
}

export function sizeText({ width, height, mines }: Size): string {
  return `${width}x${height}x${mines}`;
}

/** What is wrong with a size, in words, or null. */
export function sizeFault({ width, height, mines }: Size): string | null {
  const side = (value: number) => Number.isInteger(value) && value >= 1 && value <= MAX_SIDE;
  if (!side(width) || !side(height)) return `Width and height go from 1 to ${MAX_SIDE}.`;
  if (width * height < 2) return 'A board needs two cells or more.';
  if (!Number.isInteger(mines) || mines < 0) return 'Mines are a whole number, 0 or more.';
  if (mines >= width * height) return `At most ${width * height - 1} mines fit ${width}x${height}.`;
  return null;
}

export function isClueRule(text: string): boolean {
  if (['exact', 'optimistic', 'cautious', 'cautious:degree'].includes(text)) return true;
  const blind = /^blind:(\d(?:\.\d+)?)$/.exec(text);
  return blind !== null && Number(blind[1]) >= 0 && Number(blind[1]) <= 1;
}

export function isForm(text: string): text is Form {
  return (FORMS as readonly string[]).includes(text);
}

export function isStart(text: string): text is Start {
  return (STARTS as readonly string[]).includes(text);
}

export function sizeOf(rules: Rules): Size {
  return parseSize(rules.board) ?? { width: 9, height: 9, mines: 10 };
}

export function shapeOf(rules: Rules): Shape {
  const { width, height } = sizeOf(rules);
  return new Shape(rules.shape, width, height);
}
