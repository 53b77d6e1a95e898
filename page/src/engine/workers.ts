//! The workers of the page. The engine is compiled once, and all workers share it.

import { DeminerError, EngineWorker } from '../../../npm/src/index.ts';
import wasm from '../../../npm/wasm/engine_bg.wasm?url';
import { ApiError } from '../api/fault.ts';
import type { GameCall, Turn } from './games.ts';
import type { FromGames, ToGames } from './games.worker.ts';

/** Milliseconds that an answer may still take when it is no longer wanted, before its worker is replaced. */
const GRACE = 250;

let module: Promise<WebAssembly.Module> | null = null;

function compiled(): Promise<WebAssembly.Module> {
  module ??= fetched().catch((fault: unknown) => {
    module = null;
    throw new ApiError('The engine could not be loaded', `Check your connection and try again. (${fault instanceof Error ? fault.message : String(fault)})`, 0);
  });
  return module;
}

async function fetched(): Promise<WebAssembly.Module> {
  const answer = await fetch(wasm);
  if (!answer.ok) throw new Error(`${wasm}: ${answer.status}`);
  // Compiled while it loads, and Chromium keeps the fast code for the next visit. Hosts that give
  // the file no type of its own cannot have that.
  const typed = answer.headers.get('Content-Type') === 'application/wasm';
  return typed ? WebAssembly.compileStreaming(answer) : WebAssembly.compile(await answer.arrayBuffer());
}

/** Starts a worker for requests. */
export async function startEngine(): Promise<EngineWorker> {
  return new EngineWorker({
    source: await compiled(),
    worker: () => new Worker(new URL('../../../npm/src/worker.ts', import.meta.url), { type: 'module' }),
  });
}

const TITLES: Record<string, string> = {
  malformed: 'This cannot be read', invalid: 'This is not valid', conflict: 'This contradicts itself', too_large: 'This is too large', stopped: 'A limit was reached',
};

/** A fault of the engine as the page shows it. */
export function engineFault(fault: unknown): unknown {
  if (!(fault instanceof DeminerError)) return fault;
  const { kind, detail, at } = fault;
  return new ApiError(TITLES[kind] ?? 'The engine failed', detail, kind in TITLES ? 422 : 500, at);
}

/**
 * One worker that answers one request after another. An unwanted request is rejected at once;
 * its worker is replaced only if the answer does not come soon.
 */
export class Lane {
  #engine: Promise<EngineWorker> | null = null;
  readonly #start: () => Promise<EngineWorker>;
  readonly #grace: number;

  constructor(start = startEngine, grace = GRACE) {
    this.#start = start;
    this.#grace = grace;
  }

  async ask<T>(ask: (engine: EngineWorker, signal: AbortSignal) => Promise<T>, signal?: AbortSignal): Promise<T> {
    signal?.throwIfAborted();
    const late = new AbortController();
    const dropped = new Promise<never>((_, reject) => {
      signal?.addEventListener('abort', () => {
        reject(signal.reason);
        setTimeout(() => late.abort(), this.#grace);
      });
    });
    this.#engine ??= this.#start();
    this.#engine.catch(() => (this.#engine = null));
    const answer = this.#engine.then((engine) => ask(engine, late.signal)).catch((fault: unknown) => {
      throw engineFault(fault);
    });
    return Promise.race([answer, dropped]);
  }
}

/** The worker of the games. It is never waited for: every call takes microseconds. */
export class GamesWorker {
  #worker: Promise<Worker> | null = null;
  readonly #waiting = new Map<number, { resolve: (turn: Turn | null) => void; reject: (fault: unknown) => void }>();
  #asked = 0;

  async call(call: GameCall): Promise<Turn | null> {
    this.#worker ??= this.#begin().catch((fault: unknown) => {
      this.#worker = null;
      throw fault;
    });
    const worker = await this.#worker;
    const id = (this.#asked += 1);
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      worker.postMessage({ id, call } satisfies ToGames);
    });
  }

  async #begin(): Promise<Worker> {
    const engine = await compiled();
    const worker = new Worker(new URL('./games.worker.ts', import.meta.url), { type: 'module' });
    worker.postMessage({ module: engine } satisfies ToGames);
    worker.addEventListener('message', ({ data }: MessageEvent<FromGames>) => {
      const waiting = this.#waiting.get(data.id)!;
      this.#waiting.delete(data.id);
      if ('turn' in data) waiting.resolve(data.turn);
      else waiting.reject(engineFault(DeminerError.of(data.fault)));
    });
    worker.addEventListener('error', (event) => {
      event.preventDefault();
      this.#worker = null;
      for (const { reject } of this.#waiting.values()) reject(new ApiError('The engine failed', event.message, 500));
      this.#waiting.clear();
    });
    return worker;
  }
}
