//! One game in the Play room: the board, the clock, the way back, and the help that was taken.

import { engine } from '../../api/engine.ts';
import type { Measures } from '../../api/types.ts';
import { Board, type Action } from '../../game/board.ts';
import { helpCounts, withHint, withUndone, type HintLevel } from '../../game/help.ts';
import { Layout } from '../../game/layout.ts';
import type { Position } from '../../game/notation.ts';
import { boardOf, moveOf, recordOf, type GameRecord, type Help } from '../../game/record.ts';
import { freshSeed } from '../../game/rng.ts';
import { PLAIN, type Rules } from '../../game/rules.ts';
import type { Place } from '../../game/shape.ts';
import type { KeptGame } from './kept.ts';
import type { Wishes } from './wishes.ts';

export class Game {
  rules: Rules = $state.raw(PLAIN);
  wishes: Wishes = $state({ noGuess: false, difficulty: '' });
  board: Board = $state.raw(new Board(PLAIN, { seed: 0n, game: 0n }));
  /** Counts changes of the board, which is not itself reactive. */
  turn = $state(0);
  elapsed = $state(0);
  help: Help = $state.raw({});
  /** The cell that must be opened first: the mines of this board depend on it. */
  startAt: number | null = $state(null);
  /** Whether the mines were seen before: the same board was begun again. */
  replayed = $state(false);
  dealing = $state(false);
  fault: unknown = $state(null);
  /** What the engine measured in the finished game. */
  measures: Measures | null = $state.raw(null);
  /** The seed that was asked for: with the rules, the wishes and the first cell it is the board. */
  seed = $state.raw(0n);
  /** Names this attempt: when it was dealt, and a few letters that make it unique. */
  id = '';
  #startedAt: number | null = null;
  #before = 0;
  #abort: AbortController | null = null;

  readonly faces = $derived.by(() => (this.turn, this.board.shownFaces().slice()));
  readonly state = $derived.by(() => (this.turn, this.board.state));
  readonly moves = $derived.by(() => (this.turn, this.board.moves.length));
  readonly over = $derived(this.state === 'won' || this.state === 'lost');
  /** Mines without a flag; a won board has a flag on each. */
  readonly minesLeft = $derived.by(() => (this.turn, this.board.state === 'won' ? 0 : this.board.mines - this.board.flags));
  readonly helped = $derived(helpCounts(this.help));

  /** A new board, everything covered; one whose first cell is given waits until that is opened. */
  deal(rules: Rules, seed: bigint = BigInt(freshSeed()), first: Place | null = null): void {
    this.rules = rules;
    this.seed = seed;
    this.#reset(new Board(rules, { seed, game: 0n }));
    if (first && this.board.shape.contains(first)) this.startAt = this.board.shape.cell(first);
  }

  /** The same mines, from the start. */
  restart(): void {
    const first = this.firstCell;
    const seen = this.replayed || this.board.state !== 'fresh';
    this.#reset(this.board.after(0));
    this.startAt = first;
    this.replayed = seen;
  }

  /** Resumes a game that was begun before. */
  load(kept: KeptGame, seed: bigint): void {
    const board = boardOf(kept.record);
    this.rules = board.rules;
    this.seed = seed;
    this.#reset(board);
    this.help = kept.record.help ?? {};
    this.startAt = kept.startAt ? board.shape.cell(kept.startAt) : null;
    this.replayed = kept.replayed ?? false;
    this.id = kept.id ?? this.id;
    this.#before = kept.elapsed ?? board.moves.at(-1)?.at ?? 0;
    this.elapsed = this.#before;
  }

  #reset(board: Board): void {
    this.#abort?.abort();
    this.board = board;
    this.elapsed = 0;
    this.help = {};
    this.startAt = null;
    this.replayed = false;
    this.measures = null;
    this.fault = null;
    this.dealing = false;
    this.id = `${new Date().toISOString()}-${freshSeed().toString(36)}`;
    this.#startedAt = null;
    this.#before = 0;
    this.turn += 1;
  }

  /** The cell that was opened first, or has to be. */
  get firstCell(): number | null {
    return this.board.moves.find(({ action }) => action === 'open')?.cell ?? this.startAt;
  }

  /** Whether a fresh board waits for another cell. */
  waitsFor(cell: number): boolean {
    return this.board.state === 'fresh' && this.startAt !== null && this.startAt !== cell;
  }

  async open(cell: number): Promise<void> {
    const wants = this.wishes.noGuess || this.wishes.difficulty !== '';
    const dealt = this.board.layout !== null;
    if (wants && !dealt && this.board.legal('open', cell) && !(await this.#dealWished(cell))) return;
    if (this.#do('open', cell)) this.startAt = null;
  }

  chord(cell: number): boolean {
    return this.#do('chord', cell);
  }

  flag(cell: number): boolean {
    return this.#do(this.board.legal('flag', cell) ? 'flag' : 'unflag', cell);
  }

  /** Back by one move, also after a loss: from then on the game is practice. */
  undo(): boolean {
    const last = this.board.moves.length - 1;
    if (last < 0) return false;
    const { over } = this.board;
    const first = this.firstCell;
    this.help = withUndone(this.help, last, moveOf(this.board, last));
    this.board = this.board.after(last);
    if (this.board.state === 'fresh' && this.board.layout) this.startAt = first;
    if (over) {
      this.#before = this.elapsed;
      this.#startedAt = null;
      this.measures = null;
    }
    this.turn += 1;
    return true;
  }

  tookHint(level: HintLevel): void {
    this.help = withHint(this.help, this.board.moves.length, level);
  }

  sawOdds(): void {
    if (!this.help.odds) this.help = { ...this.help, odds: true };
  }

  tick(): void {
    if (this.#startedAt !== null) this.elapsed = this.#before + performance.now() - this.#startedAt;
  }

  position(): Position {
    return { shape: this.board.shape, mines: this.board.mines, clues: this.rules.clues, faces: this.board.faces.slice() };
  }

  record(player: string): GameRecord {
    return recordOf(this.board, player, this.help);
  }

  #do(action: Action, cell: number): boolean {
    if (!this.board.legal(action, cell)) return false;
    this.#startedAt ??= performance.now();
    this.tick();
    this.board.act(action, cell, this.elapsed);
    if (this.board.over) this.#startedAt = null;
    this.turn += 1;
    return true;
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
      const flags = this.board.moves;
      const layout = Layout.fromRows(this.board.shape, dealt.rows);
      // A layout that was repaired is not the one of its seed.
      const seed = dealt.repaired ? {} : { seed: BigInt(dealt.seed), game: BigInt(dealt.game) };
      this.board = new Board(dealt.rules, { ...seed, layout });
      for (const { action, cell: at } of flags) this.board.act(action, at);
      return true;
    } catch (fault) {
      if (!abort.signal.aborted) this.fault = fault;
      return false;
    } finally {
      if (this.#abort === abort) this.dealing = false;
    }
  }
}
