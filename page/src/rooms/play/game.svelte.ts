//! One game in the Play room: the board, the clock, the way back, and the help that was taken. The
//! engine plays it; actions are sent in order, and what it answers is shown.

import { engine, type PlayedGame, type Turn } from '../../api/engine.ts';
import type { GameStart, Measures } from '../../api/types.ts';
import { flagsOn, freshBoard, freshSeed, isOver, type Action, type Board } from '../../game/board.ts';
import { COVERED, FLAGGED } from '../../game/face.ts';
import { NO_HELP, type HelpCounts, type HintLevel } from '../../game/help.ts';
import type { Position } from '../../game/notation.ts';
import type { GameRecord } from '../../game/record.ts';
import { PLAIN, shapeOf, type Rules } from '../../game/rules.ts';
import type { Place } from '../../game/shape.ts';
import type { KeptGame } from './kept.ts';
import type { Wishes } from './wishes.ts';

export class Game {
  rules: Rules = $state.raw(PLAIN);
  wishes: Wishes = $state({ noGuess: false, difficulty: '' });
  board: Board = $state.raw(freshBoard(PLAIN));
  elapsed = $state(0);
  helped: HelpCounts = $state.raw(NO_HELP);
  /** The cell that must be opened first: the mines of this board depend on it. */
  startAt: number | null = $state(null);
  /** The cell that was opened first, or has to be. */
  firstCell: number | null = $state(null);
  /** Whether the mines were seen before: the same board was begun again. */
  replayed = $state(false);
  dealing = $state(false);
  /** How many actions the engine has not answered yet. */
  pending = $state(0);
  fault: unknown = $state(null);
  /** What the engine measured in the finished game. */
  measures: Measures | null = $state.raw(null);
  /** The game as the engine recorded it after the last move, as JSON; empty before the first. */
  recorded = $state.raw('');
  /** The seed that was asked for: with the rules, the wishes and the first cell it is the board. */
  seed = $state.raw(0n);
  /** Names this attempt: when it was dealt, and a few letters that make it unique. */
  id = '';
  #start: GameStart = { rules: PLAIN, seed: '0' };
  #played: PlayedGame | null = null;
  /** What was sent to the engine, one after another. */
  #queue: Promise<unknown> = Promise.resolve();
  #startedAt: number | null = null;
  #before = 0;
  #abort: AbortController | null = null;

  readonly faces = $derived(this.board.faces);
  readonly state = $derived(this.board.state);
  readonly moves = $derived(this.board.moves);
  readonly over = $derived(isOver(this.board));
  /** Mines without a flag; a won board has a flag on each. */
  readonly minesLeft = $derived(this.state === 'won' ? 0 : this.board.mines - flagsOn(this.board));

  /** A new board, everything covered; one whose first cell is given waits until that is opened. */
  deal(rules: Rules, seed: bigint = BigInt(freshSeed()), first: Place | null = null): void {
    this.rules = rules;
    this.seed = seed;
    this.#reset(freshBoard(rules), { rules, seed: seed.toString(), game: 0 });
    if (first && this.board.shape.contains(first)) this.startAt = this.firstCell = this.board.shape.cell(first);
  }

  /** The same mines, from the start. */
  restart(): void {
    const { firstCell, board } = this;
    const seen = this.replayed || board.state !== 'fresh';
    const start = board.layout ? { ...this.#start, layout: [...board.layout] } : this.#start;
    this.#reset(freshBoard(board.rules, board.layout), start);
    this.startAt = this.firstCell = firstCell;
    this.replayed = seen;
  }

  /** Resumes a game that was begun before. */
  async load(kept: KeptGame, seed: bigint): Promise<void> {
    const { record } = kept;
    const shape = shapeOf(record.rules);
    this.rules = record.rules;
    this.seed = seed;
    this.#reset(freshBoard(record.rules), { rules: record.rules, ...(record.seed === undefined ? {} : { seed: String(record.seed), game: record.game ?? 0 }) });
    const cellOf = (place: Place | null | undefined) => (place ? shape.cell(place) : null);
    this.startAt = cellOf(kept.startAt);
    this.firstCell = cellOf(record.moves.find(({ action }) => action === 'open')?.cell) ?? this.startAt;
    this.replayed = kept.replayed ?? false;
    this.id = kept.id ?? this.id;
    this.#before = kept.elapsed ?? record.moves.reduce((millis, { micros }) => millis + (micros ?? 0) / 1000, 0);
    this.elapsed = this.#before;
    this.recorded = JSON.stringify(record);
    this.#played = engine.game({ record });
    await this.#turn((played) => played.look());
  }

  #reset(board: Board, start: GameStart): void {
    this.#abort?.abort();
    this.#played?.end();
    this.#played = null;
    this.#start = start;
    this.#queue = Promise.resolve();
    this.board = board;
    this.elapsed = 0;
    this.helped = NO_HELP;
    this.startAt = this.firstCell = null;
    this.replayed = false;
    this.measures = null;
    this.recorded = '';
    this.fault = null;
    this.dealing = false;
    this.id = `${new Date().toISOString()}-${freshSeed().toString(36)}`;
    this.#startedAt = null;
    this.#before = 0;
  }

  /** Whether a fresh board waits for another cell. */
  waitsFor(cell: number): boolean {
    return this.state === 'fresh' && this.startAt !== null && this.startAt !== cell;
  }

  /** Opens a cell; false if that changes nothing. */
  async open(cell: number): Promise<boolean> {
    const wants = this.wishes.noGuess || this.wishes.difficulty !== '';
    if (this.over || this.faces[cell] !== COVERED) return false;
    if (wants && this.board.layout === null && !(await this.#dealWished(cell))) return false;
    const first = this.state === 'fresh';
    if (!(await this.#act('open', cell))) return false;
    if (first) this.firstCell = cell;
    this.startAt = null;
    return true;
  }

  chord(cell: number): Promise<boolean> {
    return this.#act('chord', cell);
  }

  flag(cell: number): Promise<boolean> {
    return this.#act(this.faces[cell] === FLAGGED ? 'unflag' : 'flag', cell);
  }

  /** Back by one move, also after a loss: from then on the game is practice. */
  async undo(): Promise<boolean> {
    if (this.moves === 0) return false;
    const { over } = this;
    if (!(await this.#turn((played) => played.undo()))) return false;
    if (this.state === 'fresh' && this.board.layout) this.startAt = this.firstCell;
    if (over) {
      this.#before = this.elapsed;
      this.#startedAt = null;
      this.measures = null;
    }
    return true;
  }

  async tookHint(level: HintLevel): Promise<void> {
    await this.#turn((played) => played.tookHint(level));
  }

  async sawOdds(): Promise<void> {
    if (!this.helped.odds) await this.#turn((played) => played.sawOdds());
  }

  tick(): void {
    if (this.#startedAt !== null) this.elapsed = this.#before + performance.now() - this.#startedAt;
  }

  position(): Position {
    return { shape: this.board.shape, mines: this.board.mines, clues: this.rules.clues, faces: this.faces };
  }

  /** The game so far; null before its first move. */
  record(player: string): GameRecord | null {
    return this.recorded ? { ...(JSON.parse(this.recorded) as GameRecord), player } : null;
  }

  #act(action: Action, cell: number): Promise<boolean> {
    if (this.over) return Promise.resolve(false);
    const started = this.#startedAt !== null;
    this.#startedAt ??= performance.now();
    this.tick();
    const at = this.elapsed;
    return this.#turn((played) => played.act(action, cell, at)).then((changed) => {
      // What changes nothing does not start the clock.
      if (!changed && !started && this.moves === 0) this.#startedAt = null;
      if (this.over) this.#startedAt = null;
      return changed;
    });
  }

  /** Sends something to the engine once all before it is done, and shows the answer; false if it changed nothing. */
  #turn(run: (played: PlayedGame) => Promise<Turn>): Promise<boolean> {
    const played = (this.#played ??= engine.game(this.#start));
    this.pending += 1;
    const done = this.#queue.then(async () => {
      const turn = await run(played);
      if (this.#played !== played) return false;
      this.fault = null;
      if (turn.changed) this.board = { ...this.board, ...turn.board };
      this.helped = turn.helped;
      this.recorded = turn.record;
      return turn.changed;
    });
    this.#queue = done
      .catch((fault: unknown) => {
        if (this.#played === played) this.fault = fault;
      })
      .finally(() => (this.pending -= 1));
    return done.catch(() => false);
  }

  /** Asks the engine for a board without guesses, or of a difficulty, that begins here; false if there is none. */
  async #dealWished(cell: number): Promise<boolean> {
    this.#abort?.abort();
    const abort = (this.#abort = new AbortController());
    this.dealing = true;
    this.fault = null;
    try {
      const { noGuess, difficulty } = this.wishes;
      const dealt = await engine.deal(this.rules, {
        ...(noGuess ? { no_guess: true } : {}),
        ...(difficulty ? { difficulty } : {}),
        seed: this.seed.toString(),
        first: this.board.shape.place(cell),
      }, abort.signal);
      const flags = [...this.faces.keys()].filter((at) => this.faces[at] === FLAGGED);
      this.#played?.end();
      this.#played = null;
      // The engine chose it: it is not the layout that the seed alone deals.
      this.#start = { rules: dealt.rules, layout: dealt.rows };
      this.board = { ...freshBoard(dealt.rules, dealt.rows), faces: this.faces };
      for (const at of flags) await this.#turn((played) => played.act('flag', at, 0));
      return true;
    } catch (fault) {
      if (!abort.signal.aborted) this.fault = fault;
      return false;
    } finally {
      if (this.#abort === abort) this.dealing = false;
    }
  }
}
