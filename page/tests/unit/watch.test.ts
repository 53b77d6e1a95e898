import { describe, expect, test } from 'vitest';
import type { Decision } from '../../src/api/types.ts';
import { Shape } from '../../src/game/shape.ts';
import { besideIn, columnsFor, readableHeight } from '../../src/rooms/watch/arrange.ts';
import { asideText, moveText, reasonBadge, reasonText } from '../../src/rooms/watch/words.ts';

const EXPERT = new Shape('rect', 30, 16);
const SMALL = new Shape('rect', 9, 9);
const AROUND = { width: 18, height: 106 };
const WIDE = { width: 1888, height: 900 };

const decision = (more: Partial<Decision>): Decision => ({
  number: 1, by: 'agent', action: 'open', cell: [3, 4], why: { kind: 'nothing' }, sentence: '', risk: null, estimates: null, alternatives: [], opened: [], micros: 0, ...more,
});

describe('boards share the room', () => {
  test('in the columns that make cells largest', () => {
    expect([1, 2, 3, 4].map((boards) => columnsFor(boards, EXPERT, WIDE, AROUND))).toEqual([1, 2, 2, 2]);
    expect(columnsFor(4, SMALL, { width: 1888, height: 500 }, AROUND)).toBe(4);
    expect(columnsFor(2, EXPERT, { width: 600, height: 900 }, AROUND)).toBe(1);
  });

  test('two boards of one game stand side by side where that is larger', () => {
    expect(besideIn(EXPERT, { width: 1800, height: 400 })).toBe(true);
    expect(besideIn(EXPERT, { width: 800, height: 800 })).toBe(false);
  });

  test('a board asks for readable cells, a giant one scrolls', () => {
    expect(readableHeight(EXPERT, 900)).toBe(320);
    expect(readableHeight(EXPERT, 480)).toBe(256);
    expect(readableHeight(new Shape('rect', 100, 100), 600)).toBe(480);
  });
});

describe('words of moves', () => {
  test('a move without a reason has no badge and no sentence', () => {
    expect(reasonBadge(decision({}))).toBeNull();
    expect(reasonText(decision({ sentence: 'no reason given' }))).toBe('');
  });

  test('the reason does not repeat the move', () => {
    const guess = decision({ why: { kind: 'risk', risk: 0.2 }, sentence: 'open row 3, column 4: the lowest risk' });
    expect(moveText(guess)).toBe('open row 3, column 4');
    expect(reasonText(guess)).toBe('The lowest risk');
    expect(reasonBadge(guess)).toEqual({ text: 'guess', tone: 'warn' });
  });

  test('the reason does not repeat the badge', () => {
    const proved = decision({ why: { kind: 'proved', rule: 'single clue', premises: [] }, sentence: 'open row 3, column 4: the clue at row 2, column 4 proves it safe (single clue)' });
    expect(reasonBadge(proved)).toEqual({ text: 'single clue', tone: 'good' });
    expect(reasonText(proved)).toBe('The clue at row 2, column 4 proves it safe');
  });

  test('other cells and effort are told in one line', () => {
    const alternatives = [{ cell: [0, 0], safety: 0.5, win: null }, { cell: [0, 1], safety: 0.4, win: null }] as Decision['alternatives'];
    expect(asideText(decision({ alternatives, effort: { iterations: 1200 } }))).toBe('Also considered: row 0, column 0 (50\u202f% safe); row 0, column 1 (40\u202f% safe). 1,200 iterations.');
    expect(asideText(decision({}))).toBe('');
  });
});
