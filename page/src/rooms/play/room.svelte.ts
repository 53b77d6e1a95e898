//! The state of the Play room: its game, what is shown of it, and what each control does.

import { engine } from '../../api/engine.ts';
import { isAbort } from '../../api/fault.ts';
import { server } from '../../api/server.svelte.ts';
import type { Analysis, Measures } from '../../api/types.ts';
import type { MineBoard, Tool } from '../../board/mine-board.ts';
import { COVERED } from '../../game/face.ts';
import type { GameRecord } from '../../game/record.ts';
import type { Rules } from '../../game/rules.ts';
import type { Place } from '../../game/shape.ts';
import { heatOf, placeText } from '../../parts/analysis.ts';
import { go, settle } from '../../state/route.svelte.ts';
import { settings } from '../../state/settings.svelte.ts';
import { reviewAddress } from '../../state/games.ts';
import { copyText, linkTo, save } from '../../state/share.ts';
import { say } from '../../state/toast.svelte.ts';
import { formatRoute, queryOfPosition } from '../../state/url.ts';
import { addressOf, readAddress } from './address.ts';
import { Game } from './game.svelte.ts';
import type { ShownHint } from './hints.ts';
import { keepGame, keptGame } from './kept.ts';
import { markWords, marksOf } from './marks.ts';
import { finishedGame, playedGame } from './statistics/finished.ts';
import { remember, type Remembered } from './statistics/remember.ts';
import { endWords, flaggedWords, openedWords } from './words.ts';

export class PlayRoom {
  readonly game = new Game();
  element: MineBoard | undefined = $state();
  tool: Tool = $state('open');
  /** Whether the odds are wanted. */
  odds = $state(false);
  analysis: Analysis | null = $state.raw(null);
  hint: ShownHint | null = $state.raw(null);
  /** What is wrong with the link that led here. */
  linkFaults: string[] = $state.raw([]);
  /** How the finished game compares with those before it. */
  remembered: Remembered | null = $state.raw(null);
  /** The cell that waits for a second tap. */
  #chosen: number | null = $state(null);
  /** The address of the game, as this room told it. */
  #address = '';

  readonly heat = $derived(this.analysis ? heatOf(this.analysis) : null);
  readonly marks = $derived.by(() => {
    const { board, startAt } = this.game;
    return marksOf({ board, analysis: this.analysis, hint: this.hint, chosen: this.#chosen, startAt, chords: settings.chordHints });
  });
  readonly extra = $derived(markWords(this.marks, { hint: this.hint }));

  /** Shows what the address asks for: a new board, or the game that was played there. */
  follow(fragment: string, query: URLSearchParams): void {
    if (fragment === this.#address) return;
    const asked = readAddress(query);
    this.linkFaults = asked.faults;
    if (asked.faults.length > 0) {
      this.#address = fragment;
      return;
    }
    this.game.wishes = asked.wishes;
    const kept = this.#address === '' ? keptGame(fragment) : null;
    if (!kept) return this.begin(asked.rules, asked.seed ?? undefined, asked.first);
    this.#clear();
    this.#address = fragment;
    void this.game.load(kept, asked.seed ?? 0n).then(() => {
      if (this.game.over) void this.#measure(this.#record());
    });
  }

  begin(rules: Rules = this.game.rules, seed?: bigint, first: Place | null = null): void {
    this.#clear();
    this.linkFaults = [];
    this.game.deal(rules, seed, first);
    this.#tellAddress();
    const { startAt, board } = this.game;
    this.#announce(startAt === null ? 'New board. All cells are covered.' : `New board. It starts at ${placeText(board.shape.place(startAt))}.`);
    if (startAt !== null) requestAnimationFrame(() => this.element?.center(startAt));
  }

  /** A game outlives a reload of the page, as long as the tab does. */
  keep(): void {
    if (this.linkFaults.length === 0) keepGame(this.#address, this.game);
  }

  async open(cell: number): Promise<void> {
    const { game } = this;
    if (game.dealing) return;
    if (game.waitsFor(cell)) return this.#sayStart();
    if (settings.twoTaps && this.#chosen !== cell && !game.over && game.faces[cell] === COVERED) {
      this.#chosen = cell;
      this.#announce('Chosen. Open it again to confirm.');
      return;
    }
    const fresh = game.state === 'fresh';
    const { faces } = game;
    if (!(await game.open(cell))) return;
    if (fresh) this.#tellAddress();
    this.#played(faces);
  }

  async chord(cell: number): Promise<void> {
    const { faces } = this.game;
    if (await this.game.chord(cell)) this.#played(faces);
  }

  async flag(cell: number): Promise<void> {
    if (!(await this.game.flag(cell))) return;
    this.#announce(flaggedWords(this.game.board, cell));
    this.#chosen = null;
  }

  async undo(): Promise<void> {
    this.#clear();
    if (await this.game.undo()) this.#announce('One move undone. This game is now practice.');
  }

  restart(): void {
    this.#clear();
    this.game.restart();
    this.#announce('The same board from the start.');
  }

  /** Asks for odds while they are wanted; what comes back stops the question. */
  followOdds(): (() => void) | undefined {
    const { game } = this;
    const wanted = this.odds && game.state === 'live';
    if (!wanted) {
      this.analysis = null;
      return;
    }
    const abort = new AbortController();
    engine.analyze(game.position(), {}, abort.signal).then(
      (answer) => {
        this.analysis = answer;
        void game.sawOdds();
      },
      (fault: unknown) => {
        if (isAbort(fault)) return;
        this.analysis = null;
        this.odds = false;
        say(`No odds: ${fault instanceof Error ? fault.message : String(fault)}`, 'bad');
      },
    );
    return () => abort.abort();
  }

  async review(): Promise<void> {
    go(await reviewAddress(this.#record()));
  }

  exportRecord(): void {
    save(`deminer-${this.game.rules.board}-${this.game.seed}.json`, JSON.stringify(this.#record()) + '\n');
  }

  async keepRecord(): Promise<void> {
    try {
      await server.keep(this.#record());
      say('Kept. The Review room lists it under kept games.');
    } catch {
      say('The game could not be kept. Export it as a file instead.', 'bad');
    }
  }

  /** A link that deals the same board to another player. */
  shareBoard(): Promise<void> {
    return this.#copy(addressOf(this.game), 'Link to this board copied.');
  }

  sharePosition(): Promise<void> {
    return this.#copy(this.positionAddress(), 'Link to this position copied.');
  }

  /** Where the Analyze room shows what the player sees. */
  positionAddress(): string {
    return formatRoute('analyze', [], queryOfPosition({ ...this.game.position(), faces: this.game.faces }));
  }

  async #copy(fragment: string, done: string): Promise<void> {
    say((await copyText(linkTo(fragment))) ? done : 'The link could not be copied.');
  }

  /** The game, which has begun. */
  #record(): GameRecord {
    return this.game.record(settings.player)!;
  }

  #clear(): void {
    this.hint = null;
    this.remembered = null;
    this.#chosen = null;
  }

  #tellAddress(): void {
    this.#address = addressOf(this.game);
    settle(this.#address);
    this.keep();
  }

  #announce(text: string): void {
    this.element?.announce(text);
  }

  #sayStart(): void {
    const start = placeText(this.game.board.shape.place(this.game.startAt!));
    say(`This board starts at ${start}, the marked cell.`);
    this.element?.center(this.game.startAt!);
  }

  #played(before: Uint8Array): void {
    const { game } = this;
    this.hint = null;
    this.#chosen = null;
    this.#announce(game.over ? endWords(game.board, game.elapsed) : openedWords(game.board, before));
    if (game.over) void this.#finished();
  }

  /** Puts the game into the history; a browser that stores nothing still plays. */
  async #finished(): Promise<void> {
    const { game } = this;
    const { id } = game;
    // The player may undo or restart while the engine measures and the browser stores the game.
    const record = this.#record();
    const played = { ...playedGame(game) };
    const measures = await this.#measure(record);
    if (!measures) return;
    try {
      const remembered = await remember(finishedGame(played, measures), record);
      if (game.id === id && game.over) this.remembered = remembered;
    } catch {
      say('This browser does not store games, so this one is not in your statistics.', 'bad');
    }
  }

  /** Shows what the engine measures in the finished game. */
  async #measure(record: GameRecord): Promise<Measures | null> {
    const { game } = this;
    const { id } = game;
    const measures = await engine.measure(record).catch((fault: unknown) => {
      game.fault = fault;
      return null;
    });
    if (game.id === id && game.over) game.measures = measures;
    return measures;
  }
}
