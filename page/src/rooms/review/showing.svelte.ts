//! A game that is looked at: which move is shown, and how it is played back.

import type { FilmDocument, MouseReplay } from '../../api/types.ts';
import type { MousePointer, Point } from '../../board/mouse.ts';
import type { GameRecord } from '../../game/record.ts';
import { Film, lastBefore } from './film.ts';
import { Mouse } from './mouse.ts';

export const SPEEDS = [0.25, 0.5, 1, 2, 4, 8] as const;
/** How long the trail of the mouse is while the film runs, in milliseconds. */
const TRAIL = 1200;

export class Showing {
  readonly film: Film;
  readonly mouse: Mouse | null;
  /** How many moves have been made; the last of them is the move that is looked at. */
  move = $state(0);
  playing = $state(false);
  speed = $state(1);
  shortPauses = $state(true);
  /** Whether the board shows the position before the move, with what could be known, or after it. */
  before = $state(true);
  /** Milliseconds on the clock of the game. */
  clock = $state(0);
  /** How many moves are on the board: while the film runs, always those made. */
  readonly shown = $derived(this.before && !this.playing ? Math.max(0, this.move - 1) : this.move);
  #playedTo = 0;
  #frame = 0;

  constructor(readonly record: GameRecord, film: FilmDocument, readonly trace: MouseReplay | null, move: number | null) {
    this.film = new Film(record, film);
    this.mouse = trace && trace.events.length > 0 ? new Mouse(trace) : null;
    this.goTo(move ?? this.film.length);
  }

  goTo(move: number): void {
    this.pause();
    this.move = Math.max(0, Math.min(this.film.length, Math.round(move) || 0));
    this.clock = this.film.times[this.move]!;
  }

  toggle(): void {
    if (this.playing) this.pause();
    else this.#run();
  }

  pause(): void {
    cancelAnimationFrame(this.#frame);
    this.playing = false;
  }

  /** Plays on from the move that is shown; from the end, from the start. */
  #run(): void {
    if (this.move >= this.film.length) this.goTo(0);
    this.playing = true;
    let pauses = this.shortPauses;
    let schedule = this.film.schedule(pauses);
    let last = performance.now();
    this.#playedTo = schedule[this.move]!;
    const frame = (now: number) => {
      if (pauses !== this.shortPauses) {
        pauses = this.shortPauses;
        schedule = this.film.schedule(pauses);
        this.#playedTo = schedule[this.move]!;
      }
      this.#playedTo += (now - last) * this.speed;
      last = now;
      this.move = lastBefore(schedule, this.#playedTo);
      this.clock = this.#clockAt(schedule);
      if (this.move >= this.film.length) this.pause();
      else this.#frame = requestAnimationFrame(frame);
    };
    this.#frame = requestAnimationFrame(frame);
  }

  /** The clock of the game: in a shortened pause it runs faster. */
  #clockAt(schedule: readonly number[]): number {
    const { times } = this.film;
    const next = Math.min(this.move + 1, this.film.length);
    const gap = schedule[next]! - schedule[this.move]!;
    const share = gap > 0 ? Math.min(1, (this.#playedTo - schedule[this.move]!) / gap) : 0;
    return times[this.move]! + (times[next]! - times[this.move]!) * share;
  }

  /** Where the mouse is. */
  pointer(): MousePointer | null {
    return this.mouse?.at(this.clock) ?? null;
  }

  /** The way of the mouse: to the move that is looked at, or the last second while the film runs. */
  trail(): Point[] {
    if (!this.mouse) return [];
    const from = this.playing ? this.clock - TRAIL : (this.film.times[this.move - 1] ?? 0);
    return this.mouse.trail(Math.max(0, from), this.clock);
  }
}
