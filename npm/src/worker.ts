//! The engine in a worker: takes messages of `EngineWorker` and answers them.

import { Engine, type EngineSource } from './engine.ts';
import { DeminerError } from './error.ts';
import type { Artifact, PlayRequest, RequestName, RequestOf, TournamentRequest } from './types.ts';

/** What the client asks for. */
export type Call =
  | { kind: 'load'; source?: EngineSource }
  | { kind: 'artifacts'; artifacts: Artifact[] }
  | { kind: 'answer'; name: RequestName; request: unknown }
  | { kind: 'play'; request: PlayRequest }
  | { kind: 'tournament'; request: TournamentRequest };

export interface Message {
  id: number;
  call: Call;
}

/** What comes back: parts of a long answer, and its end; answers of requests as JSON text, since text is copied faster than values. */
export type Reply =
  | { id: number; part: unknown }
  | { id: number; json: string }
  | { id: number; done: unknown }
  | { id: number; error: ReturnType<DeminerError['toJSON']> };

/** How long the worker plays before it tells, in milliseconds. */
const SLICE = 50;

let engine: Promise<Engine> | null = null;
let work: Promise<void> = Promise.resolve();

async function answer({ id, call }: Message, reply: (reply: Reply) => void): Promise<void> {
  try {
    if (call.kind === 'answer') reply({ id, json: (await loaded()).answerJson(call.name, call.request as RequestOf<RequestName>) });
    else reply({ id, done: await run(call, (part) => reply({ id, part })) });
  } catch (fault) {
    const error = fault instanceof DeminerError ? fault : new DeminerError('crashed', fault instanceof Error ? fault.message : String(fault));
    reply({ id, error: error.toJSON() });
  }
}

function loaded(): Promise<Engine> {
  return (engine ??= Engine.load());
}

async function run(call: Exclude<Call, { kind: 'answer' }>, part: (part: unknown) => void): Promise<unknown> {
  switch (call.kind) {
    case 'load':
      engine = Engine.load(call.source);
      await engine;
      return null;
    case 'artifacts':
      return (await loaded()).addArtifacts(...call.artifacts);
    case 'play':
      return play(await loaded(), call.request, part);
    case 'tournament':
      return tournament(await loaded(), call.request, part);
  }
}

/** Events go out together for a slice of time. */
function play(loaded: Engine, request: PlayRequest, part: (part: unknown) => void): null {
  const player = loaded.play(request);
  try {
    for (let more = true; more; ) {
      const events = [];
      const until = performance.now() + SLICE;
      do {
        const next = player.next();
        more = next.length > 0;
        events.push(...next);
      } while (more && performance.now() < until);
      if (events.length > 0) part(events);
    }
  } finally {
    player.free();
  }
  return null;
}

function tournament(loaded: Engine, request: TournamentRequest, part: (part: unknown) => void): unknown {
  const running = loaded.tournament(request);
  try {
    let slice = 1;
    for (;;) {
      const since = performance.now();
      running.play(slice);
      const took = performance.now() - since;
      slice = Math.max(1, Math.min(4 * slice, Math.round((slice * SLICE) / Math.max(took, 1))));
      const totals = running.totals();
      if (totals.complete) return totals;
      part(totals);
    }
  } finally {
    running.free();
  }
}

/** Browsers have a message port of their own; Node has one in a module. */
async function listen(): Promise<void> {
  if (typeof process === 'object' && process.versions?.node !== undefined) {
    const { parentPort } = await import('node:worker_threads');
    parentPort?.on('message', (message: Message) => take(message, (reply) => parentPort.postMessage(reply)));
  } else {
    globalThis.addEventListener('message', ({ data }: MessageEvent<Message>) => take(data, (reply) => globalThis.postMessage(reply)));
  }
}

/** One call after another. */
function take(message: Message, reply: (reply: Reply) => void): void {
  work = work.then(() => answer(message, reply));
}

await listen();
