//! The engine as a worker runs it: one call after another, on one thread. Values go in and out of
//! WebAssembly as JSON.

import { Engine, type Game } from '../../../npm/wasm/engine.js';
import type { DealtBoard, Decision, PlayEnd, TournamentSlice } from '../api/types.ts';
import type { State } from '../game/board.ts';
import { FLAGGED, MINE } from '../game/face.ts';
import type { Answer, ArtifactFile, Ask, CallName, EngineFault, GameAct, Report, Turn } from './protocol.ts';

/** Decisions are reported together if they come faster than this, in milliseconds. */
const REPORT = 60;
/** How long one slice of a tournament should take, in milliseconds. */
const SLICE = 100;

type Reporter<Name extends CallName> = (report: Report<Name>) => void;

export class Core {
  readonly #engine = new Engine();
  readonly #games = new Map<number, Game>();

  /** Answers a call; what it reports comes before its answer. */
  call<Name extends CallName>(name: Name, ask: Ask<Name>, report: Reporter<Name>): Answer<Name> {
    const method = this.#calls[name] as (ask: Ask<Name>, report: Reporter<Name>) => Answer<Name>;
    return method(ask, report);
  }

  readonly #calls: { [Name in CallName]: (ask: Ask<Name>, report: Reporter<Name>) => Answer<Name> } = {
    analyze: (ask) => this.#answer('analyze', ask),
    hint: (ask) => this.#answer('hint', ask),
    deal: (ask) => this.#answer<DealtBoard>('board', ask),
    review: (ask) => this.#answer('review', ask),
    measure: (ask) => this.#answer('measure', ask),
    film: (ask) => this.#answer('film', ask),
    read: ({ bytes, name }) => this.#answer('read', { base64: base64(bytes), ...(name ? { name } : {}) }),
    write: (ask) => {
      const { text, base64 } = this.#answer<{ text?: string; base64?: string }>('write', ask);
      return text === undefined ? fromBase64(base64!) : new TextEncoder().encode(text);
    },
    walk: ({ tree, rows }) => {
      this.#add([tree]);
      return this.#answer('walk', { tree: tree[0].replace(/^.*\/|\.tree$/g, ''), rows });
    },
    solution: ({ rules, layout }) => this.#solution(JSON.stringify({ rules, layout })),
    begin: ({ game, start }) => {
      this.#games.get(game)?.free();
      this.#games.set(game, this.#engine.game(JSON.stringify(start)));
      return null;
    },
    turn: ({ game, act }) => turn(this.#game(game), act),
    end: ({ game }) => {
      this.#games.get(game)?.free();
      this.#games.delete(game);
      return null;
    },
    play: ({ body, artifacts }, report) => this.#play(JSON.stringify(body), artifacts, report),
    tournament: ({ body, artifacts }, report) => this.#tournament(JSON.stringify(body), artifacts, report),
  };

  #answer<T>(name: string, request: unknown): T {
    return JSON.parse(this.#engine.answer(name, JSON.stringify(request))) as T;
  }

  #add(artifacts: readonly ArtifactFile[]): void {
    for (const [path, bytes] of artifacts) this.#engine.addArtifact(path, bytes);
  }

  #game(number: number): Game {
    const game = this.#games.get(number);
    if (!game) throw JSON.stringify({ kind: 'invalid', detail: `there is no game ${number}` } satisfies EngineFault);
    return game;
  }

  /** All cells open: what the whole board looks like. */
  #solution(request: string): Uint8Array {
    const game = this.#engine.game(request);
    const mines = game.layout()!.join('');
    for (let cell = 0; cell < mines.length; cell += 1) if (mines[cell] !== '*') game.act('open', cell, 0);
    const faces = game.faces().map((face) => (face === FLAGGED ? MINE : face));
    game.free();
    return faces;
  }

  #play(request: string, artifacts: readonly ArtifactFile[], report: Reporter<'play'>): PlayEnd {
    this.#add(artifacts);
    const player = this.#engine.play(request);
    let waiting: Decision[] = [];
    let told = performance.now();
    for (;;) {
      const [event] = JSON.parse(player.next(1)) as [{ event: string; data: unknown }?];
      if (event?.event === 'decision') waiting.push(event.data as Decision);
      if (waiting.length > 0 && (event?.event === 'end' || performance.now() - told > REPORT)) {
        report(waiting);
        waiting = [];
        told = performance.now();
      }
      if (event?.event === 'end') {
        player.free();
        return event.data as PlayEnd;
      }
    }
  }

  #tournament(request: string, artifacts: readonly ArtifactFile[], report: Reporter<'tournament'>): TournamentSlice {
    this.#add(artifacts);
    const tournament = this.#engine.tournament(request);
    let games = 1;
    for (;;) {
      const began = performance.now();
      tournament.play(games);
      const took = Math.max(1, performance.now() - began);
      games = Math.max(1, Math.min(2 * games, Math.round((games * SLICE) / took)));
      const slice = JSON.parse(tournament.totals()) as TournamentSlice;
      if (slice.complete) {
        tournament.free();
        return slice;
      }
      report(slice);
    }
  }
}

function turn(game: Game, act: GameAct): Turn {
  return { changed: doneTo(game, act), board: seenOf(game), helped: JSON.parse(game.help()), record: game.record('me') };
}

/** Does it; whether that changed the board. */
function doneTo(game: Game, act: GameAct): boolean {
  switch (act.do) {
    case 'look':
      return true;
    case 'act':
      return game.act(act.action, act.cell, act.at) !== undefined;
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
  return { faces: game.faces(), state: game.state as State, moves: game.moves, chords: [...game.chordable()], layout: game.layout() ?? null };
}

function base64(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += 0x8000) text += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
  return btoa(text);
}

function fromBase64(text: string): Uint8Array {
  return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
}

/** What the engine threw: a fault of the request as JSON text, or a bug of its own. */
export function faultOf(thrown: unknown): EngineFault {
  if (typeof thrown === 'string') return JSON.parse(thrown) as EngineFault;
  return { kind: 'fault', detail: thrown instanceof Error ? thrown.message : String(thrown), broken: true };
}
