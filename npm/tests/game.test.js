//! A person's game.

import assert from 'node:assert/strict';
import test from 'node:test';
import { engine } from './engine.js';

const rules = { board: '9x9x10', shape: 'rect', start: 'open', cascade: 'on', clues: 'exact' };

test('a game is played, undone, recorded and continued', () => {
  const game = engine.game({ rules, seed: 4 });
  assert.deepEqual([game.width, game.height, game.state, game.minesLeft, game.layout()], [9, 9, 'fresh', 10, null]);
  const changed = game.act('open', 40, 1200);
  assert.ok(changed.length > 8 && changed.includes(40));
  assert.equal(game.state, 'live');
  const layout = game.layout().join('');
  const mine = layout.indexOf('*');
  assert.ok(game.act('flag', mine, 2000));
  assert.deepEqual([game.flags, game.minesLeft, game.faces()[mine]], [1, 9, 10]);
  assert.ok(game.undo());
  game.act('open', mine, 3000);
  assert.equal(game.state, 'lost');
  assert.deepEqual([game.faces()[mine], game.seen()[mine]], [13, 12]);
  assert.equal(game.act('open', 0), null);
  assert.ok(game.undo());
  game.tookHint(2);
  game.sawOdds();
  for (const [cell, symbol] of [...layout].entries()) if (symbol === '.') game.act('open', cell, 4000);
  assert.deepEqual([game.state, game.minesLeft, game.over], ['won', 0, true]);
  assert.deepEqual(game.help, { undone: 2, hints: 1, odds: true });
  const record = game.record('me');
  assert.equal(engine.game({ record }).state, 'won');
  assert.equal(engine.review(record).practice, true);
  assert.equal(engine.measure(record).three_bv, engine.film(record).three_bv);
  const film = engine.film(record);
  assert.equal(film.changes.length, record.moves.length);
  const faces = new Uint8Array(81).fill(9);
  for (const changes of film.changes) for (const [cell, face] of changes) faces[cell] = face;
  assert.deepEqual(faces, game.faces());
});

test('chords are found and made', () => {
  const game = engine.game({ rules: { ...rules, board: '4x3x1', start: 'unsafe' }, layout: ['*...', '....', '....'] });
  game.act('open', 5);
  game.act('flag', 0);
  assert.deepEqual([...game.chordable()], [5]);
  assert.ok(game.act('chord', 5).length > 0);
  assert.equal(game.state, 'won');
});

test('a dealt board is the board of a game', () => {
  const dealt = engine.board({ rules, seed: 12, no_guess: true, first: [4, 4] });
  const game = engine.game({ rules: dealt.rules, layout: dealt.rows });
  game.act('open', 40);
  assert.deepEqual(game.layout(), dealt.rows);
  assert.equal(engine.game({ record: game.record('me') }).opened, game.opened);
  game.restart();
  assert.deepEqual([game.state, game.moves], ['fresh', 0]);
});

test('a tournament in slices is one tournament', () => {
  const request = { agents: ['best', 'single-point'], rules: { board: '8x8x10' }, games: 60, seed: 3 };
  const whole = engine.tournament(request);
  whole.play(60);
  const sliced = engine.tournament(request);
  while (!sliced.totals().complete) sliced.play(7);
  const plain = ({ agents, paired }) => [agents.map(({ cpu_seconds, games_per_cpu_second, ...rest }) => rest), paired];
  assert.deepEqual(plain(sliced.totals()), plain(whole.totals()));
  const [best, single] = whole.totals().agents;
  assert.ok(best.rate > single.rate && best.low < best.rate && best.rate < best.high);
  assert.equal(whole.totals().paired[0].only_second + best.won >= single.won, true);
});
