//! A small tournament in this browser. It outlives the room: coming back finds it where it is.

import { engine } from '../../api/engine.ts';
import { isAbort } from '../../api/fault.ts';
import type { TournamentSlice } from '../../api/types.ts';
import type { Rules } from '../../game/rules.ts';

export class SmallTournament {
  chosen = $state<string[]>(['best', 'single-point']);
  rules = $state.raw<Rules>({ board: '9x9x10', shape: 'rect', start: 'safe', cascade: 'on', clues: 'exact' });
  games = $state<number | null>(1000);
  seed = $state<number | null>(1);
  slice: TournamentSlice | null = $state.raw(null);
  running = $state(false);
  /** Games of each agent in a second, while it runs. */
  pace = $state(0);
  fault: unknown = $state(null);
  #abort: AbortController | null = null;

  async start(): Promise<void> {
    this.stop();
    const abort = (this.#abort = new AbortController());
    const began = performance.now();
    [this.running, this.fault, this.slice, this.pace] = [true, null, null, 0];
    try {
      const request = { agents: [...this.chosen], rules: this.rules, games: this.games ?? 0, seed: this.seed ?? 1, at: 'corner' };
      await engine.tournament(request, (slice) => {
        this.slice = slice;
        this.pace = slice.played / ((performance.now() - began) / 1000);
      }, abort.signal);
    } catch (fault) {
      if (!isAbort(fault)) this.fault = fault;
    } finally {
      if (this.#abort === abort) this.running = false;
    }
  }

  /** Ends it; what was played stays on the page. */
  stop(): void {
    this.#abort?.abort();
  }
}

export const tournament = new SmallTournament();
