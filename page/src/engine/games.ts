//! Games that people play, in the engine: begun, acted on, ended. A worker runs it.

import type { Engine, Game } from '../../../npm/src/index.ts';
import type { Action, State } from '../game/board.ts';
import type { HelpCounts, HintLevel } from '../game/help.ts';
import type { GameStart } from '../api/types.ts';

/** What is done to a game. */
export type GameAct =
  | { do: 'look' }
  | { do: 'act'; action: Action; cell: number; at: number }
  | { do: 'undo' }
  | { do: 'hint'; level: HintLevel }
  | { do: 'odds' };

/** What that did. */
export interface Turn {
  /** Whether anything changed on the board. */
  changed: boolean;
  board: { faces: Uint8Array; state: State; moves: number; chords: number[]; layout: string[] | null };
  helped: HelpCounts;
  /** The game so far, as JSON. */
  record: string;
}

/** A game by its number: what it begins with, unless it has begun, and what is done to it. */
export type GameCall = { game: number; start?: GameStart; act: GameAct } | { game: number; end: true };

export class Games {
  readonly #engine: Engine;
  readonly #games = new Map<number, Game>();

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  call(call: GameCall): Turn | null {
    if ('end' in call) {
      this.#games.get(call.game)?.free();
      this.#games.delete(call.game);
      return null;
    }
    const game = call.start ? this.#begin(call.game, call.start) : this.#games.get(call.game)!;
    return { changed: doneTo(game, call.act), board: seenOf(game), helped: game.help, record: JSON.stringify(game.record('me')) };
  }

  #begin(number: number, start: GameStart): Game {
    const game = this.#engine.game(start);
    this.#games.set(number, game);
    return game;
  }
}

/** Does it; whether that changed the board. */
function doneTo(game: Game, act: GameAct): boolean {
  switch (act.do) {
    case 'look':
      return true;
    case 'act':
      return game.act(act.action, act.cell, act.at) !== null;
    case 'undo':
      return game.undo();
    case 'hint':
      game.tookHint(act.level);
      return false;
    case 'odds':
      game.sawOdds();
      return false;
  }
}

function seenOf(game: Game): Turn['board'] {
  return { faces: game.faces(), state: game.state, moves: game.moves, chords: [...game.chordable()], layout: game.layout() };
}
