//! The conformance set and the corpus.

import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import test from 'node:test';
import { DeminerError } from '../dist/npm/src/index.js';
import { artifact, assertAlike, cases, corpus, engine, file, paths } from './engine.js';

for (const name of ['positions', 'errors', 'formats']) {
  test(`${name} are answered as natively`, () => {
    for (const { name: about, request, body, answer, error } of cases(name)) {
      if (error) {
        assert.throws(() => engine.answer(request, body), (thrown) => {
          assert.ok(thrown instanceof DeminerError, `${about}: ${thrown}`);
          assertAlike(thrown.toJSON(), error, about);
          return true;
        });
      } else {
        const found = engine.answer(request, body);
        if (request === 'decide') found.micros = 0;
        assertAlike(found, answer, about);
      }
    }
  });
}

test('agents play as natively, learned ones too', () => {
  const loaded = new Set();
  for (const { name, play, outcome, moves } of cases('games')) {
    for (const path of engine.artifactsOf(play.agent, paths)) {
      if (!loaded.has(path)) engine.addArtifacts(artifact(path));
      loaded.add(path);
    }
    const found = [];
    let ended = null;
    for (const { event, data } of engine.play(play)) {
      if (event === 'decision') found.push([data.action, data.cell]);
      else if (event === 'end') ended = data.outcome;
    }
    assert.deepEqual(found, moves, name);
    assert.equal(ended, outcome, name);
  }
});

// `cargo xtask test wasm` writes the native answers: a line for each position.
const native = file('target/corpus.jsonl');
test('the corpus has the native odds', { skip: existsSync(native) ? false : 'target/corpus.jsonl is missing' }, () => {
  const expected = readFileSync(native, 'utf8').trim().split('\n').map((line) => JSON.parse(line));
  const positions = corpus();
  assert.equal(positions.length, expected.length);
  let largest = 0;
  for (const [number, { name, mines, rows }] of positions.entries()) {
    const { mine_probability: odds } = engine.analyze({ rows, mines, budget: 200_000_000 });
    const right = expected[number];
    assert.equal(right.name, name);
    right.mine_probability.forEach((row, r) => row.forEach((chance, c) => {
      if (chance === null) return assert.equal(odds[r][c], null, name);
      largest = Math.max(largest, Math.abs(odds[r][c] - chance));
    }));
  }
  assert.ok(largest <= 1e-12, `the largest difference is ${largest}`);
  console.log(`corpus: ${positions.length} positions, largest difference ${largest}`);
});
