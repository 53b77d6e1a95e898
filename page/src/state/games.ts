//! Finished games in addresses: `#/review?game=…` holds the whole game, so that a link is enough.

import type { GameRecord } from '../game/record.ts';
import { formatRoute } from './url.ts';

/** A game as letters for an address: its record, without the reasons of agents, compressed. */
export async function packGame(record: GameRecord): Promise<string> {
  const moves = record.moves.map((move) => (move.by === 'start' ? move : { ...move, why: { kind: 'nothing' } }));
  const bytes = await piped(new TextEncoder().encode(JSON.stringify({ ...record, moves })), new CompressionStream('deflate-raw'));
  return btoa(String.fromCharCode(...bytes)).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

/** Reads what `packGame` wrote; null if the letters hold no game. */
export async function unpackGame(text: string): Promise<GameRecord | null> {
  try {
    const letters = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
    const bytes = await piped(Uint8Array.from(letters, (letter) => letter.charCodeAt(0)), new DecompressionStream('deflate-raw'));
    const record = JSON.parse(new TextDecoder().decode(bytes)) as GameRecord;
    return record.kind === 'record' && Array.isArray(record.moves) ? record : null;
  } catch {
    return null;
  }
}

/** Where the Review room shows a game. */
export async function reviewAddress(record: GameRecord, move?: number): Promise<string> {
  return formatRoute('review', [], { game: await packGame(record), move });
}

async function piped(bytes: Uint8Array<ArrayBuffer>, through: CompressionStream | DecompressionStream): Promise<Uint8Array> {
  return new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(through)).arrayBuffer());
}
