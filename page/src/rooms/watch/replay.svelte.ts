//! One agent's game, as it arrives and as it is stepped through.

import { engine } from '../../api/engine.ts';
import { isAbort } from '../../api/fault.ts';
import type { Decision, PlayBody } from '../../api/types.ts';
import type { Mark } from '../../board/overlay.ts';
import { COVERED, EXPLODED, FLAGGED, faceOf, isCovered } from '../../game/face.ts';
import { isMine } from '../../game/board.ts';
import type { GameRecord, Why } from '../../game/record.ts';
import { shapeOf, type Rules } from '../../game/rules.ts';
import type { Place, Shape } from '../../game/shape.ts';

/** The board is stored once per this many decisions; boards between are replayed from there. */
const KEY = 16;

export class Replay {
  decisions: Decision[] = $state.raw([]);
  outcome: GameRecord['outcome'] | null = $state(null);
  record: GameRecord | null = $state.raw(null);
  fault: unknown = $state(null);
  live = $state(false);
  readonly shape: Shape;
  #keys: Uint8Array[] = [];
  #abort: AbortController | null = null;

  constructor(readonly body: PlayBody) {
    this.shape = shapeOf(body.rules);
    this.#keys.push(new Uint8Array(this.shape.size).fill(COVERED));
    void this.play();
  }

  get agent(): string {
    return this.body.agent;
  }

  get rules(): Rules {
    return this.body.rules;
  }

  /**
   * Asks the engine for the game; decisions come one by one. Asked again after a fault it goes on
   * where it broke: the same seed gives the same decisions, and those already here are skipped.
   */
  async play(): Promise<void> {
    const abort = (this.#abort = new AbortController());
    this.live = true;
    this.fault = null;
    let known = this.decisions.length;
    let waiting: Decision[] = [];
    // Decisions come faster than anyone can see: they are taken over a few times a second.
    const flush = () => {
      if (waiting.length > 0) this.decisions = [...this.decisions, ...waiting];
      waiting = [];
    };
    const timer = setInterval(flush, 60);
    try {
      const { outcome, record } = await engine.play(this.body, (decisions) => {
        waiting.push(...decisions.slice(known));
        known = Math.max(0, known - decisions.length);
      }, abort.signal);
      flush();
      this.outcome = outcome;
      this.record = record;
    } catch (fault) {
      if (!isAbort(fault)) this.fault = fault;
    } finally {
      clearInterval(timer);
      flush();
      this.live = false;
    }
  }

  stop(): void {
    this.#abort?.abort();
  }

  /** What is seen before decision `at`; after the last one, the end. */
  facesAt(at: number): Uint8Array {
    const last = Math.min(at, this.decisions.length);
    const key = Math.min(Math.floor(last / KEY), this.#keys.length - 1);
    const faces = this.#keys[key]!.slice();
    for (let number = key * KEY; number < last; number += 1) {
      this.#apply(faces, this.decisions[number]!);
      if ((number + 1) % KEY === 0 && this.#keys.length === (number + 1) / KEY) this.#keys.push(faces.slice());
    }
    return faces;
  }

  #apply(faces: Uint8Array, { action, cell, opened }: Decision): void {
    if (cell && action === 'flag') faces[this.shape.cell(cell)] = FLAGGED;
    else if (cell && action === 'unflag') faces[this.shape.cell(cell)] = COVERED;
    for (const { cell: at, shown } of opened) {
      const index = this.shape.cell(at);
      faces[index] = shown === '*' ? EXPLODED : (faceOf(shown) ?? COVERED);
    }
  }

  /** Where the mines are; known once the game has ended. */
  get layout(): readonly string[] | null {
    return this.record?.layout ?? null;
  }
}

/** The mines among covered cells. */
export function mineMarks(layout: readonly string[], shape: Shape, faces: Uint8Array): Mark[] {
  return [...faces.keys()].filter((cell) => isCovered(faces[cell]!) && isMine(layout, shape, cell)).map((cell) => ({ cell, kind: 'mine' }));
}

/** The cells a reason names: clues, and what was concluded before. */
export function premiseMarks(shape: Shape, why: Why): Mark[] {
  if (why.kind !== 'proved' && why.kind !== 'rule') return [];
  return why.premises.flatMap((premise): Mark[] => {
    if (premise === 'mine_total') return [];
    const [[kind, place]] = Object.entries(premise) as [[string, Place]];
    return [{ cell: shape.cell(place), kind: kind === 'clue' ? 'clue' : 'premise' }];
  });
}

/** Covered cells next to a clue. */
export function fringe(shape: Shape, faces: Uint8Array): number[] {
  return [...faces.keys()].filter((cell) => isCovered(faces[cell]!) && shape.neighbors(cell).some((near) => faces[near]! <= 8));
}
