//! The Play room without a browser: help in records, hints in words, links, statistics.

import { describe, expect, test } from 'vitest';
import type { Hint } from '../../src/api/types.ts';
import { freshBoard } from '../../src/game/board.ts';
import { helpWords } from '../../src/game/help.ts';
import { PLAIN } from '../../src/game/rules.ts';
import { readAddress } from '../../src/rooms/play/address.ts';
import { hintLines } from '../../src/rooms/play/hints.ts';
import { ruleWords } from '../../src/rooms/play/rule-words.ts';
import { flaggedWords, openedWords } from '../../src/rooms/play/words.ts';
import { bestBefore, figuresOf, groupsOf, rollingWinRate } from '../../src/rooms/play/statistics/figures.ts';
import { efficiencyOf, speedOf, ziniEfficiencyOf, type FinishedGame } from '../../src/rooms/play/statistics/finished.ts';
import { ImportError, csvOf, readStatistics, statisticsFile } from '../../src/rooms/play/statistics/transfer.ts';
import { unpackGame, packGame } from '../../src/state/games.ts';
import { TestGame } from '../core.ts';

const begun = (): TestGame => {
  const game = new TestGame(PLAIN);
  game.act('open', 40, 5);
  return game;
};

describe('help', () => {
  test('four steps of one hint are one hint', () => {
    const game = begun();
    for (const level of [1, 2, 3, 4] as const) game.do({ do: 'hint', level });
    game.act('flag', 0);
    game.do({ do: 'hint', level: 1 });
    game.do({ do: 'hint', level: 1 });
    expect(game.record.help!.hints).toEqual([{ at: 1, level: 4 }, { at: 2, level: 1 }]);
    expect(game.turn.helped.hints).toBe(2);
  });

  test('what was undone can be told again: the line before each undo', () => {
    // Played: a b c, undo c, undo b, d e, undo e, f.
    const game = begun();
    const covered = [...game.board.faces.keys()].filter((cell) => game.board.faces[cell] === 9);
    const lines: string[] = [];
    const cells = () => game.record.moves.map(({ cell }) => game.board.shape.cell(cell!)).join();
    const flag = (...numbers: number[]) => numbers.forEach((number) => game.act('flag', covered[number]!));
    const undo = () => {
      lines.push(cells());
      game.undo();
    };
    flag(0, 1);
    undo();
    undo();
    flag(2, 3);
    undo();
    flag(4);
    const { record } = game;
    expect(record.help!.undone!.map(({ at }) => at)).toEqual([2, 1, 2]);
    let line = record.moves;
    const before = [...record.help!.undone!].reverse().map(({ at, move }) => (line = [...line.slice(0, at), move]));
    expect(before.reverse().map((moves) => moves.map(({ cell }) => game.board.shape.cell(cell!)).join())).toEqual(lines);
  });

  test('is part of the record, survives packing, and is left out where there was none', async () => {
    const game = begun();
    expect(game.record).not.toHaveProperty('help');
    game.do({ do: 'odds' });
    expect((await unpackGame(await packGame(game.record)))!.help).toEqual({ odds: true });
  });

  test('is told in words', () => {
    expect(helpWords({ undone: 2, hints: 1, odds: true })).toBe('1 hint, 2 moves undone, odds shown');
    expect(helpWords({ undone: 0, hints: 0, odds: false })).toBe('');
  });
});

describe('hints', () => {
  const hint = (more: Partial<Hint> & { reasons?: string[] }) => ({ level: 4, safe_exists: true, cell: [2, 3] as [number, number], ...more });

  test('say a little more at each step', () => {
    expect([1, 2, 3].map((level) => hintLines({ level: level as 1, hint: hint({}) }).at(-1))).toEqual([
      'Yes, there is a safe move.', 'Look at the tinted cells.', 'Open row 2, column 3.',
    ]);
    expect(hintLines({ level: 3, hint: hint({ safe_exists: false, safety: 0.844 }) }).at(-1)).toBe('The best guess is row 2, column 3: 84.4\u202f% safe.');
  });

  test('give each reason once, on a line of its own', () => {
    const said = hintLines({ level: 4, hint: hint({ why: 'open row 2, column 3. The clue 1 at row 1, column 2 has its mine. The clue 1 at row 1, column 2 has its mine' }) });
    expect(said).toEqual(['Yes, there is a safe move.', 'Open row 2, column 3.', 'The clue 1 at row 1, column 2 has its mine.']);
    const reasons = ['No cell is certainly safe.', 'Row 2, column 3 is 84.4 % safe.', 'It settles a 50/50.', 'It settles a 50/50.'];
    expect(hintLines({ level: 4, hint: hint({ safe_exists: false, safety: 0.844, why: 'x', reasons }) })).toEqual([
      'No cell is certainly safe.', 'You have to guess.', 'The best guess is row 2, column 3.', 'Row 2, column 3 is 84.4 % safe.', 'It settles a 50/50.',
    ]);
    const older = hintLines({ level: 4, hint: hint({ safe_exists: false, why: 'no cell is certainly safe; this cell has a 25.0 % chance of being a mine' }) });
    expect(older.slice(2)).toEqual(['The best guess is row 2, column 3.', 'This cell has a 25.0 % chance of being a mine.']);
  });
});

describe('words', () => {
  test('an opened cell is told by what it shows', () => {
    const game = begun();
    const number = [...game.board.faces.keys()].find((cell) => game.board.faces[cell] === 9 && !game.mines.includes(cell))!;
    const before = game.board.faces;
    game.act('open', number);
    const [row, column] = game.board.shape.place(number);
    const shown = game.board.faces[number]!;
    if (shown > 0) expect(openedWords(game.board, before)).toBe(`Row ${row}, column ${column}: ${shown}.`);
    expect(openedWords(game.board, freshBoard(PLAIN).faces)).toMatch(/^Opened \d+ cells\.$/);
    game.act('flag', game.mines[0]!);
    expect(flaggedWords(game.board, game.mines[0]!)).toBe('Flag placed. 9 mines left.');
  });

  test('rules in force are told where they differ', () => {
    expect(ruleWords(PLAIN, { noGuess: false, difficulty: '' })).toEqual([]);
    expect(ruleWords({ ...PLAIN, shape: 'torus', clues: 'blind:0.07', cascade: 'off' }, { noGuess: true, difficulty: 'hard' })).toEqual([
      'Torus', '7 % of clues hidden', 'A zero reveals only itself', 'No-guess', 'Logic difficulty: hard',
    ]);
  });
});

describe('links', () => {
  test('say what is wrong and what is allowed', () => {
    expect(readAddress(new URLSearchParams('board=999x999x1')).faults).toEqual([expect.stringContaining('from 1 to 100')]);
    expect(readAddress(new URLSearchParams('first=9,0')).faults).toEqual([expect.stringContaining('Rows go from 0 to 8')]);
    expect(readAddress(new URLSearchParams('first=x&difficulty=none')).faults).toHaveLength(2);
    expect(readAddress(new URLSearchParams('board=30x16x99&seed=5&first=7,15&noguess=1'))).toMatchObject({ faults: [], seed: 5n, first: [7, 15], wishes: { noGuess: true } });
  });
});

let clock = Date.UTC(2026, 0, 1);
function game(outcome: 'won' | 'lost', seconds: number, more: Partial<FinishedGame> = {}): FinishedGame {
  clock += 60_000;
  const finished = new Date(clock).toISOString();
  return {
    id: `${finished}-a`, finished, rules: PLAIN, wishes: { noGuess: false, difficulty: '' }, outcome, millis: seconds * 1000,
    threeBv: 20, solved: outcome === 'won' ? 20 : 10, clicks: 25, undone: 0, hints: 0, odds: false, replayed: false, ...more,
  };
}

describe('statistics', () => {
  test('count games without help; those with help set no record', () => {
    const games = [
      game('won', 30), game('won', 20), game('lost', 5), game('won', 25),
      game('won', 1, { undone: 1 }), game('won', 2, { odds: true }), game('won', 3, { hints: 1 }), game('lost', 4, { replayed: true }),
    ];
    expect(figuresOf(games)).toMatchObject({ games: 4, wins: 3, winRate: 0.75, streak: 1, bestStreak: 2, bestTime: 20_000, meanTime: 25_000, bestSpeed: 1, helped: 4, helpedWins: 3 });
    expect(figuresOf([])).toMatchObject({ games: 0, winRate: null, streak: 0, bestStreak: 0, bestTime: null });
    expect(bestBefore(games, games[1]!)).toBe(25_000);
  });

  test('figures of a game are those that players compare', () => {
    const won = game('won', 10, { zini: 15 });
    expect([speedOf(won), efficiencyOf(won), ziniEfficiencyOf(won)]).toEqual([2, 0.8, 0.6]);
    expect(ziniEfficiencyOf(game('won', 10))).toBeNull();
    expect(ziniEfficiencyOf(game('lost', 10, { zini: 15 }))).toBeNull();
    expect(speedOf(game('won', 0))).toBeNull();
  });

  test('group by level and rules, in the order of levels and of time', () => {
    const expert = { ...PLAIN, board: '30x16x99' };
    const games = [game('won', 1, { rules: { ...PLAIN, board: '8x5x9' } }), game('lost', 9, { rules: expert }), game('won', 8, { rules: { ...expert, shape: 'torus' } }), game('won', 2), game('won', 3, { wishes: { noGuess: true, difficulty: '' } })];
    expect(groupsOf([...games].reverse()).map(({ name }) => name)).toEqual(['Beginner', 'Beginner · No-guess', 'Expert', 'Expert · Torus', '8×5, 9 mines']);
    const two = [game('won', 1), game('lost', 2)];
    expect(groupsOf([...two].reverse())[0]!.games).toEqual(two);
  });

  test('a streak is the longest run of wins, counted by hand', () => {
    for (let seed = 0; seed < 60; seed += 1) {
      const outcomes = Array.from({ length: 12 }, (_, i) => ((seed * 7919 + i * i * 31 + i * seed) % 3 === 0 ? 'lost' : 'won') as 'won' | 'lost');
      const runs = outcomes.map((outcome) => (outcome === 'won' ? 'w' : 'l')).join('').split('l').map((run) => run.length);
      const figures = figuresOf(outcomes.map((outcome) => game(outcome, 1)));
      expect([figures.bestStreak, figures.streak]).toEqual([Math.max(...runs), runs.at(-1)]);
    }
  });

  test('the win rate of the last games follows each game', () => {
    expect(rollingWinRate([game('won', 1), game('lost', 1), game('won', 1, { hints: 1 }), game('lost', 1)], 2)).toEqual([1, 0.5, 0]);
  });

  test('go through a file and come back the same', () => {
    const games = [game('won', 30, { zini: 12 }), { ...game('lost', 2), record: 'abc-_9' }];
    expect(readStatistics(statisticsFile(games))).toEqual(games);
    const lines = csvOf(games).trim().split('\n');
    expect(lines).toHaveLength(3);
    expect(lines[0]).toMatch(/^finished,board,.*,zini,zini_efficiency,/);
    expect(lines[1]!.split(',')).toHaveLength(lines[0]!.split(',').length);
    expect(lines[1]).toContain(',won,30,20,20,0.6667,25,0.8,12,0.48,');
  });

  test('a bad file is refused with the reason', () => {
    const fault = (text: string) => {
      try {
        readStatistics(text);
      } catch (error) {
        expect(error).toBeInstanceOf(ImportError);
        return (error as Error).message;
      }
      return '';
    };
    const file = (change: object) => statisticsFile([game('won', 1), { ...game('won', 2), ...change }]);
    expect(fault('mines 3')).toContain('not JSON');
    expect(fault('{"kind":"record"}')).toContain('holds no statistics');
    expect(fault('null')).toContain('holds no statistics');
    expect(fault(JSON.stringify({ kind: 'statistics', schema_version: 2, games: [] }))).toContain('version 2');
    expect(fault(file({ outcome: 'draw' }))).toBe('Game 2 of this file: `outcome` must be `won` or `lost`.');
    expect(fault(file({ millis: -1 }))).toContain('`millis`');
    expect(fault(file({ rules: { ...PLAIN, board: '999x999x1' } }))).toContain('`rules`');
    expect(fault(file({ rules: null }))).toContain('`rules`');
    expect(fault(file({ id: '<b>' }))).toContain('`id`');
    expect(fault(JSON.stringify({ kind: 'statistics', schema_version: 1, games: [7] }))).toContain('not an object');
  });
});
