//! The engine: rules, odds, hints, review, boards, agents. It runs in workers of this page, always;
//! no server is asked.

import { Lane, type StartWorker } from '../engine/lane.ts';
import type { ArtifactFile, GameAct, Turn } from '../engine/protocol.ts';
import type { Action } from '../game/board.ts';
import type { HintLevel } from '../game/help.ts';
import { positionBody, type Position } from '../game/notation.ts';
import type { GameRecord } from '../game/record.ts';
import type { Rules, Start } from '../game/rules.ts';
import type { Place } from '../game/shape.ts';
import { ApiError } from './fault.ts';
import { files } from './files.ts';
import { server } from './server.svelte.ts';
import type { AgentEntry, Decision, GameStart, PlayBody, PlayEnd, TournamentBody, TournamentSlice } from './types.ts';
import { weights } from './weights.svelte.ts';
import wasm from '../../../npm/wasm/engine_bg.wasm?url';

export type { Turn } from '../engine/protocol.ts';

let module: Promise<WebAssembly.Module> | null = null;

/** The compiled engine, shared by all workers. */
function compiled(): Promise<WebAssembly.Module> {
  module ??= fetched().catch((fault: unknown) => {
    module = null;
    throw new ApiError('The engine could not be loaded', `Check your connection and try again. (${fault instanceof Error ? fault.message : String(fault)})`, 0);
  });
  return module;
}

async function fetched(): Promise<WebAssembly.Module> {
  const answer = await fetch(wasm);
  if (!answer.ok) throw new Error(`${wasm}: ${answer.status}`);
  return WebAssembly.compile(await answer.arrayBuffer());
}

const startWorker: StartWorker = async () => {
  const engine = await compiled();
  const worker = new Worker(new URL('../engine/worker.ts', import.meta.url), { type: 'module' });
  worker.postMessage({ module: engine });
  return worker;
};

/** Games must never wait for a hard position, nor positions for a long review. */
const lanes = { rules: new Lane(startWorker), odds: new Lane(startWorker), review: new Lane(startWorker) };

/** Long work has a worker of its own, which ends with it. */
async function alone<T>(work: (lane: Lane) => Promise<T>): Promise<T> {
  const lane = new Lane(startWorker, 0);
  try {
    return await work(lane);
  } finally {
    lane.close();
  }
}

/** What these agents play with on this board. */
async function artifactsOf(agents: readonly string[], rules: Rules): Promise<ArtifactFile[]> {
  const paths = await Promise.all(agents.map((agent) => weights.pathsOf(agent, rules.board)));
  return Promise.all([...new Set(paths.flat())].map(async (path): Promise<ArtifactFile> => [path, await weights.load(path)]));
}

/** A game that a person plays, in the engine. */
export class PlayedGame {
  static #count = 0;
  readonly #number = (PlayedGame.#count += 1);
  readonly #start: GameStart;
  /** The game so far, as JSON. */
  #record = '';
  #begun: Promise<null> | null = null;

  constructor(start: GameStart) {
    this.#start = start;
  }

  look = () => this.#turn({ do: 'look' });
  act = (action: Action, cell: number, at: number) => this.#turn({ do: 'act', action, cell, at });
  undo = () => this.#turn({ do: 'undo' });
  tookHint = (level: HintLevel) => this.#turn({ do: 'hint', level });
  sawOdds = () => this.#turn({ do: 'odds' });

  end(): void {
    if (this.#begun) void lanes.rules.ask('end', { game: this.#number }).catch(() => undefined);
  }

  async #turn(act: GameAct): Promise<Turn> {
    const start = () => (this.#record ? { record: JSON.parse(this.#record) as GameRecord } : this.#start);
    this.#begun ??= lanes.rules.ask('begin', { game: this.#number, start: start() });
    try {
      await this.#begun;
      const turn = await lanes.rules.ask('turn', { game: this.#number, act });
      this.#record = turn.record;
      return turn;
    } catch (fault) {
      // A worker that failed has lost the game: it begins again with what was played.
      this.#begun = null;
      throw fault;
    }
  }
}

export const engine = {
  /** The roster, with the artifacts of this site. */
  agents: (): Promise<AgentEntry[]> => files.agents(),

  analyze: (position: Position, options: { why?: boolean; around?: Place; start?: Start } = {}, signal?: AbortSignal) =>
    lanes.odds.ask('analyze', { ...positionBody(position), ...options }, signal),

  hint: (position: Position, level: HintLevel, signal?: AbortSignal) => lanes.odds.ask('hint', { ...positionBody(position), level }, signal),

  deal: (rules: Rules, options: { seed?: string; no_guess?: boolean; difficulty?: string; first?: Place }, signal?: AbortSignal) =>
    lanes.review.ask('deal', { rules, ...options }, signal),

  coach: (record: GameRecord, signal?: AbortSignal) => lanes.review.ask('review', { record }, signal),
  measure: (record: GameRecord, signal?: AbortSignal) => lanes.odds.ask('measure', { record }, signal),
  film: (record: GameRecord, signal?: AbortSignal) => lanes.odds.ask('film', { record }, signal),
  solution: (rules: Rules, layout: readonly string[]) => lanes.odds.ask('solution', { rules, layout }),
  read: (bytes: Uint8Array, name?: string, signal?: AbortSignal) => lanes.odds.ask('read', { bytes, ...(name ? { name } : {}) }, signal),
  write: async (text: string, to: string) => new Blob([(await lanes.odds.ask('write', { text, to })) as Uint8Array<ArrayBuffer>]),
  walk: async (name: string, rows: string[], signal?: AbortSignal) =>
    lanes.odds.ask('walk', { tree: [`trees/${name}`, await weights.load(`trees/${name}`)], rows }, signal),

  game: (start: GameStart) => new PlayedGame(start),

  /** A game of an agent; decisions come as they are made. What a training on a server made plays there. */
  async play(body: PlayBody, on: (decisions: Decision[]) => void, signal: AbortSignal): Promise<PlayEnd> {
    if (/:(?:.*,)?run-\d+/.test(body.agent)) return server.play(body, on, signal);
    const artifacts = await artifactsOf([body.agent], body.rules);
    return alone((lane) => lane.ask('play', { body, artifacts }, signal, on));
  },

  /** A small tournament; totals come as games are played. */
  async tournament(body: TournamentBody, on: (slice: TournamentSlice) => void, signal: AbortSignal): Promise<void> {
    const artifacts = await artifactsOf(body.agents, body.rules);
    on(await alone((lane) => lane.ask('tournament', { body, artifacts }, signal, on)));
  },
};
