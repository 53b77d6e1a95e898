//! The engine in Node, as a worker of the page runs it, and games played with it.

import { Engine } from '../../npm/src/engine.ts';
import type { FilmDocument, GameStart } from '../src/api/types.ts';
import { Games, type GameAct, type Turn } from '../src/engine/games.ts';
import { freshBoard, isMine, type Action, type Board } from '../src/game/board.ts';
import type { GameRecord } from '../src/game/record.ts';
import type { Rules } from '../src/game/rules.ts';

export const engine = await Engine.load();
export const games = new Games(engine);

let begun = 0;

/** A game on the board of a seed, or on a layout. */
export class TestGame {
  readonly #number = (begun += 1);
  readonly #rules: Rules;
  turn: Turn;

  constructor(rules: Rules, start: Omit<GameStart, 'rules' | 'record'> = { seed: '3', game: 0 }) {
    this.#rules = rules;
    this.turn = games.call({ game: this.#number, start: { rules, ...start }, act: { do: 'look' } })!;
  }

  do(act: GameAct): Turn {
    return (this.turn = games.call({ game: this.#number, act })!);
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
  return engine.film(record as never) as FilmDocument;
}
