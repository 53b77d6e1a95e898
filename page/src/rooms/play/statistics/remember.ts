//! Puts finished games into the history, and asks the engine for what only it can measure.

import { engine } from '../../../api/engine.ts';
import type { GameRecord } from '../../../game/record.ts';
import { packGame, unpackGame } from '../../../state/games.ts';
import { bestBefore } from './figures.ts';
import { isUnaided, withMeasures, type FinishedGame } from './finished.ts';
import { history } from './history.ts';

export interface Remembered {
  /** The best time before this game, at its level and rules. */
  bestBefore: number | null;
  /** Whether this game beats it, without help. */
  isBest: boolean;
}

/** Keeps a finished game with its moves. */
export async function remember(game: FinishedGame, record: GameRecord): Promise<Remembered> {
  const best = bestBefore(await history.games(), game);
  await history.keep(game, await packGame(record));
  return { bestBefore: best, isBest: isUnaided(game) && game.outcome === 'won' && (best === null || game.millis < best) };
}

/** Measures games that were kept before the engine could, newest first. */
export async function measureLater(games: readonly FinishedGame[], on: (game: FinishedGame) => void, signal: AbortSignal): Promise<void> {
  for (const game of games.filter(({ zini }) => zini === undefined).reverse()) {
    const packed = await history.moves(game.id);
    const record = packed ? await unpackGame(packed) : null;
    if (signal.aborted) return;
    if (!record) continue;
    const measures = await engine.measure(record, signal).catch(() => null);
    if (!measures) continue;
    const measured = withMeasures(game, measures);
    await history.keep(measured);
    on(measured);
  }
}
