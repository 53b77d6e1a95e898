//! The engine in a worker, so that the page goes on while it thinks.

import { DeminerError } from './error.ts';
import type { AnswerOf, Artifact, DealtBoard, GameRecord, PlayEvent, PlayRequest, RequestName, RequestOf, Totals, TournamentRequest } from './types.ts';
import type { Call, Message, Reply } from './worker.ts';

/** What a worker has to do; the Worker of browsers and that of Node both can be made into one. */
interface Thread {
  post(message: Message): void;
  /** Nothing is left to do: in Node the worker no longer keeps the program alive. */
  rest(): void;
  terminate(): void;
}

export interface WorkerOptions {
  /** Where the WebAssembly file is; beside the package unless given. */
  source?: string | URL | BufferSource | WebAssembly.Module;
  /** Makes the worker, for bundlers that must see the address: `() => new Worker(new URL('deminer/worker', import.meta.url), { type: 'module' })`. */
  worker?: () => Worker;
}

interface Waiting {
  part?: (part: unknown) => void;
  done(value: unknown): void;
  failed(fault: unknown): void;
}

/**
 * Answers requests in a worker.
 *
 * An `AbortSignal` cancels: a call that waits is dropped, and the one at work ends with its worker;
 * a fresh worker answers the rest. The same happens after a crash.
 *
 * ```ts
 * const engine = new EngineWorker();
 * const analysis = await engine.analyze(position, signal);
 * ```
 */
export class EngineWorker {
  readonly #options: WorkerOptions;
  readonly #artifacts = new Map<string, Uint8Array>();
  /** Calls in the order in which they were made; the first one is at work. */
  readonly #calls = new Map<number, { call: Call; waiting: Waiting }>();
  #thread: Promise<Thread> | null = null;
  #sent = new Set<number>();
  #next = 1;

  constructor(options: WorkerOptions = {}) {
    this.#options = options;
  }

  /** Starts the worker now rather than with the first call. */
  async load(signal?: AbortSignal): Promise<void> {
    await this.#ask({ kind: 'answer', name: 'formats', request: {} }, signal);
  }

  /** Gives learned agents their artifacts. */
  async addArtifacts(...artifacts: Artifact[]): Promise<void> {
    await this.#ask({ kind: 'artifacts', artifacts });
    for (const { path, bytes } of artifacts) this.#artifacts.set(path, bytes);
  }

  /** Answers the request of this name. */
  answer<Name extends RequestName>(name: Name, request: RequestOf<Name>, signal?: AbortSignal): Promise<AnswerOf<Name>> {
    return this.#ask({ kind: 'answer', name, request }, signal) as Promise<AnswerOf<Name>>;
  }

  async agents(signal?: AbortSignal): Promise<AnswerOf<'agents'>['agents']> {
    return (await this.answer('agents', {}, signal)).agents;
  }

  analyze(request: RequestOf<'analyze'>, signal?: AbortSignal): Promise<AnswerOf<'analyze'>> {
    return this.answer('analyze', request, signal);
  }

  async artifactsOf(agent: string, paths: string[], signal?: AbortSignal): Promise<string[]> {
    return (await this.answer('artifacts', { agent, paths }, signal)).paths;
  }

  board(request: RequestOf<'board'>, signal?: AbortSignal): Promise<DealtBoard> {
    return this.answer('board', request, signal);
  }

  decide(request: RequestOf<'decide'>, signal?: AbortSignal): Promise<AnswerOf<'decide'>> {
    return this.answer('decide', request, signal);
  }

  film(record: GameRecord, signal?: AbortSignal): Promise<AnswerOf<'film'>> {
    return this.answer('film', { record }, signal);
  }

  hint(request: RequestOf<'hint'>, signal?: AbortSignal): Promise<AnswerOf<'hint'>> {
    return this.answer('hint', request, signal);
  }

  measure(record: GameRecord, signal?: AbortSignal): Promise<AnswerOf<'measure'>> {
    return this.answer('measure', { record }, signal);
  }

  review(record: GameRecord, signal?: AbortSignal): Promise<AnswerOf<'review'>> {
    return this.answer('review', { record }, signal);
  }

  /** Plays a whole game of an agent; events come a few at a time. */
  async play(request: PlayRequest, on: (events: PlayEvent[]) => void, signal?: AbortSignal): Promise<void> {
    await this.#ask({ kind: 'play', request }, signal, on as (part: unknown) => void);
  }

  /** Plays a tournament; `on` gets the totals some times a second. */
  tournament(request: TournamentRequest, on?: (totals: Totals) => void, signal?: AbortSignal): Promise<Totals> {
    return this.#ask({ kind: 'tournament', request }, signal, on as (part: unknown) => void) as Promise<Totals>;
  }

  /** Ends the worker. Calls that wait fail; a later call starts a new worker. */
  terminate(): void {
    this.#end();
    for (const { waiting } of this.#calls.values()) waiting.failed(aborted());
    this.#calls.clear();
  }

  #ask(call: Call, signal?: AbortSignal, part?: (part: unknown) => void): Promise<unknown> {
    if (signal?.aborted) return Promise.reject(aborted(signal));
    const id = this.#next++;
    return new Promise((done, failed) => {
      const cancel = () => this.#cancel(id, aborted(signal));
      const settled = <Value>(settle: (value: Value) => void) => (value: Value) => {
        signal?.removeEventListener('abort', cancel);
        settle(value);
      };
      const waiting: Waiting = { done: settled(done), failed: settled(failed), ...(part ? { part } : {}) };
      signal?.addEventListener('abort', cancel);
      this.#calls.set(id, { call, waiting });
      void this.#send();
    });
  }

  /** Posts what was not posted yet; one call is at work at a time, so that others can be dropped. */
  async #send(): Promise<void> {
    if (this.#sent.size > 0) return;
    const first = this.#calls.entries().next();
    if (first.done) return;
    const [id, { call }] = first.value;
    this.#sent.add(id);
    try {
      const thread = await (this.#thread ??= this.#start());
      if (this.#sent.has(id)) thread.post({ id, call });
    } catch (fault) {
      this.#thread = null;
      this.#settle(id, (waiting) => waiting.failed(fault));
    }
  }

  #take(reply: Reply): void {
    const known = this.#calls.get(reply.id);
    if (!known) return;
    if ('part' in reply) known.waiting.part?.(reply.part);
    else if ('json' in reply) this.#settle(reply.id, (waiting) => waiting.done(JSON.parse(reply.json)));
    else if ('done' in reply) this.#settle(reply.id, (waiting) => waiting.done(reply.done));
    else this.#settle(reply.id, (waiting) => waiting.failed(DeminerError.of(reply.error)));
  }

  #settle(id: number, settle: (waiting: Waiting) => void): void {
    const known = this.#calls.get(id);
    this.#calls.delete(id);
    this.#sent.delete(id);
    if (known) settle(known.waiting);
    if (this.#calls.size === 0) void this.#thread?.then((thread) => thread.rest(), () => {});
    void this.#send();
  }

  #cancel(id: number, fault: unknown): void {
    // Only its worker's end stops a call at work.
    if (this.#sent.has(id)) this.#end();
    this.#settle(id, (waiting) => waiting.failed(fault));
  }

  #end(): void {
    void this.#thread?.then((thread) => thread.terminate(), () => {});
    this.#thread = null;
    this.#sent.clear();
  }

  async #start(): Promise<Thread> {
    const thread = await spawn(this.#options, (reply) => this.#take(reply), (detail) => this.#crashed(detail));
    const { source } = this.#options;
    if (source !== undefined) thread.post({ id: 0, call: { kind: 'load', source: source instanceof URL ? source.href : source } });
    if (this.#artifacts.size > 0) {
      const artifacts = Array.from(this.#artifacts, ([path, bytes]) => ({ path, bytes }));
      thread.post({ id: 0, call: { kind: 'artifacts', artifacts } });
    }
    return thread;
  }

  /** The worker is gone: what was at work fails, the rest goes to a new one. */
  #crashed(detail: string): void {
    const [id] = this.#sent;
    this.#end();
    if (id !== undefined) this.#settle(id, (waiting) => waiting.failed(new DeminerError('crashed', detail)));
  }
}

async function spawn(options: WorkerOptions, take: (reply: Reply) => void, crashed: (detail: string) => void): Promise<Thread> {
  if (options.worker || typeof Worker !== 'undefined') {
    const worker = options.worker?.() ?? new Worker(new URL(/* @vite-ignore */ './worker.js', import.meta.url), { type: 'module' });
    worker.onmessage = ({ data }: MessageEvent<Reply>) => take(data);
    worker.onerror = (event) => crashed(event.message || 'the worker could not be started');
    return { post: (message) => worker.postMessage(message), rest: () => {}, terminate: () => worker.terminate() };
  }
  const { Worker: NodeWorker } = await import('node:worker_threads');
  const worker = new NodeWorker(new URL(/* @vite-ignore */ './worker.js', import.meta.url));
  worker.on('message', take);
  worker.on('error', (fault) => crashed(fault.message));
  return {
    post(message) {
      worker.ref();
      worker.postMessage(message);
    },
    rest: () => worker.unref(),
    terminate: () => void worker.terminate(),
  };
}

function aborted(signal?: AbortSignal): unknown {
  return signal?.reason ?? new DOMException('The call was cancelled.', 'AbortError');
}
