//! What the tests share: the engine, the conformance set, and the shipped artifacts.

import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { Engine } from '../dist/npm/src/index.js';

const root = new URL('../../', import.meta.url);
export const file = (path) => new URL(path, root);
export const cases = (name) => JSON.parse(readFileSync(file(`conformance/${name}.json`), 'utf8'));

/** The paths of all shipped artifacts. */
export const paths = ['genomes', 'networks', 'q-tables', 'theories', 'trees'].flatMap((folder) =>
  readdirSync(file(`artifacts/${folder}`)).map((name) => `${folder}/${name}`));
export const artifact = (path) => ({ path, bytes: new Uint8Array(readFileSync(file(`artifacts/${path}`))) });

export const engine = await Engine.load();

/** The positions of the corpus that `pace.rs` answers too: a name, the number of mines, rows. DEMINER_CORPUS may name another file. */
export function corpus() {
  const text = readFileSync(process.env.DEMINER_CORPUS ?? file('boards/corpus/positions.txt'), 'utf8');
  return text.split(/^> /m).slice(1).map((block) => {
    const [name, header, ...rows] = block.trim().split('\n').filter((line) => !line.startsWith('//'));
    return { name, mines: Number(header.split(' ')[1]), rows };
  }).filter(({ name }) => !/^hard_(checker|reveal100x100p40|ring)/.test(name));
}

/** The same but for rounding: numbers within 1e-12. */
export function assertAlike(found, expected, at) {
  if (typeof expected === 'number') {
    assert.ok(typeof found === 'number' && Math.abs(found - expected) <= 1e-12, `${at}: ${found} is not ${expected}`);
  } else if (expected !== null && typeof expected === 'object') {
    assert.deepEqual(Object.keys(found ?? {}).sort(), Object.keys(expected).sort(), at);
    for (const key of Object.keys(expected)) assertAlike(found[key], expected[key], `${at}.${key}`);
  } else {
    assert.equal(found, expected, at);
  }
}
