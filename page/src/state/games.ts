//! Games in addresses: `#/review?game=…` holds the whole game, so that the link is all one needs.
//! A game too long for that is kept in this browser, and the address holds its id: `local=…`.

import type { GameRecord } from '../game/record.ts';
import { parseSize } from '../game/rules.ts';
import type { MouseReplay } from '../api/types.ts';
import { storedGame, storeGame } from './store.ts';
import { formatRoute } from './url.ts';

/** The longest game in an address, in letters: some servers, chats and browsers cut longer links. */
const LONGEST = 8000;

/** A game as letters for an address: its record, without the reasons of agents, compressed. */
export async function packGame(record: GameRecord): Promise<string> {
  const moves = record.moves.map((move) => (move.by === 'start' ? move : { ...move, why: { kind: 'nothing' } }));
  const bytes = await piped(new TextEncoder().encode(JSON.stringify({ ...record, moves })), new CompressionStream('deflate-raw'));
  const letters = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
  return btoa(letters).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

/** Reads what `packGame` wrote; null if the letters hold no game. */
export async function unpackGame(text: string): Promise<GameRecord | null> {
  try {
    const letters = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
    const bytes = await piped(Uint8Array.from(letters, (letter) => letter.charCodeAt(0)), new DecompressionStream('deflate-raw'));
    const record = JSON.parse(new TextDecoder().decode(bytes)) as GameRecord;
    return isGame(record) ? record : null;
  } catch {
    return null;
  }
}

/** Whether this looks like a record; the engine finds what else is wrong with it. */
function isGame({ kind, moves, player, rules }: GameRecord): boolean {
  return kind === 'record' && Array.isArray(moves) && typeof player === 'string' && parseSize(rules.board) !== null;
}

/** Where the Review room shows a game, at one of its moves. */
export async function reviewAddress(record: GameRecord, move?: number): Promise<string> {
  const game = await packGame(record);
  if (game.length <= LONGEST) return formatRoute('review', [], { game, move });
  await storeGame(gameId(record), { record });
  return formatRoute('review', [], { local: gameId(record), move });
}

/** A short name for a game: a hash of its board and moves. */
export function gameId({ rules, seed, game, layout, moves }: GameRecord): string {
  const text = JSON.stringify([rules, layout ?? [seed, game], moves.map(({ action, cell, micros }) => [action, cell, micros])]);
  return hash(text);
}

/** Remembers that a game was opened, for the list of recent games. */
export async function rememberGame(record: GameRecord): Promise<void> {
  await storeGame(gameId(record), { record });
}

/** Keeps what the mouse did in a game. */
export async function keepTrace(record: GameRecord, trace: MouseReplay): Promise<void> {
  await storeGame(gameId(record), { record, trace });
}

export async function traceOf(record: GameRecord): Promise<MouseReplay | null> {
  return (await storedGame(gameId(record)))?.trace ?? null;
}

/** A hash with 64 bits, as two numbers (cyrb53): no protection, but two games hardly meet by chance. */
function hash(text: string): string {
  let [a, b] = [0xdeadbeef, 0x41c6ce57];
  for (let i = 0; i < text.length; i += 1) {
    a = Math.imul(a ^ text.charCodeAt(i), 2654435761);
    b = Math.imul(b ^ text.charCodeAt(i), 1597334677);
  }
  const mixed = (x: number, y: number) => (Math.imul(x ^ (x >>> 16), 2246822507) ^ Math.imul(y ^ (y >>> 13), 3266489909)) >>> 0;
  return [mixed(a, b), mixed(b, a)].map((part) => part.toString(36).padStart(7, '0')).join('');
}

async function piped(bytes: Uint8Array<ArrayBuffer>, through: CompressionStream | DecompressionStream): Promise<Uint8Array> {
  return new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(through)).arrayBuffer());
}
