//! The way through the course: chapters, their exercises, and practice without end.

import type { Chapter } from '../../api/types.ts';
import { formatRoute } from '../../state/url.ts';
import { seedsOf, solvedOf } from './progress.svelte.ts';

export interface Step {
  chapter: Chapter;
  seed: string;
}

export function addressOf({ chapter, seed }: Step): string {
  return formatRoute('learn', [chapter.name, seed]);
}

/** Whether an exercise belongs to the course; the others are practice. */
export function isPractice({ chapter, seed }: Step): boolean {
  return Number(seed) < 1 || Number(seed) > chapter.exercises;
}

/** The first exercise of a chapter that is not solved, or its first. */
export function startOf(chapter: Chapter): Step {
  const open = seedsOf(chapter.exercises).find((seed) => !solvedOf(chapter.name, seed));
  return { chapter, seed: String(open ?? 1) };
}

/** Any exercise that is not of the course. */
export function practiceOf(chapter: Chapter): Step {
  return { chapter, seed: String(chapter.exercises + 1 + Math.floor(Math.random() * 1e9)) };
}

/** Where to go on after an exercise: the next of its chapter, then the next chapter; null at the end of the course. */
export function nextOf(chapters: readonly Chapter[], step: Step): Step | null {
  const { chapter, seed } = step;
  if (isPractice(step)) return practiceOf(chapter);
  if (Number(seed) < chapter.exercises) return { chapter, seed: String(Number(seed) + 1) };
  const next = chapters[chapters.indexOf(chapter) + 1];
  return next ? startOf(next) : null;
}

/** The exercise with which to go on; null when all are solved. */
export function firstOpen(chapters: readonly Chapter[]): Step | null {
  const chapter = chapters.find(({ name, exercises }) => seedsOf(exercises).some((seed) => !solvedOf(name, seed)));
  return chapter ? startOf(chapter) : null;
}
