//! One agent's game, as it arrives and as it is looked at again.

import { api, isAbort } from '../../api/client.ts';
import type { Decision, PlayBody, PlayEnd } from '../../api/types.ts';
import { COVERED, EXPLODED, FLAGGED, faceOf, isCovered, symbol } from '../../game/face.ts';
import { Board } from '../../game/board.ts';
import { Layout } from '../../game/layout.ts';
import type { GameRecord, Why } from '../../game/record.ts';
import { shapeOf, type Rules } from '../../game/rules.ts';
import type { Place, Shape } from '../../game/shape.ts';
import { placeText } from '../../parts/analysis.ts';
import { percent } from '../../board/heat.ts';
import type { Mark } from '../../board/overlay.ts';

/** A face is kept every so many decisions; others are found from the one before. */
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

  constructor(readonly agent: string, readonly rules: Rules) {
    this.shape = shapeOf(rules);
    this.#keys.push(new Uint8Array(this.shape.size).fill(COVERED));
  }

  /** Lets the agent play; decisions come one by one. */
  async play(body: PlayBody): Promise<void> {
    const abort = (this.#abort = new AbortController());
    this.live = true;
    let waiting: Decision[] = [];
    // Decisions come faster than anyone can see: they are taken over a frame at a time.
    const flush = () => {
      if (waiting.length > 0) this.decisions = [...this.decisions, ...waiting];
      waiting = [];
    };
    const timer = setInterval(flush, 60);
    try {
      await api.play(body, {
        decision: (decision) => waiting.push(decision),
        end: ({ outcome, record }: PlayEnd) => {
          flush();
          this.outcome = outcome;
          this.record = record;
        },
      }, abort.signal);
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

  /** A record, looked at again without the engine. */
  static of(record: GameRecord): Replay {
    const replay = new Replay(record.player, record.rules);
    const { shape } = replay;
    const board = new Board(record.rules, {
      ...(record.seed === undefined ? {} : { seed: BigInt(record.seed), game: BigInt(record.game ?? 0) }),
      ...(record.layout ? { layout: Layout.fromRows(shape, record.layout) } : {}),
    });
    replay.decisions = record.moves.map((move, number) => {
      const before = board.faces.slice();
      if (move.action !== 'decline' && move.cell) board.act(move.action, shape.cell(move.cell));
      const opened: Decision['opened'] = [];
      if (move.action === 'open' || move.action === 'chord') {
        board.faces.forEach((face, cell) => {
          if (face !== before[cell]) opened.push({ cell: shape.place(cell), shown: face <= 8 ? String(face) : symbol(face) });
        });
      }
      return {
        number, by: move.by, action: move.action, cell: move.cell ?? null, why: move.why, sentence: whyText(move.why),
        risk: move.why.kind === 'risk' ? move.why.risk : null, estimates: null, alternatives: [], opened, micros: move.micros ?? 0,
      };
    });
    replay.outcome = record.outcome;
    replay.record = record;
    return replay;
  }
}

/** A reason in a few words, where the engine gave no sentence. */
export function whyText(why: Why): string {
  switch (why.kind) {
    case 'proved':
      return `proved: ${why.rule}`;
    case 'rule':
      return why.name;
    case 'risk':
      return `a guess with ${percent(why.risk, 1)} risk`;
    case 'start':
      return 'the first click';
    case 'blind':
      return 'a blind guess';
    case 'nothing':
      return 'no reason given';
  }
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

/** Covered cells that some clue sees. */
export function fringe(shape: Shape, faces: Uint8Array): number[] {
  return [...faces.keys()].filter((cell) => isCovered(faces[cell]!) && shape.neighbors(cell).some((near) => faces[near]! <= 8));
}

export function moveText({ action, cell }: Decision): string {
  return cell ? `${action} ${placeText(cell)}` : action;
}
