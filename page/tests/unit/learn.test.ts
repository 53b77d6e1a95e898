//! The way through the course, and what is kept of it.

import { beforeEach, describe, expect, test } from 'vitest';
import { addressOf, firstOpen, isPractice, nextOf, practiceOf, startOf } from '../../src/rooms/learn/course.ts';
import { forgetAll, noteSolved, solvedIn, solvedOf } from '../../src/rooms/learn/progress.svelte.ts';
import { parseRoute } from '../../src/state/url.ts';
import { engine } from '../core.ts';

const { chapters } = engine.answer('lessons', {});
const [first, second] = chapters as [(typeof chapters)[number], (typeof chapters)[number]];
const last = chapters.at(-1)!;

beforeEach(forgetAll);

describe('The course', () => {
  test('goes from exercise to exercise and from chapter to chapter', () => {
    expect(nextOf(chapters, { chapter: first, seed: '1' })).toEqual({ chapter: first, seed: '2' });
    expect(nextOf(chapters, { chapter: first, seed: String(first.exercises) })).toEqual({ chapter: second, seed: '1' });
    expect(nextOf(chapters, { chapter: last, seed: String(last.exercises) })).toBeNull();
    expect(addressOf({ chapter: first, seed: '2' })).toBe('#/learn/one-clue/2');
    expect(parseRoute('#/learn/one-clue/2')).toMatchObject({ room: 'learn', path: ['one-clue', '2'] });
    expect(parseRoute('#/learn/one-clue/2/3').room).toBeNull();
  });

  test('practice leads to more practice', () => {
    const step = practiceOf(first);
    expect(isPractice(step)).toBe(true);
    expect(isPractice({ chapter: first, seed: '0' })).toBe(true);
    expect(isPractice({ chapter: first, seed: '1' })).toBe(false);
    const next = nextOf(chapters, step)!;
    expect(next.chapter).toBe(first);
    expect(isPractice(next)).toBe(true);
  });

  test('it goes on where it was left', () => {
    expect(firstOpen(chapters)).toEqual({ chapter: first, seed: '1' });
    noteSolved(first.name, '1', 'helped');
    noteSolved(first.name, '3', 'alone');
    expect(startOf(first).seed).toBe('2');
    expect(solvedIn(first.name, first.exercises)).toBe(2);
    for (const { name, exercises } of chapters) for (let seed = 1; seed <= exercises; seed += 1) noteSolved(name, String(seed), 'helped');
    expect(firstOpen(chapters)).toBeNull();
    expect(solvedOf(first.name, '3')).toBe('alone');
  });
});

describe('An exercise', () => {
  test('is judged by the engine, with reasons and hints', () => {
    for (const { name } of chapters) {
      const lesson = engine.answer('lesson', { chapter: name, seed: 4, hint: 3 });
      expect(lesson.verdicts).toEqual([]);
      const cell = lesson.hint!.cell!;
      const judged = engine.answer('lesson', { chapter: name, seed: 4, cells: [cell] });
      expect(judged.verdicts[0]).toMatchObject({ cell, right: true });
      expect(judged.solved).toBe(judged.asked === 1);
    }
    expect(() => engine.answer('lesson', { chapter: 'nonsense' })).toThrow(/no chapter `nonsense`; the chapters are one-clue,/);
  });
});
