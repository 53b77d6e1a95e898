//! What the engine weighs: `node sizes.js` prints the gzipped files of the package and of the page,
//! and, after `cargo xtask wasm`, the code of each crate before wasm-opt.

import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const zipped = (path) => gzipSync(readFileSync(path), { level: 9 }).length;
const row = (bytes, what) => console.log(`${(bytes / 1000).toFixed(1).padStart(8)} kB  ${what}`);

console.log('gzipped:');
row(zipped(here('wasm/engine_bg.wasm')), 'engine_bg.wasm');
row(zipped(here('wasm/engine.js')), 'its glue');
const assets = here('../page/dist/assets/');
const names = readdirSync(assets);
// The rooms are loaded when they are entered; these come with the first page, a game.
const first = names.filter((name) => /^(index|share|games|games\.worker|worker|Waiting|load|rolldown)[-.].*\.(js|css)$/.test(name));
const sum = (list) => list.map((name) => zipped(assets + name)).reduce((all, one) => all + one, 0);
row(sum(first) + zipped(here('../page/dist/index.html')), `page: ${first.length} scripts and styles of the Play room`);
row(sum(names.filter((name) => /\.(js|css)$/.test(name))), 'page: all scripts and styles');

const built = here('../target/wasm-build/wasm32-unknown-unknown/wasm/deminer_wasm.wasm');
if (existsSync(built)) {
  console.log('code by crate, before wasm-opt, not zipped; functions of serde for a crate apart:');
  const crates = new Map();
  for (const [name, bytes] of functions(readFileSync(built))) {
    const crate = /deminer_[a-z]+|7deminer(?=[0-9N])|\d(core|alloc|std|num_bigint|safetensors|serde_json|serde_core|serde_path_to_error|pulp|hashbrown|dlmalloc)(?=[^a-z])/.exec(name)?.[0].replace(/^\d/, '') ?? 'others';
    const key = name.includes('serde') && !crate.startsWith('serde') ? `${crate}, serde` : crate;
    crates.set(key, (crates.get(key) ?? 0) + bytes);
  }
  for (const [crate, bytes] of [...crates].sort((a, b) => b[1] - a[1]).filter(([, bytes]) => bytes > 2000)) row(bytes, crate);
}

/** The functions of a WebAssembly file that has names: the name and the length of each. */
function* functions(file) {
  let at = 8;
  const number = () => {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = file[at++];
      value += (byte & 127) * 2 ** shift;
      if (byte < 128) return value;
    }
  };
  const text = () => {
    const length = number();
    at += length;
    return file.toString('utf8', at - length, at);
  };
  const [lengths, named] = [[], new Map()];
  let imported = 0;
  while (at < file.length) {
    const section = file[at++];
    const end = number() + at;
    if (section === 2) {
      // wasm-bindgen imports functions only.
      for (let left = number(); left > 0; left -= 1) {
        text();
        text();
        at += 1;
        number();
        imported += 1;
      }
    } else if (section === 10) {
      for (let left = number(); left > 0; left -= 1) {
        const length = number();
        lengths.push(length);
        at += length;
      }
    } else if (section === 0 && text() === 'name') {
      while (at < end) {
        const kind = file[at++];
        const until = number() + at;
        if (kind === 1) for (let left = number(); left > 0; left -= 1) named.set(number(), text());
        at = until;
      }
    }
    at = end;
  }
  for (const [place, length] of lengths.entries()) yield [named.get(place + imported) ?? '', length];
}
