//! The state of an exercise: its position, what was answered, and how much was hinted.

import { engine } from '../../api/engine.ts';
import { isAbort } from '../../api/fault.ts';
import type { Lesson, LessonHint, LessonVerdict } from '../../api/types.ts';
import type { Mark, MarkKind } from '../../board/marks.ts';
import type { MineBoard } from '../../board/mine-board.ts';
import { COVERED, FLAGGED } from '../../game/face.ts';
import { facesOf } from '../../game/notation.ts';
import { Shape, type Place } from '../../game/shape.ts';
import { noteSolved } from './progress.svelte.ts';

/** How many levels a hint has. */
export const HINT_LEVELS = 3;

/** How cells are marked that were found. */
const FOUND: Record<Lesson['task'], MarkKind> = { safe: 'safe', fifty_fifty: 'fifty', guess: 'best' };

const NOTHING = new Shape('rect', 8, 8);

export class Exercise {
  readonly chapter: string;
  readonly seed: string;
  element: MineBoard | undefined = $state();
  lesson: Lesson | null = $state.raw(null);
  /** The last answer, and what it is worth. */
  verdict: LessonVerdict | null = $state.raw(null);
  hint: LessonHint | null = $state.raw(null);
  fault: unknown = $state(null);
  busy = $state(false);
  mistakes = $state(0);
  hints = $state(0);
  /** Cells that were found. */
  found: number[] = $state.raw([]);
  /** Flags that the learner put, as notes. */
  #notes: number[] = $state.raw([]);
  readonly #abort = new AbortController();

  readonly shape = $derived(this.lesson ? new Shape('rect', this.lesson.rows[0]!.length, this.lesson.rows.length) : NOTHING);
  readonly faces = $derived.by(() => {
    const { lesson } = this;
    if (!lesson) return new Uint8Array(this.shape.size).fill(COVERED);
    const faces = facesOf(this.shape, lesson.opened ?? lesson.rows);
    for (const cell of this.#notes) if (faces[cell] === COVERED) faces[cell] = FLAGGED;
    return faces;
  });
  readonly solved = $derived(this.lesson?.solved ?? false);
  readonly marks = $derived.by((): Mark[] => {
    const { hint, lesson, verdict } = this;
    const marks: Mark[] = [];
    const put = (cells: readonly number[], kind: MarkKind) => marks.push(...cells.map((cell) => ({ cell, kind })));
    const cellsOf = (places: readonly Place[] | null | undefined) => (places ?? []).map((place) => this.shape.cell(place));
    if (hint && hint.level < HINT_LEVELS) put(cellsOf(hint.area), 'look');
    put(cellsOf(hint?.clues), 'clue');
    if (hint?.cell) put(cellsOf([hint.cell]), 'best');
    // A tick would hide the number of an open cell.
    put(this.found, lesson?.opened ? 'select' : lesson ? FOUND[lesson.task] : 'select');
    if (verdict && !verdict.right) put(cellsOf([verdict.cell]), 'conflict');
    return marks;
  });

  constructor(chapter: string, seed: string) {
    this.chapter = chapter;
    this.seed = seed;
    void this.load();
  }

  load = (): Promise<void> => this.#ask({}, () => undefined);

  /** Answers with a cell. */
  async open(cell: number): Promise<void> {
    if (this.busy || this.solved || this.found.includes(cell) || this.faces[cell] !== COVERED) return;
    await this.#ask({ cells: [...this.found, cell] }, ({ verdicts, solved }) => {
      const verdict = verdicts.at(-1)!;
      this.verdict = verdict;
      this.hint = null;
      if (!verdict.right) this.mistakes += 1;
      else this.found = [...this.found, cell];
      if (solved) noteSolved(this.chapter, this.seed, this.mistakes + this.hints === 0 ? 'alone' : 'helped');
    });
  }

  /** Puts a flag as a note, or takes it away. */
  flag(cell: number): void {
    const isNote = this.#notes.includes(cell);
    if (this.solved || (!isNote && this.faces[cell] !== COVERED)) return;
    this.#notes = isNote ? this.#notes.filter((note) => note !== cell) : [...this.#notes, cell];
  }

  /** Asks for the next level of a hint. */
  async ask(): Promise<void> {
    const level = (this.hint?.level ?? 0) + 1;
    if (this.busy || this.solved || level > HINT_LEVELS) return;
    await this.#ask({ cells: this.found, hint: level }, ({ hint }) => {
      this.hint = hint ?? null;
      this.hints += 1;
      this.verdict = null;
    });
  }

  /** What is said of the marks of a cell. */
  words = (cell: number): string => {
    const words: Partial<Record<MarkKind, string>> = { look: 'look here', clue: 'number of the hint', conflict: 'not right' };
    const of = this.marks.filter((mark) => mark.cell === cell).map(({ kind }) => words[kind]);
    if (this.found.includes(cell)) of.push('found');
    else if (this.hint?.cell && this.shape.cell(this.hint.cell) === cell) of.push('hinted cell');
    return of.filter(Boolean).join(', ');
  };

  leave(): void {
    this.#abort.abort();
  }

  async #ask(about: { cells?: number[]; hint?: number }, take: (lesson: Lesson) => void): Promise<void> {
    this.busy = true;
    this.fault = null;
    try {
      const cells = (about.cells ?? []).map((cell) => this.shape.place(cell));
      const hint = about.hint === undefined ? {} : { hint: about.hint };
      const lesson = await engine.lesson({ chapter: this.chapter, seed: this.seed, cells, ...hint }, this.#abort.signal);
      this.lesson = lesson;
      take(lesson);
    } catch (fault) {
      if (!isAbort(fault)) this.fault = fault;
    } finally {
      this.busy = false;
    }
  }
}
