//! Games as the page's worker plays them.

import { describe, expect, test } from 'vitest';
import { EXPLODED, FLAGGED, MINE } from '../../src/game/face.ts';
import { rowsOf } from '../../src/game/notation.ts';
import type { Action } from '../../src/game/board.ts';
import { PLAIN, type Rules } from '../../src/game/rules.ts';
import { Shape, type Form } from '../../src/game/shape.ts';
import { TestGame, filmOf, games } from '../core.ts';

const picture = (text: string) => text.trim().split('\n').map((row) => row.replaceAll(' ', ''));

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
    expect(games.call({ game: 9999, start: { record: game.record }, act: { do: 'look' } })!.board.faces).toEqual(game.board.faces);
    expect(games.call({ game: 9999, end: true })).toBeNull();
    expect(() => games.call({ game: 9999, act: { do: 'look' } })).toThrow();
  });

  test('that cannot be begun says why', () => {
    expect(() => new TestGame({ ...PLAIN, board: '999x999x1' })).toThrow(expect.objectContaining({ kind: 'too_large' }));
  });

  test('a film ends as its game does', () => {
    const game = new TestGame({ ...PLAIN, board: '8x5x9' });
    game.act('open', 0);
    game.act('open', game.mines[0]!);
    const film = filmOf(game.record);
    expect([film.changes.length, film.state, film.layout]).toEqual([2, 'lost', game.board.layout]);
  });
});
