//! Which exercises are solved, kept in the browser.

/** How an exercise was solved: at the first try and without a hint, or with help. */
export type Solved = 'alone' | 'helped';

const NAME = 'deminer-lessons';
type Kept = Record<string, Record<string, Solved>>;

function load(): Kept {
  try {
    return (JSON.parse(localStorage.getItem(NAME) ?? '{}') as Kept | null) ?? {};
  } catch {
    return {};
  }
}

const kept: Kept = $state(load());

/** How an exercise was solved, if it was. */
export function solvedOf(chapter: string, seed: string | number): Solved | null {
  return kept[chapter]?.[String(seed)] ?? null;
}

/** The exercises of the course that are solved in a chapter. */
export function solvedIn(chapter: string, exercises: number): number {
  return seedsOf(exercises).filter((seed) => solvedOf(chapter, seed)).length;
}

/** Notes that an exercise is solved; what was solved alone stays so. */
export function noteSolved(chapter: string, seed: string, how: Solved): void {
  const seeds = (kept[chapter] ??= {});
  if (seeds[seed] !== 'alone') seeds[seed] = how;
  save();
}

/** Begins the course anew. */
export function forgetAll(): void {
  for (const chapter of Object.keys(kept)) delete kept[chapter];
  save();
}

function save(): void {
  try {
    localStorage.setItem(NAME, JSON.stringify(kept));
  } catch {
    // A private window keeps nothing; progress lasts until it is closed.
  }
}

/** The seeds of a chapter's exercises in the course. */
export function seedsOf(exercises: number): number[] {
  return Array.from({ length: exercises }, (_, i) => i + 1);
}
