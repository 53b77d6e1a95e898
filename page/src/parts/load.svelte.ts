//! Something that is asked for: waiting, there, or at fault.

import { isAbort } from '../api/fault.ts';

export class Loading<T> {
  value: T | null = $state.raw(null);
  fault: unknown = $state(null);
  busy = $state(false);
  #abort: AbortController | null = null;
  #ask: ((signal: AbortSignal) => Promise<T>) | null = null;

  /** Asks; an earlier question that is still open is dropped. */
  async load(ask: (signal: AbortSignal) => Promise<T>): Promise<void> {
    this.#abort?.abort();
    const abort = (this.#abort = new AbortController());
    this.#ask = ask;
    this.busy = true;
    this.fault = null;
    try {
      const value = await ask(abort.signal);
      if (!abort.signal.aborted) this.value = value;
    } catch (fault) {
      if (!isAbort(fault) && !abort.signal.aborted) this.fault = fault;
    } finally {
      if (this.#abort === abort) this.busy = false;
    }
  }

  retry = (): void => {
    if (this.#ask) void this.load(this.#ask);
  };

  stop(): void {
    this.#abort?.abort();
  }
}
