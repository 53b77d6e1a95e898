//! The engine on this thread. Answers come at once, so long work belongs into a worker.

import init, { Engine as WasmEngine, __wbg_reset_state, initSync } from '../wasm/engine.js';
import type { Game as WasmGame, Player as WasmPlayer, Tournament as WasmTournament } from '../wasm/engine.js';
import { DeminerError } from './error.ts';
import type {
  Action, AnswerOf, Artifact, DealtBoard, GameRecord, GameRequest, GameState, HelpCounts, PlayEvent, PlayRequest, Position, RequestName,
  RequestOf, Totals, TournamentRequest,
} from './types.ts';

/** Where the WebAssembly file is, or its content. */
export type EngineSource = string | URL | Response | Promise<Response> | BufferSource | WebAssembly.Module;

let loading: Promise<unknown> | null = null;
/** Counts instances: objects of an earlier one are gone. */
let instance = 0;

/** Loads the engine once; later calls wait for the same load. */
async function load(source?: EngineSource): Promise<void> {
  loading ??= start(source ?? new URL('../wasm/engine_bg.wasm', import.meta.url)).catch((fault: unknown) => {
    loading = null;
    throw fault;
  });
  await loading;
}

async function start(source: EngineSource): Promise<void> {
  const isFile = (source instanceof URL || typeof source === 'string') && new URL(source, import.meta.url).protocol === 'file:';
  if (isFile) {
    const { readFile } = await import('node:fs/promises');
    initSync({ module: await readFile(new URL(source, import.meta.url)) });
  } else {
    await init({ module_or_path: source });
  }
}

/** Runs a call into the engine; every fault comes out as a `DeminerError`. */
function guarded<Value>(call: () => Value): Value {
  try {
    return call();
  } catch (fault) {
    // Errors of requests are thrown as text. Anything else is a panic or a trap, after which the
    // instance must not be used: a fresh one takes its place.
    if (typeof fault === 'string') throw DeminerError.of(JSON.parse(fault) as DeminerError);
    if (fault instanceof DeminerError) throw fault;
    restart();
    throw new DeminerError('crashed', fault instanceof Error ? fault.message : String(fault));
  }
}

function restart(): void {
  instance += 1;
  __wbg_reset_state();
}

/** JSON of a request; numbers too large for JavaScript may be given as bigint. */
function json(value: unknown): string {
  let text: string | undefined;
  try {
    text = JSON.stringify(value ?? {}, (_, part: unknown) => (typeof part === 'bigint' ? part.toString() : part));
  } catch (fault) {
    throw new DeminerError('invalid', fault instanceof Error ? fault.message : String(fault));
  }
  return text ?? 'null';
}

/** Something in the memory of the engine. It is gone after a crash. */
class Handle<Wasm extends { free(): void }> {
  readonly #wasm: Wasm;
  readonly #instance = instance;
  #freed = false;

  constructor(wasm: Wasm) {
    this.#wasm = wasm;
  }

  call<Value>(use: (wasm: Wasm) => Value): Value {
    if (this.#freed) throw new DeminerError('invalid', 'it was freed');
    if (this.#instance !== instance) throw new DeminerError('crashed', 'the engine has started anew since this was made');
    return guarded(() => use(this.#wasm));
  }

  free(): void {
    if (!this.#freed && this.#instance === instance) this.#wasm.free();
    this.#freed = true;
  }
}

/**
 * Answers requests on this thread.
 *
 * ```ts
 * const engine = await Engine.load();
 * const { best } = engine.analyze({ rows: ['####', '#12#', '####'], mines: 3 });
 * ```
 */
export class Engine {
  #wasm: Handle<WasmEngine> | null = null;
  #instance = -1;
  readonly #artifacts = new Map<string, Uint8Array>();

  private constructor() {}

  /** Loads the WebAssembly file, unless it is loaded, from beside this module or from `source`. */
  static async load(source?: EngineSource): Promise<Engine> {
    await load(source);
    return new Engine();
  }

  /** Gives learned agents their artifacts. */
  addArtifacts(...artifacts: Artifact[]): void {
    for (const { path, bytes } of artifacts) {
      if (!(bytes instanceof Uint8Array)) throw new DeminerError('invalid', 'an artifact is a Uint8Array', 'bytes');
      this.#call((wasm) => wasm.addArtifact(String(path), bytes));
      this.#artifacts.set(path, bytes);
    }
  }

  /** Answers the request of this name. */
  answer<Name extends RequestName>(name: Name, request: RequestOf<Name>): AnswerOf<Name> {
    return JSON.parse(this.answerJson(name, request)) as AnswerOf<Name>;
  }

  /** The same as JSON text, which another thread gets sooner than values. */
  answerJson<Name extends RequestName>(name: Name, request: RequestOf<Name>): string {
    const text = json(request);
    return this.#call((wasm) => wasm.answer(String(name), text));
  }

  /** All agents. */
  agents(): AnswerOf<'agents'>['agents'] {
    return this.answer('agents', {}).agents;
  }

  /** Odds, certain cells, proofs (`why`), the best move and its alternatives. */
  analyze(request: RequestOf<'analyze'>): AnswerOf<'analyze'> {
    return this.answer('analyze', request);
  }

  /** Which of these artifacts an agent plays with. */
  artifactsOf(agent: string, paths: string[]): string[] {
    return this.answer('artifacts', { agent, paths }).paths;
  }

  /** A board of a seed, any or one that needs no guess. */
  board(request: RequestOf<'board'>): DealtBoard {
    return this.answer('board', request);
  }

  /** One decision of an agent. */
  decide(request: RequestOf<'decide'>): AnswerOf<'decide'> {
    return this.answer('decide', request);
  }

  /** What each move of a game changed on the board. */
  film(record: GameRecord): AnswerOf<'film'> {
    return this.answer('film', { record });
  }

  /** All file formats. */
  formats(): AnswerOf<'formats'>['formats'] {
    return this.answer('formats', {}).formats;
  }

  /** A hint in steps: 1 whether there is a safe move, 2 where to look, 3 the move, 4 why. */
  hint(request: RequestOf<'hint'>): AnswerOf<'hint'> {
    return this.answer('hint', request);
  }

  /** 3BV, ZiNi, clicks and time of a game. */
  measure(record: GameRecord): AnswerOf<'measure'> {
    return this.answer('measure', { record });
  }

  /** What a file holds: a position, a layout, a game. */
  read(file: string | Uint8Array, name?: string): AnswerOf<'read'> {
    return this.answer('read', { ...content(file), ...(name === undefined ? {} : { name }) });
  }

  /** Every move of a game with what the coach thinks of it. */
  review(record: GameRecord): AnswerOf<'review'> {
    return this.answer('review', { record });
  }

  /** The file in another format. */
  write(file: string | Uint8Array, to: string): AnswerOf<'write'> {
    return this.answer('write', { ...content(file), to });
  }

  /** Begins a person's game, or continues a recorded one. */
  game(request: GameRequest): Game {
    const text = json(request);
    return new Game(this.#call((wasm) => wasm.game(text)));
  }

  /** A game of an agent, event by event: `begin`, a `decision` for each turn, `end`. */
  play(request: PlayRequest): Player {
    const text = json(request);
    return new Player(this.#call((wasm) => wasm.play(text)));
  }

  /** A tournament, some games at a time. */
  tournament(request: TournamentRequest): Tournament {
    const text = json(request);
    return new Tournament(this.#call((wasm) => wasm.tournament(text)));
  }

  /** Calls the instance that is alive, with all artifacts in it. */
  #call<Value>(use: (wasm: WasmEngine) => Value): Value {
    if (!this.#wasm || this.#instance !== instance) {
      this.#wasm = new Handle(guarded(() => new WasmEngine()));
      this.#instance = instance;
      for (const [path, bytes] of this.#artifacts) this.#wasm.call((wasm) => wasm.addArtifact(path, bytes));
    }
    return this.#wasm.call(use);
  }
}

/** A person's game. Cells are numbered row by row. */
export class Game {
  readonly #wasm: Handle<WasmGame>;
  readonly width: number;
  readonly height: number;

  constructor(wasm: WasmGame) {
    this.#wasm = new Handle(wasm);
    this.width = wasm.width;
    this.height = wasm.height;
  }

  get state(): GameState {
    return this.#wasm.call((game) => game.state) as GameState;
  }

  get over(): boolean {
    return this.state === 'won' || this.state === 'lost';
  }

  /** Mines without a flag; negative with more flags than mines. A won game has none left. */
  get minesLeft(): number {
    return this.#wasm.call((game) => game.minesLeft);
  }

  get flags(): number {
    return this.#wasm.call((game) => game.flags);
  }

  /** How many safe cells are open. */
  get opened(): number {
    return this.#wasm.call((game) => game.opened);
  }

  /** How many moves were made and not undone. */
  get moves(): number {
    return this.#wasm.call((game) => game.moves);
  }

  /** How much help was taken. */
  get help(): HelpCounts {
    return JSON.parse(this.#wasm.call((game) => game.help())) as HelpCounts;
  }

  /**
   * What each cell looks like: 0 to 8 a clue, 9 covered, 10 flag, 11 open without a clue, 12 mine,
   * 13 exploded, 14 wrong flag. After the end also the mines.
   */
  faces(): Uint8Array {
    return this.#wasm.call((game) => game.faces());
  }

  /** The same without what only the end shows. */
  seen(): Uint8Array {
    return this.#wasm.call((game) => game.seen());
  }

  /** Whether the action would change anything. */
  legal(action: Action, cell: number): boolean {
    return this.#wasm.call((game) => game.legal(String(action), Number(cell)));
  }

  /** Makes a move, `at` milliseconds on the clock; the cells that changed, or null if none did. */
  act(action: Action, cell: number, at = 0): Uint32Array | null {
    return this.#wasm.call((game) => game.act(String(action), Number(cell), Number(at))) ?? null;
  }

  /** Undoes the last move, also one that lost the game; false if there is none. */
  undo(): boolean {
    return this.#wasm.call((game) => game.undo());
  }

  /** Begins again on the same mines, without help. */
  restart(): void {
    this.#wasm.call((game) => game.restart());
  }

  /** Numbers on which a chord is possible. */
  chordable(): Uint32Array {
    return this.#wasm.call((game) => game.chordable());
  }

  /** A hint was taken, up to this step. */
  tookHint(level: 1 | 2 | 3 | 4): void {
    this.#wasm.call((game) => game.tookHint(level));
  }

  sawOdds(): void {
    this.#wasm.call((game) => game.sawOdds());
  }

  /** The position as requests take it. */
  position(): Position {
    return JSON.parse(this.#wasm.call((game) => game.position())) as Position;
  }

  /** Where the mines lie, `*` a mine; null before they are dealt. */
  layout(): string[] | null {
    return this.#wasm.call((game) => game.layout()) ?? null;
  }

  /** The game so far, which every part of deminer reads. */
  record(player: string): GameRecord {
    return JSON.parse(this.#wasm.call((game) => game.record(String(player)))) as GameRecord;
  }

  /** Gives its memory back. */
  free(): void {
    this.#wasm.free();
  }
}

/** A game of an agent, event by event. */
export class Player implements Iterable<PlayEvent> {
  readonly #wasm: Handle<WasmPlayer>;

  constructor(wasm: WasmPlayer) {
    this.#wasm = new Handle(wasm);
  }

  /** Up to this many next events; an empty list after the end. */
  next(most = 1): PlayEvent[] {
    return JSON.parse(this.#wasm.call((player) => player.next(most))) as PlayEvent[];
  }

  *[Symbol.iterator](): Iterator<PlayEvent> {
    for (let events = this.next(); events.length > 0; events = this.next()) yield* events;
  }

  /** Gives its memory back. */
  free(): void {
    this.#wasm.free();
  }
}

/** A tournament, some games at a time. */
export class Tournament {
  readonly #wasm: Handle<WasmTournament>;

  constructor(wasm: WasmTournament) {
    this.#wasm = new Handle(wasm);
  }

  /** Plays up to this many more games with each agent. */
  play(games: number): void {
    this.#wasm.call((tournament) => tournament.play(games));
  }

  /** The totals so far: rates with Wilson intervals, and differences on the same games. */
  totals(): Totals {
    return JSON.parse(this.#wasm.call((tournament) => tournament.totals())) as Totals;
  }

  /** Gives its memory back. */
  free(): void {
    this.#wasm.free();
  }
}

function content(file: string | Uint8Array): { text: string } | { base64: string } {
  if (typeof file === 'string') return { text: file };
  if (!(file instanceof Uint8Array)) throw new DeminerError('invalid', 'a file is text or a Uint8Array', 'file');
  let letters = '';
  for (let at = 0; at < file.length; at += 0x8000) letters += String.fromCharCode(...file.subarray(at, at + 0x8000));
  return { base64: btoa(letters) };
}
