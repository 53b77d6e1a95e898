//! The engine: rules, odds, hints, review, boards, agents. It runs in workers of this page, always;
//! no server is asked.

import type { EngineWorker, RequestOf } from '../../../npm/src/index.ts';
import type { GameAct, Turn } from '../engine/games.ts';
import { GamesWorker, Lane, engineFault, startEngine } from '../engine/workers.ts';
import type { Action } from '../game/board.ts';
import { COVERED, FLAGGED, MINE } from '../game/face.ts';
import type { HintLevel } from '../game/help.ts';
import { positionBody, type Position } from '../game/notation.ts';
import type { GameRecord } from '../game/record.ts';
import { shapeOf, type Rules, type Start } from '../game/rules.ts';
import type { Place } from '../game/shape.ts';
import { files } from './files.ts';
import { server } from './server.svelte.ts';
import type { AgentEntry, Analysis, Converted, Decision, FilmDocument, GameStart, PlayBody, PlayEnd, TournamentBody, TournamentSlice } from './types.ts';
import { weights } from './weights.svelte.ts';

export type { Turn } from '../engine/games.ts';

/** Positions must not wait for a long review, and clicks for neither. */
const lanes = { odds: new Lane(), review: new Lane() };
const games = new GamesWorker();

/** Long work has a worker of its own, which ends with it. */
async function alone<T>(agents: readonly string[], rules: Rules, work: (engine: EngineWorker) => Promise<T>): Promise<T> {
  const paths = await Promise.all(agents.map((agent) => weights.pathsOf(agent, rules.board)));
  const artifacts = await Promise.all([...new Set(paths.flat())].map(async (path) => ({ path, bytes: await weights.load(path) })));
  const engine = await startEngine();
  try {
    if (artifacts.length > 0) await engine.addArtifacts(...artifacts);
    return await work(engine);
  } catch (fault) {
    throw engineFault(fault);
  } finally {
    engine.terminate();
  }
}

/** A game that a person plays, in the engine. */
export class PlayedGame {
  static #count = 0;
  readonly #number = (PlayedGame.#count += 1);
  readonly #start: GameStart;
  #begun = false;
  /** The game so far, as JSON. */
  #record = '';

  constructor(start: GameStart) {
    this.#start = start;
  }

  look = () => this.#turn({ do: 'look' });
  act = (action: Action, cell: number, at: number) => this.#turn({ do: 'act', action, cell, at });
  undo = () => this.#turn({ do: 'undo' });
  tookHint = (level: HintLevel) => this.#turn({ do: 'hint', level });
  sawOdds = () => this.#turn({ do: 'odds' });

  end(): void {
    if (this.#begun) void games.call({ game: this.#number, end: true }).catch(() => undefined);
  }

  async #turn(act: GameAct): Promise<Turn> {
    const start = () => (this.#record ? { record: JSON.parse(this.#record) as GameRecord } : this.#start);
    const call = { game: this.#number, act, ...(this.#begun ? {} : { start: start() }) };
    this.#begun = true;
    try {
      const turn = (await games.call(call))!;
      this.#record = turn.record;
      return turn;
    } catch (fault) {
      // A worker that failed has lost the game: it begins again with what was played.
      this.#begun = false;
      throw fault;
    }
  }
}

export const engine = {
  /** The roster, with the artifacts of this site. */
  agents: (): Promise<AgentEntry[]> => files.agents(),

  analyze: (position: Position, options: { why?: boolean; around?: Place; start?: Start } = {}, signal?: AbortSignal) =>
    lanes.odds.ask((engine, late) => engine.analyze({ ...positionBody(position), ...options }, late) as Promise<Analysis>, signal),

  hint: (position: Position, level: HintLevel, signal?: AbortSignal) =>
    lanes.odds.ask((engine, late) => engine.hint({ ...positionBody(position), level }, late), signal),

  /** The chapters of the course. */
  lessons: (signal?: AbortSignal) => lanes.odds.ask(async (engine, late) => (await engine.answer('lessons', {}, late)).chapters, signal),

  /** An exercise, with verdicts and a hint as far as they are asked for. */
  lesson: (body: RequestOf<'lesson'>, signal?: AbortSignal) => lanes.odds.ask((engine, late) => engine.answer('lesson', body, late), signal),

  deal: (rules: Rules, options: Omit<RequestOf<'board'>, 'rules'>, signal?: AbortSignal) =>
    lanes.review.ask((engine, late) => engine.board({ rules, ...options }, late), signal),

  coach: (record: GameRecord, signal?: AbortSignal) => lanes.review.ask((engine, late) => engine.review(record, late), signal),
  measure: (record: GameRecord, signal?: AbortSignal) => lanes.odds.ask((engine, late) => engine.measure(record, late), signal),
  film: (record: GameRecord, signal?: AbortSignal) => lanes.odds.ask((engine, late) => engine.film(record, late) as Promise<FilmDocument>, signal),

  /** The whole board, open. */
  async solution(rules: Rules, layout: readonly string[]): Promise<Uint8Array> {
    const shape = shapeOf(rules);
    const safe = Array.from({ length: shape.size }, (_, cell) => shape.place(cell)).filter(([row, column]) => layout[row]?.[column] !== '*');
    const moves = safe.map((cell, i) => ({ by: i === 0 ? 'start' as const : 'agent' as const, action: 'open' as const, cell, why: { kind: i === 0 ? 'start' as const : 'nothing' as const } }));
    const { changes } = await engine.film({ schema_version: 1, kind: 'record', player: '', rules, layout: [...layout], moves, outcome: 'won' });
    const faces = new Uint8Array(shape.size).fill(COVERED);
    for (const [cell, face] of changes.flat()) faces[cell] = face === FLAGGED ? MINE : face;
    return faces;
  },

  read: (bytes: Uint8Array, name?: string, signal?: AbortSignal) =>
    lanes.odds.ask((engine, late) => engine.answer('read', { base64: base64(bytes), ...(name ? { name } : {}) }, late) as Promise<Converted>, signal),

  /** The file in another format. */
  async write(text: string, to: string): Promise<Blob> {
    const written = await lanes.odds.ask((engine, late) => engine.answer('write', { text, to }, late));
    return new Blob([written.text ?? Uint8Array.from(atob(written.base64!), (letter) => letter.charCodeAt(0))]);
  },

  walk: (name: string, rows: string[], signal?: AbortSignal) =>
    lanes.odds.ask(async (engine, late) => {
      await engine.addArtifacts({ path: `trees/${name}`, bytes: await weights.load(`trees/${name}`) });
      return engine.answer('walk', { tree: name.replace(/\.tree$/, ''), rows }, late);
    }, signal),

  game: (start: GameStart) => new PlayedGame(start),

  /** A game of an agent; decisions come as they are made. What a training on a server made plays there. */
  async play(body: PlayBody, on: (decisions: Decision[]) => void, signal: AbortSignal): Promise<PlayEnd> {
    if (/:(?:.*,)?run-\d+/.test(body.agent)) return server.play(body, on, signal);
    let end: PlayEnd | null = null;
    await alone([body.agent], body.rules, (engine) => engine.play(body, (events) => {
      const decisions = events.flatMap((event) => (event.event === 'decision' ? [event.data as Decision] : []));
      if (decisions.length > 0) on(decisions);
      for (const event of events) if (event.event === 'end') end = event.data as unknown as PlayEnd;
    }, signal));
    return end!;
  },

  /** A small tournament; totals come as games are played. */
  async tournament(body: TournamentBody, on: (slice: TournamentSlice) => void, signal: AbortSignal): Promise<void> {
    const tell = on as (totals: unknown) => void;
    tell(await alone(body.agents, body.rules, (engine) => engine.tournament(body, tell, signal)));
  },
};

function base64(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += 0x8000) text += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
  return btoa(text);
}
