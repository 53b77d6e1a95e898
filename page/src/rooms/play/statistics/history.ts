//! The history of finished games in the browser's own database. Nothing of it is sent anywhere.
//!
//! Figures of games and their moves are kept apart: figures are small and read all at once, moves
//! are needed one game at a time. Both are bounded, the oldest go first.

import type { FinishedGame } from './finished.ts';
import type { Exported } from './transfer.ts';

/** The most games whose figures are kept. */
export const MOST_GAMES = 20_000;
/** The most games whose moves are kept too: about 4 kB each. */
export const MOST_MOVES = 2_000;

const DATABASE = 'deminer-statistics';
type StoreName = 'games' | 'moves';

let opened: Promise<IDBDatabase> | null = null;

function database(): Promise<IDBDatabase> {
  opened ??= new Promise<IDBDatabase>((resolve, reject) => {
    const request = indexedDB.open(DATABASE, 1);
    request.onupgradeneeded = () => {
      request.result.createObjectStore('games', { keyPath: 'id' });
      request.result.createObjectStore('moves');
    };
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(new Error('This browser does not let the page store games, so there are no statistics.'));
  });
  opened.catch(() => (opened = null));
  return opened;
}

/** Does something in one transaction, and waits until it is written. */
async function transact<T>(mode: IDBTransactionMode, act: (games: IDBObjectStore, moves: IDBObjectStore) => Promise<T>): Promise<T> {
  const transaction = (await database()).transaction(['games', 'moves'] satisfies StoreName[], mode);
  const done = new Promise<void>((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    transaction.onabort = () => reject(transaction.error ?? new Error('The games could not be stored.'));
  });
  const [result] = await Promise.all([act(transaction.objectStore('games'), transaction.objectStore('moves')), done]);
  return result;
}

function answer<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error('The games could not be read.'));
  });
}

/** Deletes the oldest entries of a store beyond `most`; keys are in the order of time. */
async function trim(store: IDBObjectStore, most: number): Promise<void> {
  const surplus = (await answer(store.count())) - most;
  if (surplus <= 0) return;
  const oldest = await answer(store.getAllKeys(null, surplus));
  await answer(store.delete(IDBKeyRange.upperBound(oldest.at(-1)!)));
}

export const history = {
  /** All games, oldest first. */
  games: (): Promise<FinishedGame[]> => transact('readonly', (games) => answer(games.getAll() as IDBRequest<FinishedGame[]>)),

  /** The moves of a game as `packGame` wrote them, where they are still kept. */
  moves: (id: string): Promise<string | undefined> => transact('readonly', (_, moves) => answer(moves.get(id) as IDBRequest<string | undefined>)),

  /** Which games still have their moves. */
  withMoves: (): Promise<Set<string>> => transact('readonly', async (_, moves) => new Set((await answer(moves.getAllKeys())) as string[])),

  /** Keeps a game, or what is now known of it. */
  keep: (game: FinishedGame, packed?: string): Promise<void> =>
    transact('readwrite', async (games, moves) => {
      await answer(games.put(game));
      if (packed) await answer(moves.put(packed, game.id));
      await trim(games, MOST_GAMES);
      await trim(moves, MOST_MOVES);
    }),

  /** Adds games that are not here yet, and returns their number. */
  merge: (more: readonly Exported[]): Promise<number> =>
    transact('readwrite', async (games, moves) => {
      const here = new Set((await answer(games.getAllKeys())) as string[]);
      const added = [...new Map(more.map((game) => [game.id, game])).values()].filter(({ id }) => !here.has(id));
      for (const { record, ...game } of added) {
        games.put(game);
        if (record) moves.put(record, game.id);
      }
      await trim(games, MOST_GAMES);
      await trim(moves, MOST_MOVES);
      return added.length;
    }),

  /** All games with their moves. */
  exported: (): Promise<Exported[]> =>
    transact('readonly', async (games, moves) => {
      const [all, keys, packed] = await Promise.all([
        answer(games.getAll() as IDBRequest<FinishedGame[]>), answer(moves.getAllKeys()), answer(moves.getAll() as IDBRequest<string[]>),
      ]);
      const records = new Map(keys.map((key, i) => [key as string, packed[i]!]));
      return all.map((game) => (records.has(game.id) ? { ...game, record: records.get(game.id)! } : game));
    }),

  remove: (id: string): Promise<void> =>
    transact('readwrite', async (games, moves) => {
      await Promise.all([answer(games.delete(id)), answer(moves.delete(id))]);
    }),

  clear: (): Promise<void> =>
    transact('readwrite', async (games, moves) => {
      await Promise.all([answer(games.clear()), answer(moves.clear())]);
    }),
};
