//! One game in the Play room: the board, the clock, the way back.

import { api } from '../../api/client.ts';
import { Board, type Action } from '../../game/board.ts';
import { isOpen } from '../../game/face.ts';
import { Layout } from '../../game/layout.ts';
import type { Position } from '../../game/notation.ts';
import { freshSeed } from '../../game/rng.ts';
import { PLAIN, type Rules } from '../../game/rules.ts';
import type { Place } from '../../game/shape.ts';

export interface Wishes {
  noGuess: boolean;
  difficulty: '' | 'easy' | 'medium' | 'hard' | 'extreme';
}

export class Game {
  rules: Rules = $state.raw(PLAIN);
  wishes: Wishes = $state({ noGuess: false, difficulty: '' });
  board: Board = $state.raw(new Board(PLAIN, { seed: 0n, game: 0n }));
  /** Counts changes of the board, which is not itself reactive. */
  turn = $state(0);
  elapsed = $state(0);
  undone = $state(0);
  hints = $state(0);
  dealing = $state(false);
  fault: unknown = $state(null);
  #startedAt: number | null = null;
  #before = 0;
  #abort: AbortController | null = null;
  /** The seed that was asked for: with the rules, the wishes and the first cell it is the board. */
  seed = $state.raw(0n);

  readonly faces = $derived.by(() => (this.turn, this.board.shownFaces().slice()));
  readonly state = $derived.by(() => (this.turn, this.board.state));
  readonly flags = $derived.by(() => (this.turn, this.board.flags));
  readonly over = $derived(this.state === 'won' || this.state === 'lost');
  readonly clicks = $derived.by(() => (this.turn, this.board.state === 'fresh' || !this.board.layout ? null : this.board.layout.clicks()));
  readonly solved = $derived.by(() => {
    void this.turn;
    return this.clicks?.filter((patch) => isOpen(this.board.faces[patch[0]!]!)).length ?? 0;
  });

  /** A new board, everything covered. */
  deal(rules: Rules, seed: bigint = BigInt(freshSeed()), first: Place | null = null): void {
    this.#abort?.abort();
    this.rules = rules;
    this.seed = seed;
    this.#reset(new Board(rules, { seed, game: 0n }));
    if (first && this.board.shape.contains(first)) void this.open(this.board.shape.cell(first));
  }

  /** The same mines, from the start. */
  again(): void {
    const first = this.board.moves[0];
    const board = this.board.after(first?.action === 'open' ? 1 : 0);
    this.#reset(board);
  }

  /** Takes up a game that was begun before. */
  load(board: Board, seed: bigint): void {
    this.rules = board.rules;
    this.seed = seed;
    this.#reset(board);
    this.#before = board.moves.at(-1)?.at ?? 0;
    this.elapsed = this.#before;
  }

  #reset(board: Board): void {
    this.board = board;
    this.elapsed = 0;
    this.undone = 0;
    this.hints = 0;
    this.fault = null;
    this.dealing = false;
    this.#startedAt = null;
    this.#before = 0;
    this.turn += 1;
  }

  async open(cell: number): Promise<void> {
    const wants = this.wishes.noGuess || this.wishes.difficulty !== '';
    if (wants && this.board.state === 'fresh' && this.board.legal('open', cell) && !(await this.#dealWished(cell))) return;
    this.#do('open', cell);
  }

  chord(cell: number): boolean {
    return this.#do('chord', cell);
  }

  flag(cell: number): boolean {
    return this.#do(this.board.legal('flag', cell) ? 'flag' : 'unflag', cell);
  }

  /** Back by one move, also after a loss: what if? */
  undo(): boolean {
    if (this.board.moves.length === 0) return false;
    const over = this.board.over;
    this.board = this.board.after(this.board.moves.length - 1);
    this.undone += 1;
    if (over) {
      this.#before = this.elapsed;
      this.#startedAt = null;
    }
    this.turn += 1;
    return true;
  }

  tick(): void {
    if (this.#startedAt !== null) this.elapsed = this.#before + performance.now() - this.#startedAt;
  }

  position(): Position {
    return { shape: this.board.shape, mines: this.board.mines, clues: this.rules.clues, faces: this.board.faces.slice() };
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

  /** Asks the engine for a board without guesses, or of a difficulty, that begins here; false if it came to nothing. */
  async #dealWished(cell: number): Promise<boolean> {
    this.#abort?.abort();
    const abort = (this.#abort = new AbortController());
    this.dealing = true;
    this.fault = null;
    try {
      const { noGuess, difficulty } = this.wishes;
      const dealt = await api.deal(this.rules, {
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
