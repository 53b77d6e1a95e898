//! What the mouse did in a recorded game: where it was at any time, and the way it took.

import type { MouseReplay } from '../../api/types.ts';
import type { MousePointer, Point } from '../../board/mouse.ts';
import { lastBefore } from './film.ts';

/** Buttons that each event presses or lifts. */
const PRESSES: Readonly<Record<string, number>> = { lc: 1, rc: 1, mc: 1, lr: -1, rr: -1, mr: -1 };
/** Trails have at most this many points. */
const MOST_POINTS = 2000;

export class Mouse {
  readonly #times: number[] = [];
  readonly #points: MousePointer[] = [];

  constructor({ events, cell_size }: MouseReplay) {
    let down = 0;
    for (const [millis, what, x, y] of events) {
      down = Math.max(0, down + (PRESSES[what] ?? 0));
      this.#times.push(Math.max(millis, this.#times.at(-1) ?? 0));
      this.#points.push({ x: x / cell_size, y: y / cell_size, pressed: down > 0 });
    }
  }

  /** Where the mouse is at a time, between two events on the straight line. */
  at(millis: number): MousePointer | null {
    if (this.#points.length === 0) return null;
    const last = lastBefore(this.#times, millis);
    const [from, to] = [this.#points[last]!, this.#points[last + 1]];
    const gap = (this.#times[last + 1] ?? 0) - this.#times[last]!;
    if (!to || gap <= 0 || millis <= this.#times[last]!) return from;
    const share = Math.min(1, (millis - this.#times[last]!) / gap);
    return { x: from.x + (to.x - from.x) * share, y: from.y + (to.y - from.y) * share, pressed: from.pressed ?? false };
  }

  /** The way from one time to another. */
  trail(from: number, to: number): Point[] {
    const [start, end] = [this.at(from), this.at(to)];
    if (!start || !end || to <= from) return [];
    const inside = this.#points.filter((_, i) => this.#times[i]! > from && this.#times[i]! < to);
    return [start, ...inside.slice(-MOST_POINTS), end];
  }
}
