//! The game in progress, kept for as long as the tab lives.

import type { Board } from '../../game/board.ts';
import { boardOf, recordOf, type GameRecord } from '../../game/record.ts';

const NAME = 'deminer-game';

export function keepGame(address: string, board: Board): void {
  try {
    sessionStorage.setItem(NAME, JSON.stringify({ address, record: recordOf(board, 'me') }));
  } catch {
    // Without storage a reload begins anew.
  }
}

/** The game that was played at this address. */
export function keptGame(address: string): Board | null {
  try {
    const kept = JSON.parse(sessionStorage.getItem(NAME) ?? 'null') as { address: string; record: GameRecord } | null;
    return kept && kept.address === address && kept.record.moves.length > 0 ? boardOf(kept.record) : null;
  } catch {
    return null;
  }
}
