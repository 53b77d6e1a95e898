//! The game in progress, kept for as long as the tab lives.

import type { GameRecord } from '../../game/record.ts';
import type { Place } from '../../game/shape.ts';
import type { Game } from './game.svelte.ts';

const NAME = 'deminer-game';

export interface KeptGame {
  /** The address at which it was played. */
  address: string;
  record: GameRecord;
  /** Milliseconds on the clock. */
  elapsed?: number;
  startAt?: Place | null;
  replayed?: boolean;
  id?: string;
}

export function keepGame(address: string, game: Game): void {
  const { elapsed, startAt, replayed, id } = game;
  const kept: KeptGame = { address, record: game.record('me'), elapsed, startAt: startAt === null ? null : game.board.shape.place(startAt), replayed, id };
  try {
    sessionStorage.setItem(NAME, JSON.stringify(kept));
  } catch {
    // Without storage a reload begins anew.
  }
}

/** The game in progress, or the one of an address. */
export function keptGame(address?: string): KeptGame | null {
  try {
    const kept = JSON.parse(sessionStorage.getItem(NAME) ?? 'null') as KeptGame | null;
    return kept && (address === undefined || kept.address === address) && kept.record.moves.length > 0 ? kept : null;
  } catch {
    return null;
  }
}
