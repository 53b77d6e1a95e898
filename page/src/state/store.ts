//! Games that were opened in this browser, with their mouse traces, in IndexedDB. Where the browser
//! has no storage, as in some private windows, they last as long as the page.

import type { MouseReplay } from '../api/types.ts';
import type { GameRecord } from '../game/record.ts';

export interface StoredGame {
  id: string;
  record: GameRecord;
  trace?: MouseReplay;
  /** When it was opened last, in milliseconds since 1970. */
  opened: number;
}

/** The oldest games beyond this number are dropped. */
const MOST = 40;
const STORE = 'games';
const memory = new Map<string, StoredGame>();
let database: Promise<IDBDatabase | null> | null = null;

/** Stores a game, or marks it as opened again; a trace that is known stays. */
export async function storeGame(id: string, game: Pick<StoredGame, 'record' | 'trace'>): Promise<void> {
  const known = await storedGame(id);
  const trace = game.trace ?? known?.trace;
  // Plain data: what the page watches for changes cannot be stored.
  const stored = JSON.parse(JSON.stringify({ id, record: game.record, ...(trace ? { trace } : {}), opened: Date.now() })) as StoredGame;
  memory.set(id, stored);
  await write((games) => games.put(stored));
  const old = (await storedGames()).slice(MOST);
  for (const { id: oldest } of old) await removeGame(oldest);
}

export async function storedGame(id: string): Promise<StoredGame | null> {
  return (await read<StoredGame | undefined>((games) => games.get(id))) ?? memory.get(id) ?? null;
}

/** All games, the last opened first. */
export async function storedGames(): Promise<StoredGame[]> {
  const games = (await read<StoredGame[]>((store) => store.getAll())) ?? [...memory.values()];
  return games.sort((a, b) => b.opened - a.opened);
}

export async function removeGame(id: string): Promise<void> {
  memory.delete(id);
  await write((games) => games.delete(id));
}

async function read<T>(ask: (games: IDBObjectStore) => IDBRequest): Promise<T | null> {
  return (await requested('readonly', ask)) as T | null;
}

async function write(change: (games: IDBObjectStore) => IDBRequest): Promise<void> {
  await requested('readwrite', change);
}

/** The answer to a request; null where there is no storage or it fails. */
async function requested(mode: IDBTransactionMode, ask: (games: IDBObjectStore) => IDBRequest): Promise<unknown> {
  const base = await (database ??= openDatabase());
  if (!base) return null;
  return new Promise((resolve) => {
    const request = ask(base.transaction(STORE, mode).objectStore(STORE));
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => resolve(null);
  });
}

function openDatabase(): Promise<IDBDatabase | null> {
  return new Promise((resolve) => {
    if (typeof indexedDB === 'undefined') return resolve(null);
    const request = indexedDB.open('deminer-games', 1);
    request.onupgradeneeded = () => request.result.createObjectStore(STORE, { keyPath: 'id' });
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => resolve(null);
  });
}
