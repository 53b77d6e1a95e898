//! Games in addresses and as films.

import { describe, expect, test } from 'vitest';
import { COVERED, EXPLODED, FLAGGED } from '../../src/game/face.ts';
import type { GameRecord } from '../../src/game/record.ts';
import { EXAMPLE } from '../../src/rooms/review/example.ts';
import { Film, LONG_PAUSE, lastBefore } from '../../src/rooms/review/film.ts';
import { clockText, isGuess, isKey, momentsOf, moveWords } from '../../src/rooms/review/moments.ts';
import { Mouse } from '../../src/rooms/review/mouse.ts';
import { gameId, keepTrace, packGame, reviewAddress, traceOf, unpackGame } from '../../src/state/games.ts';
import { parseRoute } from '../../src/state/url.ts';
import type { Review, ReviewMove } from '../../src/api/types.ts';
import type { Rules } from '../../src/game/rules.ts';
import { TestGame, filmOf } from '../core.ts';

const RULES: Rules = { board: '9x9x10', shape: 'rect', start: 'open', cascade: 'on', clues: 'exact' };

/** A game that opens every safe cell in order, half a second each, and flags one mine on the way. */
function won(rules: Rules = RULES): GameRecord {
  const game = new TestGame(rules);
  game.act('open', 40, 0);
  const mines = new Set(game.mines);
  game.act('flag', game.mines[0]!, 500);
  let at = 500;
  for (const cell of game.board.faces.keys()) if (!mines.has(cell) && game.board.faces[cell] === COVERED) game.act('open', cell, (at += 500));
  return game.record;
}

const film = (record: GameRecord) => new Film(record, filmOf(record));

describe('a game in an address', () => {
  test('comes back whole, but for the reasons of agents', async () => {
    const record = won();
    expect(await unpackGame(await packGame(record))).toEqual(record);
    const reasoned: GameRecord = { ...record, moves: record.moves.map((move) => ({ ...move, why: { kind: 'risk', risk: 0.5 } })) };
    expect((await unpackGame(await packGame(reasoned)))?.moves[3]).toEqual({ ...record.moves[3], why: { kind: 'nothing' } });
  });

  test('of an expert board is short enough for any link', async () => {
    const text = await reviewAddress(won({ ...RULES, board: '30x16x99' }), 7);
    expect(text.length).toBeLessThan(8000);
    expect(parseRoute(text).query.get('move')).toBe('7');
  });

  test('that is cut off or made up is no game', async () => {
    const packed = await packGame(won());
    for (const text of ['', 'x', '%', packed.slice(0, -20), packed.slice(5), await packGame({ ...won(), rules: null as unknown as Rules })]) expect(await unpackGame(text)).toBeNull();
  });

  test('too long for a link is kept here by its id, and packing it does not overflow', { timeout: 30_000 }, async () => {
    // Noise in the times cannot be compressed.
    const record = won({ ...RULES, board: '60x60x500' });
    const moves = Array.from({ length: 10 }, () => record.moves).flat().map((move, i) => ({ ...move, micros: (i * 7919 * 104729) % 1_000_003 }));
    expect((await packGame({ ...record, moves })).length).toBeGreaterThan(100_000);
    const address = await reviewAddress({ ...record, moves });
    expect(address).toBe(`#/review?local=${gameId({ ...record, moves })}`);
  });

  test('its mouse trace is found by the game, however it is opened', async () => {
    const record = won();
    const trace = { player: 'me', program: 'Arbiter', cell_size: 16, millis: 10, events: [[0, 'mv', 1, 2]] as [number, string, number, number][] };
    await keepTrace(record, trace);
    expect(await traceOf((await unpackGame(await packGame(record)))!)).toEqual(trace);
    expect(await traceOf({ ...record, moves: record.moves.slice(1) })).toBeNull();
  });

  test('the example of the Review room is one', async () => {
    const record = (await unpackGame(EXAMPLE))!;
    expect([record.rules.board, record.moves.length, filmOf(record).state]).toEqual(['30x16x99', 159, 'lost']);
  });
});

describe('film', () => {
  test('shows what the board shows, after every move', () => {
    const record = won({ ...RULES, board: '30x16x99' });
    const whole = film(record);
    const game = new TestGame(record.rules);
    const shape = game.board.shape;
    record.moves.forEach(({ action, cell }, number) => {
      if (number % 7 === 0) expect(whole.facesAfter(number)).toEqual(game.board.faces);
      game.act(action as 'open', shape.cell(cell!));
    });
    expect(whole.facesAfter(record.moves.length)).toEqual(game.board.faces);
  });

  test('counts moves that change nothing', () => {
    const record = won();
    const doubled: GameRecord = { ...record, moves: [record.moves[0]!, record.moves[0]!, ...record.moves.slice(1)] };
    expect(film(doubled).facesAfter(2)).toEqual(film(record).facesAfter(1));
    expect(film(doubled).length).toBe(record.moves.length + 1);
  });

  test('shows the mines after a loss only', async () => {
    const lost = film((await unpackGame(EXAMPLE))!);
    expect(lost.facesAfter(lost.length)).toContain(EXPLODED);
    expect(lost.facesAfter(lost.length - 1)).not.toContain(EXPLODED);
    expect(lost.isLive(lost.length - 1)).toBe(true);
    expect(lost.isLive(lost.length)).toBe(false);
  });

  test('runs at the recorded times, or evenly where an agent needed none', async () => {
    const record = won();
    const timed = film({ ...record, moves: record.moves.map((move, i) => ({ ...move, micros: i === 2 ? 9_000_000 : 500_000 })) });
    expect(timed.timed).toBe(true);
    expect(timed.schedule(false).slice(0, 5)).toEqual([0, 500, 1000, 10_000, 10_500]);
    expect(timed.schedule(true).slice(0, 5)).toEqual([0, 500, 1000, 1000 + LONG_PAUSE, 1500 + LONG_PAUSE]);
    const agent = film((await unpackGame(EXAMPLE))!);
    expect(agent.timed).toBe(false);
    expect(agent.schedule(true).slice(0, 3)).toEqual([0, 250, 500]);
  });

  test('without moves is a covered board', () => {
    expect(new Set(film({ ...won(), moves: [], outcome: 'undecided' }).facesAfter(0))).toEqual(new Set([COVERED]));
    expect(film(won()).facesAfter(2)).toContain(FLAGGED);
  });

  test('finds the last time that has come', () => {
    const times = [0, 0, 5, 5, 9];
    expect([-1, 0, 4, 5, 8, 9, 99].map((time) => lastBefore(times, time))).toEqual([0, 1, 1, 3, 3, 4, 4]);
  });
});

describe('mouse', () => {
  const mouse = new Mouse({ player: '', program: '', cell_size: 16, millis: null, events: [[0, 'mv', 0, 0], [100, 'mv', 160, 32], [100, 'lc', 160, 32], [140, 'lr', 160, 32], [200, 'mv', 160, 64]] });

  test('is between its events on the straight line, in cells', () => {
    expect(mouse.at(-5)).toEqual({ x: 0, y: 0, pressed: false });
    expect(mouse.at(50)).toEqual({ x: 5, y: 1, pressed: false });
    expect(mouse.at(120)).toEqual({ x: 10, y: 2, pressed: true });
    expect(mouse.at(900)).toEqual({ x: 10, y: 4, pressed: false });
  });

  test('leaves a trail', () => {
    expect(mouse.trail(50, 170).map(({ x, y }) => [x, y])).toEqual([[5, 1], [10, 2], [10, 2], [10, 2], [10, 3]]);
    expect(mouse.trail(50, 50)).toEqual([]);
  });
});

describe('moments', () => {
  const move = (number: number, rest: Partial<ReviewMove>): ReviewMove => ({ number, action: 'open', cell: [0, 0], risk: 0, safest: 0, best: null, win_before: 1, win_after: 1, cost: 0, verdict: 'proved', sentence: '', ...rest });
  const record: GameRecord = {
    ...won(), moves: won().moves.slice(0, 4),
    help: { undone: [{ at: 2, move: { by: 'agent', action: 'open', cell: [0, 5], why: { kind: 'nothing' } } }], hints: [{ at: 3, level: 2 }] },
  };
  const review = { moves: [move(1, { verdict: 'start', risk: 0.2, safest: 0.2 }), move(2, { verdict: 'good', risk: 0.3, safest: 0.3 }), move(3, { verdict: 'best', risk: 0.1 }), move(4, { verdict: 'blunder', risk: 1 })] } as unknown as Review;

  test('undone moves and hints stand where they happened', () => {
    expect(momentsOf(record, null).map(({ kind, move }) => `${kind} ${move}`)).toEqual(['move 1', 'move 2', 'undone 2', 'move 3', 'hint 3', 'move 4']);
    expect(momentsOf(record, null)[2]!.words).toBe('Open row 0, column 5');
  });

  test('a certain mine is no guess, a first click neither; guesses that were not needed matter', () => {
    const moments = momentsOf(record, review);
    expect(moments.filter(isGuess).map(({ move }) => move)).toEqual([2, 3]);
    expect(moments.filter(isKey).map(({ kind, move }) => `${kind} ${move}`)).toEqual(['undone 2', 'move 3', 'hint 3', 'move 4']);
  });

  test('words', () => {
    expect(moveWords({ action: 'unflag', cell: [3, 4] })).toBe('Remove the flag at row 3, column 4');
    expect(moveWords({ action: 'decline' })).toBe('Stopped');
    expect([clockText(0), clockText(59_940), clockText(61_250)]).toEqual(['0.0 s', '59.9 s', '1:01.3']);
  });
});
