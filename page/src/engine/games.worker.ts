//! The worker of the games: it is sent the compiled engine first, then calls.

import { DeminerError, Engine } from '../../../npm/src/index.ts';
import { Games, type GameCall, type Turn } from './games.ts';

export type ToGames = { module: WebAssembly.Module } | { id: number; call: GameCall };
export type FromGames = { id: number; turn: Turn | null } | { id: number; fault: ReturnType<DeminerError['toJSON']> };

let games: Promise<Games> | null = null;

addEventListener('message', async ({ data }: MessageEvent<ToGames>) => {
  if ('module' in data) {
    games = Engine.load(data.module).then((engine) => new Games(engine));
    return;
  }
  const { id, call } = data;
  try {
    postMessage({ id, turn: (await games!).call(call) } satisfies FromGames);
  } catch (fault) {
    const error = fault instanceof DeminerError ? fault : new DeminerError('crashed', fault instanceof Error ? fault.message : String(fault));
    postMessage({ id, fault: error.toJSON() } satisfies FromGames);
  }
});
