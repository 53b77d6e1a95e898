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

export function keepGame(address: string, { elapsed, startAt, replayed, id, recorded, board }: Game): void {
  const about: Omit<KeptGame, 'record'> = { address, elapsed, startAt: startAt === null ? null : board.shape.place(startAt), replayed, id };
  try {
    if (recorded) sessionStorage.setItem(NAME, `{"record":${recorded},${JSON.stringify(about).slice(1)}`);
    else sessionStorage.removeItem(NAME);
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
