//! Builds dist/: TypeScript to JavaScript and types, and the engine beside them.
//! DEMINER_ENGINE may name another folder with an engine.

import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));

rmSync(here('dist'), { recursive: true, force: true });
execFileSync(process.execPath, [here('node_modules/typescript/bin/tsc'), '--project', here('tsconfig.json')], { stdio: 'inherit' });
mkdirSync(here('dist/npm/wasm'), { recursive: true });
for (const name of ['engine.js', 'engine.d.ts', 'engine_bg.wasm']) {
  copyFileSync(join(process.env.DEMINER_ENGINE ?? here('wasm'), name), here(`dist/npm/wasm/${name}`));
}
