//! The games being watched. They outlive the room: coming back finds them where they were left.

import { engine } from '../../api/engine.ts';
import type { AgentEntry } from '../../api/types.ts';
import { freshSeed } from '../../game/board.ts';
import type { Rules } from '../../game/rules.ts';
import { settle } from '../../state/route.svelte.ts';
import { formatRoute, queryOfRules, rulesFromQuery, seedFromQuery } from '../../state/url.ts';
import { Replay } from './replay.svelte.ts';

export const MOST_AGENTS = 4;

export class Session {
  roster = $state.raw<AgentEntry[]>([]);
  rosterFault: unknown = $state(null);
  agents = $state.raw<string[]>([]);
  rules = $state.raw<Rules>({ board: '16x16x40', shape: 'rect', start: 'open', cascade: 'on', clues: 'exact' });
  seed = $state(1);
  first = $state('corner');
  replays = $state.raw<Replay[]>([]);
  step = $state(0);
  playing = $state(false);
  speed = $state(5);

  readonly total = $derived(Math.max(0, ...this.replays.map(({ decisions }) => decisions.length)));
  readonly live = $derived(this.replays.some((replay) => replay.live));
  /** The address of the games, without the move. */
  #dealt = '';
  /** The address as it was last written. */
  #told = '';

  /** The address of these games at this move. */
  get address(): string {
    return formatRoute('watch', [], { ...this.#query(), move: this.step });
  }

  #query(): Record<string, string | number | undefined> {
    return { agents: this.agents.join('~'), ...queryOfRules(this.rules), seed: this.seed, at: this.first === 'corner' ? undefined : this.first };
  }

  /** Shows what an address names; the games that are already here stay as they are. */
  open(query: URLSearchParams): void {
    void this.loadRoster();
    if (location.hash === this.#told) return this.tellAddress();
    const agents = (query.get('agents') ?? '').split('~').filter(Boolean).slice(0, MOST_AGENTS);
    const move = query.has('move') ? Number(query.get('move')) : NaN;
    if (agents.length === 0 && this.replays.length > 0) return this.tellAddress();
    this.agents = agents.length > 0 ? agents : ['best', 'single-point'];
    if (query.has('board')) this.rules = rulesFromQuery(query);
    this.seed = Number(seedFromQuery(query) ?? (agents.length > 0 && this.replays.length > 0 ? this.seed : freshSeed() % 100_000));
    this.first = query.get('at') ?? 'corner';
    if (formatRoute('watch', [], this.#query()) !== this.#dealt) this.deal();
    if (Number.isInteger(move) && move >= 0 && move !== this.step) {
      this.playing = false;
      this.step = move;
    }
    this.tellAddress();
  }

  async loadRoster(): Promise<void> {
    try {
      this.rosterFault = null;
      this.roster = await engine.agents();
    } catch (fault) {
      this.rosterFault = fault;
    }
  }

  /** Deals the board to all agents. */
  deal(): void {
    this.replays.forEach((replay) => replay.stop());
    this.replays = this.agents.map((agent) => this.#replay(agent));
    this.step = 0;
    this.playing = !matchMedia('(prefers-reduced-motion: reduce)').matches;
    this.tellAddress();
  }

  #replay(agent: string): Replay {
    return new Replay({ agent, rules: this.rules, seed: this.seed, game: 0, at: this.first });
  }

  dealAnother(): void {
    this.seed = freshSeed() % 100_000;
    this.deal();
  }

  /** Writes the address; while the games play, the move is written when they pause. */
  tellAddress(): void {
    this.#dealt = formatRoute('watch', [], this.#query());
    this.#told = this.address;
    settle(this.#told);
  }

  /** Another agent in a pane; the other games stay. */
  change(index: number, agent: string): void {
    this.replays[index]?.stop();
    this.agents = this.agents.with(index, agent);
    this.replays = this.replays.with(index, this.#replay(agent));
    this.tellAddress();
  }

  add(): void {
    const agent = this.roster.map(({ name }) => name).find((name) => !this.agents.includes(name)) ?? 'random';
    this.agents = [...this.agents, agent];
    this.replays = [...this.replays, this.#replay(agent)];
    this.tellAddress();
  }

  remove(index: number): void {
    this.replays[index]?.stop();
    this.agents = this.agents.filter((_, i) => i !== index);
    this.replays = this.replays.filter((_, i) => i !== index);
    this.tellAddress();
  }

  /** One move further while playing; stops at the end. */
  tick(): void {
    if (this.step < this.total) this.step += 1;
    else if (!this.live) this.pause();
  }

  go(step: number): void {
    this.step = Math.max(0, Math.min(this.total, step));
    this.pause();
  }

  pause(): void {
    this.playing = false;
    this.tellAddress();
  }

  toggle(): void {
    if (this.playing) return this.pause();
    if (this.step >= this.total && !this.live) this.step = 0;
    this.playing = true;
  }
}

export const session = new Session();
