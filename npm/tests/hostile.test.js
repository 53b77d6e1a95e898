//! Hostile inputs throw typed errors and leave the engine usable.

import assert from 'node:assert/strict';
import test from 'node:test';
import { DeminerError, Engine } from '../dist/npm/src/index.js';
import { engine, paths } from './engine.js';

const refused = (call, kinds = ['invalid', 'malformed', 'too_large', 'conflict']) =>
  assert.throws(call, (thrown) => thrown instanceof DeminerError && kinds.includes(thrown.kind));

const STRANGE = [undefined, null, NaN, Infinity, -1, 1e300, 0.5, '', 'x', '#'.repeat(1e5), [], [[]], {}, true, 2n ** 70n, new Date(0), () => 1, Symbol('s'), new Map(), new Uint8Array(3)];

test('values of wrong types are refused', () => {
  for (const value of STRANGE) {
    refused(() => engine.analyze(value));
    refused(() => engine.analyze({ rows: value, mines: 1 }));
    refused(() => engine.analyze({ rows: ['##'], mines: value }));
    refused(() => engine.hint({ rows: ['##'], mines: 1, level: value }));
    refused(() => engine.review(value));
    refused(() => engine.board({ rules: value }));
    refused(() => engine.board({ rules: { board: value } }));
    refused(() => engine.game({ rules: value, layout: value }));
    refused(() => engine.play({ agent: value, rules: { board: '8x8x10' } }));
    refused(() => engine.tournament({ agents: value, rules: { board: '8x8x10' }, games: 10 }));
    refused(() => engine.tournament({ agents: ['best'], rules: { board: '8x8x10' }, games: value }));
    refused(() => engine.answer(value, {}));
  }
});

test('a circle is refused', () => {
  const circle = {};
  circle.rows = circle;
  refused(() => engine.analyze(circle));
});

test('huge boards are refused', () => {
  refused(() => engine.board({ rules: { board: '60000x60000x1' } }));
  refused(() => engine.analyze({ rows: Array(1000).fill('#'.repeat(1000)), mines: 5 }));
  refused(() => engine.game({ rules: { board: '1000x1000x5' } }));
});

test('a contradictory position is an answer, and a typed error where there is none', () => {
  assert.equal(engine.analyze({ rows: ['13#', '###'], mines: 2 }).consistent, false);
  refused(() => engine.hint({ rows: ['13#', '###'], mines: 2, level: 1 }), ['conflict']);
});

test('wrong bytes as artifacts are refused when the agent plays', async () => {
  const other = await Engine.load();
  refused(() => other.addArtifacts({ path: 'passwords/x', bytes: new Uint8Array(3) }));
  refused(() => other.addArtifacts({ path: 'trees/lowest-risk.tree', bytes: 'text' }));
  const noise = Uint8Array.from({ length: 5000 }, (_, at) => (at * 7919) % 256);
  for (const path of paths) other.addArtifacts({ path, bytes: noise });
  for (const agent of ['tree:lowest-risk', 'mio:paper', 'quartetti', 'cnn-5x5', 'mlp-full', 'q-table', 'sla-small']) {
    refused(() => other.play({ agent, rules: { board: '8x8x10' }, seed: 1 }));
  }
});

test('games refuse strange actions and cells', () => {
  const game = engine.game({ rules: { board: '8x8x10' }, seed: 1 });
  refused(() => game.act('explode', 3));
  for (const cell of [-1, 64, 1e9, NaN, 0.5, Infinity, undefined, null, {}, 'x']) {
    if (cell !== null) assert.equal(game.act('open', cell), null);
    assert.equal(game.legal('open', cell === null ? -1 : cell), false);
  }
  assert.ok(game.act('open', 0, NaN));
  game.free();
  refused(() => game.faces());
});

test('random requests never crash the engine', () => {
  let state = 12345;
  const random = (below) => (state = (state * 48271) % 2147483647) % below;
  const value = (depth) => {
    switch (random(depth > 2 ? 5 : 8)) {
      case 0: return random(200) - 50;
      case 1: return ['#', '##', '#1#', 'F?*', 'best', 'torus', '8x8x10'][random(7)];
      case 2: return null;
      case 3: return random(2) === 0;
      case 4: return random(1000) / 7;
      case 5: return Array.from({ length: random(4) }, () => value(depth + 1));
      default: return object(depth + 1);
    }
  };
  const KEYS = ['rows', 'mines', 'rules', 'board', 'level', 'record', 'moves', 'agent', 'seed', 'text', 'base64', 'to', 'why', 'shape', 'layout'];
  const object = (depth) => Object.fromEntries(Array.from({ length: random(5) }, () => [KEYS[random(KEYS.length)], value(depth)]));
  for (let round = 0; round < 3000; round += 1) {
    const name = ['analyze', 'board', 'decide', 'film', 'hint', 'measure', 'read', 'review', 'write'][random(9)];
    try {
      engine.answer(name, object(0));
    } catch (thrown) {
      assert.ok(thrown instanceof DeminerError && thrown.kind !== 'crashed', `${name}: ${thrown}`);
    }
  }
});
