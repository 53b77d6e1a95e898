//! The engine in Node, as a worker runs it, and games played with it.

import { readFileSync } from 'node:fs';
import { initSync } from '../../npm/wasm/engine.js';
import type { FilmDocument, GameStart } from '../src/api/types.ts';
import { Core } from '../src/engine/core.ts';
import type { GameAct, Turn } from '../src/engine/protocol.ts';
import { freshBoard, isMine, type Action, type Board } from '../src/game/board.ts';
import type { GameRecord } from '../src/game/record.ts';
import type { Rules } from '../src/game/rules.ts';

initSync({ module: readFileSync(new URL('../../npm/wasm/engine_bg.wasm', import.meta.url)) });
export const core = new Core();
const silent = () => undefined;

let games = 0;

/** A game on the board of a seed, or on a layout. */
export class TestGame {
  readonly #number = (games += 1);
  readonly #rules: Rules;
  turn: Turn;

  constructor(rules: Rules, start: Omit<GameStart, 'rules' | 'record'> = { seed: '3', game: 0 }) {
    this.#rules = rules;
    core.call('begin', { game: this.#number, start: { rules, ...start } }, silent);
    this.turn = this.do({ do: 'look' });
  }

  do(act: GameAct): Turn {
    return (this.turn = core.call('turn', { game: this.#number, act }, silent));
  }

  act(action: Action, cell: number, at = 0): boolean {
    return this.do({ do: 'act', action, cell, at }).changed;
  }

  undo(): boolean {
    return this.do({ do: 'undo' }).changed;
  }

  get board(): Board {
    return { ...freshBoard(this.#rules), ...this.turn.board };
  }

  get record(): GameRecord {
    return JSON.parse(this.turn.record) as GameRecord;
  }

  /** Cells with a mine, once they are dealt. */
  get mines(): number[] {
    const { faces, layout, shape } = this.board;
    return [...faces.keys()].filter((cell) => isMine(layout!, shape, cell));
  }
}

export function filmOf(record: GameRecord): FilmDocument {
  return core.call('film', { record }, silent);
}
