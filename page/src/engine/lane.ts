//! One worker with the engine, asked one question at a time. A question that is no longer wanted is
//! dropped; if it is being answered and takes long, its worker is replaced.

import { ApiError } from '../api/fault.ts';
import type { Answer, Ask, CallName, EngineFault, FromWorker, Question, Report, ToWorker } from './protocol.ts';

/** Where a worker comes from; tests give another. */
export type StartWorker = () => Promise<Worker>;

interface Waiting {
  question: Question;
  resolve: (answer: unknown) => void;
  reject: (fault: unknown) => void;
  report?: ((report: never) => void) | undefined;
  signal?: AbortSignal | undefined;
  dropped?: boolean;
}

const TITLES: Record<string, string> = {
  malformed: 'This cannot be read', invalid: 'This is not valid', conflict: 'This contradicts itself', too_large: 'This is too large',
  stopped: 'A limit was reached', fault: 'The engine failed',
};

export function engineError({ kind, detail, at }: EngineFault): ApiError {
  return new ApiError(TITLES[kind] ?? 'The engine refused', detail, kind === 'fault' ? 500 : 422, at);
}

export class Lane {
  readonly #start: StartWorker;
  /** Milliseconds that an unwanted question may still take before its worker is replaced. */
  readonly #grace: number;
  #worker: Promise<Worker> | null = null;
  #current: Waiting | null = null;
  readonly #queue: Waiting[] = [];

  constructor(start: StartWorker, grace = 250) {
    this.#start = start;
    this.#grace = grace;
  }

  ask<Name extends CallName>(name: Name, ask: Ask<Name>, signal?: AbortSignal, report?: (report: Report<Name>) => void): Promise<Answer<Name>> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(abortError());
      const waiting: Waiting = { question: { name, ask } as Question, resolve: resolve as (answer: unknown) => void, reject, report: report as Waiting['report'], signal };
      signal?.addEventListener('abort', () => this.#drop(waiting), { once: true });
      this.#queue.push(waiting);
      void this.#next();
    });
  }

  /** Ends the worker; the lane starts another when it is asked again. */
  close(): void {
    void this.#worker?.then((worker) => worker.terminate());
    this.#worker = null;
  }

  async #next(): Promise<void> {
    if (this.#current) return;
    const waiting = this.#queue.shift();
    if (!waiting) return;
    this.#current = waiting;
    try {
      const worker = await (this.#worker ??= this.#begin());
      if (this.#current === waiting) worker.postMessage({ question: waiting.question } satisfies ToWorker);
    } catch (fault) {
      this.#worker = null;
      this.#finish(waiting, () => waiting.reject(fault));
    }
  }

  async #begin(): Promise<Worker> {
    const worker = await this.#start();
    worker.addEventListener('message', ({ data }: MessageEvent<FromWorker>) => this.#heard(data));
    worker.addEventListener('error', (event) => {
      event.preventDefault();
      this.#heard({ fault: { kind: 'fault', detail: event.message || 'The worker of the engine could not be started.', broken: true } });
    });
    return worker;
  }

  #heard(message: FromWorker): void {
    const waiting = this.#current;
    if (!waiting) return;
    if ('report' in message) {
      if (!waiting.dropped) waiting.report?.(message.report as never);
    } else if ('answer' in message) this.#finish(waiting, () => waiting.resolve(message.answer));
    else {
      if (message.fault.broken) this.close();
      this.#finish(waiting, () => waiting.reject(engineError(message.fault)));
    }
  }

  #finish(waiting: Waiting, tell: () => void): void {
    if (this.#current === waiting) this.#current = null;
    if (!waiting.dropped) tell();
    void this.#next();
  }

  #drop(waiting: Waiting): void {
    if (waiting.dropped) return;
    waiting.reject(abortError());
    waiting.dropped = true;
    const place = this.#queue.indexOf(waiting);
    if (place >= 0) this.#queue.splice(place, 1);
    else if (this.#current === waiting) setTimeout(() => this.#replace(waiting), this.#grace);
  }

  /** The answer is not wanted and still not there: another worker goes on with what waits. */
  #replace(waiting: Waiting): void {
    if (this.#current !== waiting) return;
    this.close();
    this.#current = null;
    void this.#next();
  }
}

function abortError(): DOMException {
  return new DOMException('No longer wanted.', 'AbortError');
}
