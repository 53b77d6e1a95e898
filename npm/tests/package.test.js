//! The package as users get it: packed, installed into an empty project; README and guide run.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

const npm = fileURLToPath(new URL('..', import.meta.url));
const run = (program, words, cwd) => execFileSync(program, words, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });

test('a packed package installs into an empty project and its examples run', { timeout: 300_000 }, () => {
  const project = mkdtempSync(join(tmpdir(), 'deminer-'));
  try {
    const tarball = run('npm', ['pack', '--ignore-scripts', '--pack-destination', project], npm).trim().split('\n').at(-1);
    writeFileSync(join(project, 'package.json'), '{ "name": "empty", "private": true, "type": "module" }');
    run('npm', ['install', '--no-audit', '--no-fund', '--offline', join(project, tarball)], project);
    const pages = ['README.md', '../docs/book/src/how-to/web.md'].map((page) => readFileSync(join(npm, page), 'utf8'));
    const examples = pages.flatMap((page) => [...page.matchAll(/```js\n([^]*?)```/g)].map(([, code]) => code));
    assert.ok(examples.length >= 6);
    for (const [number, code] of examples.entries()) {
      const example = join(project, `example-${number}.js`);
      writeFileSync(example, code);
      const printed = run('node', [example], project).trim();
      const promised = [...code.matchAll(/\/\/ prints (.*)/g)].map(([, line]) => line).join('\n');
      if (promised) assert.equal(printed, promised, code);
    }
  } finally {
    rmSync(project, { recursive: true, force: true });
  }
});

test('everything but weights is small', () => {
  const sizes = ['npm/wasm/engine_bg.wasm', 'npm/wasm/engine.js', 'npm/src/engine.js', 'npm/src/client.js', 'npm/src/worker.js', 'npm/src/error.js', 'npm/src/index.js']
    .map((name) => [name, gzipSync(readFileSync(join(npm, 'dist', name)), { level: 9 }).length, statSync(join(npm, 'dist', name)).size]);
  const total = sizes.reduce((sum, [, size]) => sum + size, 0);
  console.log(sizes.map(([name, size, raw]) => `${name}: ${raw} bytes, ${size} gzipped`).join('\n'), `\ntotal: ${total} gzipped`);
  assert.ok(total <= LARGEST, `${total} bytes gzipped`);
});

/** The goal is 350 kB; this keeps it from growing meanwhile. The course of lessons took 20 kB. */
const LARGEST = 675_000;
