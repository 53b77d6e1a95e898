//! The engine as the page's workers run it.

import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { Decision, TournamentSlice } from '../../src/api/types.ts';
import { faultOf } from '../../src/engine/core.ts';
import { EXPLODED, FLAGGED, MINE } from '../../src/game/face.ts';
import { rowsOf } from '../../src/game/notation.ts';
import type { Action } from '../../src/game/board.ts';
import { PLAIN, type Rules } from '../../src/game/rules.ts';
import { Shape, type Form } from '../../src/game/shape.ts';
import { TestGame, core, filmOf } from '../core.ts';

const picture = (text: string) => text.trim().split('\n').map((row) => row.replaceAll(' ', ''));
const silent = () => undefined;

/** Acts on a layout and compares what is seen. Steps are a verb with row and column. */
function check(form: Form, layout: string, steps: [Action, number, number][], view: string): TestGame {
  const rows = picture(layout);
  const shape = new Shape(form, rows[0]!.length, rows.length);
  const mines = rows.join('').split('*').length - 1;
  const rules: Rules = { ...PLAIN, shape: form, board: `${shape.width}x${shape.height}x${mines}`, start: 'unsafe' };
  const game = new TestGame(rules, { layout: rows });
  for (const [action, row, column] of steps) game.act(action, shape.cell([row, column]));
  expect(rowsOf(shape, game.board.faces)).toEqual(picture(view));
  return game;
}

describe('a game in the engine', () => {
  test('is what its actions make of it, on every shape', () => {
    check('rect', '. . . *\n. . . .\n. . . *', [['open', 2, 0]], '. . 1 #\n. . 2 #\n. . 1 #');
    check('hex', '. . . *\n. . . .\n. . . .', [['open', 2, 0]], '. . 1 F\n. . 1 1\n. . . .');
    const torus = check('torus', '* . . . .\n. . . . .\n. . . . .\n. . . . .\n. . . . .', [['open', 2, 2]], 'F 1 . . 1\n1 1 . . 1\n. . . . .\n. . . . .\n1 1 . . 1');
    expect(torus.board.state).toBe('won');
  });

  test('a chord needs its flags, and a wrong one loses', () => {
    const layout = '* . .\n. . .\n. . *';
    const before = check('rect', layout, [['open', 0, 1], ['chord', 0, 1]], '# 1 #\n# # #\n# # #');
    expect([before.board.moves, before.board.chords]).toEqual([1, []]);
    const ready = check('rect', layout, [['open', 0, 1], ['flag', 0, 0]], 'F 1 #\n# # #\n# # #');
    expect(ready.board.chords).toEqual([1]);
    expect(check('rect', layout, [['open', 0, 1], ['flag', 0, 0], ['chord', 0, 1]], 'F 1 .\n1 2 1\n# # #').board.state).toBe('live');
    const lost = check('rect', layout, [['open', 0, 1], ['flag', 0, 2], ['chord', 0, 1]], '* 1 *\n# # #\n# # *');
    expect(lost.board.state).toBe('lost');
  });

  test('a lost game can be undone, with the same mines', () => {
    const game = new TestGame({ ...PLAIN, board: '8x5x9' });
    game.act('open', 0);
    const { layout } = game.board;
    game.act('open', game.mines[0]!);
    expect(game.board.state).toBe('lost');
    expect(game.board.faces.filter((face) => face === EXPLODED || face === MINE)).toHaveLength(9);
    expect(game.undo()).toBe(true);
    expect([game.board.state, game.board.layout, game.turn.helped.undone]).toEqual(['live', layout, 1]);
  });

  test('a won game has a flag on every mine', () => {
    const game = check('rect', '* . .\n. . .', [['flag', 0, 0], ['open', 0, 0], ['open', 0, 2], ['open', 1, 0]], 'F 1 .\n1 1 .');
    expect([game.board.state, game.board.faces[0]]).toEqual(['won', FLAGGED]);
    expect(game.act('open', 0)).toBe(false);
  });

  test('is recorded with its times and the help that was taken', () => {
    const game = new TestGame({ ...PLAIN, board: '8x5x9' });
    game.act('open', 0, 10);
    game.act('flag', game.mines[0]!, 250.5);
    game.do({ do: 'hint', level: 1 });
    expect(game.do({ do: 'odds' })).toMatchObject({ changed: false, helped: { hints: 1, odds: true, undone: 0 } });
    const { record } = game;
    expect(record).toMatchObject({ schema_version: 1, kind: 'record', seed: 3, outcome: 'undecided', help: { odds: true } });
    expect(record.moves.map(({ by, micros }) => [by, micros])).toEqual([['start', 10_000], ['agent', 240_500]]);
  });

  test('goes on from its record', () => {
    const game = new TestGame(PLAIN);
    game.act('open', 40, 5);
    core.call('begin', { game: 9999, start: { record: game.record } }, silent);
    expect(core.call('turn', { game: 9999, act: { do: 'look' } }, silent).board.faces).toEqual(game.board.faces);
    core.call('end', { game: 9999 }, silent);
    expect(() => core.call('turn', { game: 9999, act: { do: 'look' } }, silent)).toThrow();
  });
});

describe('other calls', () => {
  test('a film ends as its game does', () => {
    const game = new TestGame({ ...PLAIN, board: '8x5x9' });
    game.act('open', 0);
    game.act('open', game.mines[0]!);
    const film = filmOf(game.record);
    expect([film.changes.length, film.state, film.layout]).toEqual([2, 'lost', game.board.layout]);
  });

  test('the whole board is shown open', () => {
    const faces = core.call('solution', { rules: { ...PLAIN, board: '4x3x2' }, layout: ['*...', '....', '...*'] }, silent);
    expect(rowsOf(new Shape('rect', 4, 3), faces)).toEqual(['*1..', '1111', '..1*']);
  });

  test('an agent decides move by move, and its record comes last', () => {
    const decisions: Decision[] = [];
    const end = core.call('play', { body: { agent: 'best', rules: PLAIN, seed: 3, game: 0, at: 'corner' }, artifacts: [] }, (more) => decisions.push(...more));
    expect(decisions.map(({ number }) => number)).toEqual(decisions.map((_, i) => decisions[0]!.number + i));
    expect(end.record.moves).toHaveLength(decisions.length);
  });

  test('a learned agent plays with its file', () => {
    const path = 'trees/lowest-risk-depth-8.tree';
    const tree = new Uint8Array(readFileSync(new URL(`../../../artifacts/${path}`, import.meta.url)));
    const body = { agent: 'tree:lowest-risk-depth-8', rules: PLAIN, seed: 3, game: 0, at: 'corner' };
    expect(core.call('play', { body, artifacts: [[path, tree]] }, silent).record.moves.length).toBeGreaterThan(1);
    const walk = core.call('walk', { tree: [path, tree], rows: ['#####', '#1###', '#####', '#####', '#####'] }, silent);
    expect(walk.path.length).toBeGreaterThan(1);
  });

  test('a tournament comes in slices, each with intervals', () => {
    const slices: TournamentSlice[] = [];
    const last = core.call('tournament', { body: { agents: ['best', 'random'], rules: { ...PLAIN, start: 'safe' }, games: 200, seed: 1, at: 'corner' }, artifacts: [] }, (slice) => slices.push(slice));
    expect(slices.length).toBeGreaterThan(0);
    expect(last).toMatchObject({ played: 200, games: 200, complete: true });
    for (const { rate, low, high } of last.agents) expect(low <= rate && rate <= high).toBe(true);
    expect(last.paired).toHaveLength(1);
  });

  test('a file is read and written', () => {
    const text = 'mines 1\n# 1\n1 1\n';
    expect(core.call('read', { bytes: new TextEncoder().encode(text) }, silent).position?.rows).toEqual(['#1', '11']);
    expect(new TextDecoder().decode(core.call('write', { text, to: 'mine' }, silent))).toContain('2x2x1');
  });

  test('faults say what is wrong and where', () => {
    const fault = (run: () => unknown) => {
      try {
        run();
      } catch (thrown) {
        return faultOf(thrown);
      }
      return null;
    };
    expect(fault(() => core.call('analyze', { rows: ['#1', '#'], mines: 1 }, silent))).toMatchObject({ kind: 'invalid', at: expect.stringContaining('rows') });
    expect(fault(() => new TestGame({ ...PLAIN, board: '999x999x1' }))).toMatchObject({ kind: 'too_large' });
    expect(faultOf(new Error('unreachable'))).toEqual({ kind: 'fault', detail: 'unreachable', broken: true });
  });
});
