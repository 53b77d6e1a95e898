//! The engine in a worker.

import assert from 'node:assert/strict';
import test from 'node:test';
import { DeminerError, EngineWorker } from '../dist/npm/src/index.js';
import { artifact, engine } from './engine.js';

const position = { rows: ['####', '#12#', '####'], mines: 3 };
const expert = { board: 'expert', start: 'safe' };

test('answers are those of the engine on this thread', async () => {
  const worker = new EngineWorker();
  assert.deepEqual(await worker.analyze(position), engine.analyze(position));
  await assert.rejects(worker.analyze({ rows: ['x'], mines: 1 }), (thrown) => thrown instanceof DeminerError && thrown.at === 'rows[0][0]');
  worker.terminate();
});

test('a game comes event by event', async () => {
  const worker = new EngineWorker();
  const events = [];
  await worker.play({ agent: 'best', rules: expert, seed: 4 }, (more) => events.push(...more));
  assert.deepEqual([events[0].event, events.at(-1).event, events.at(-1).data.outcome], ['begin', 'end', 'won']);
  worker.terminate();
});

test('a call at work is cancelled, and others are answered', async () => {
  const worker = new EngineWorker();
  await worker.addArtifacts(artifact('trees/lowest-risk-depth-8.tree'));
  const abort = new AbortController();
  let parts = 0;
  const endless = worker.tournament({ agents: ['best'], rules: expert, games: 10_000_000 }, () => {
    parts += 1;
    if (parts === 2) abort.abort();
  }, abort.signal);
  const after = worker.decide({ ...position, agent: 'tree:lowest-risk-depth-8' });
  await assert.rejects(endless, { name: 'AbortError' });
  assert.equal(parts, 2);
  assert.ok((await after).cell, 'the fresh worker has the artifact');
  await assert.rejects(worker.analyze(position, AbortSignal.abort()), { name: 'AbortError' });
  worker.terminate();
});

test('a tournament ends with its totals', async () => {
  const worker = new EngineWorker();
  const request = { agents: ['best', 'random'], rules: { board: '8x8x10' }, games: 50 };
  const totals = await worker.tournament(request);
  assert.deepEqual([totals.complete, totals.played, totals.agents[0].games], [true, 50, 50]);
  worker.terminate();
});
