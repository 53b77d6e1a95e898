import { createHash } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import type { Plugin } from 'vite';
import { defineConfig } from 'vitest/config';

/**
 * What the page may load: its own files. `deminer serve` sends the same policy as a header, with
 * `frame-ancestors`, which browsers do not read here.
 */
const POLICY = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' data: blob:; font-src 'self'; connect-src 'self'; worker-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'";

/** Puts the policy into the page, for hosts that send no headers. */
function policy(): Plugin {
  return {
    name: 'policy',
    apply: 'build',
    transformIndexHtml: () => [{ tag: 'meta', attrs: { 'http-equiv': 'Content-Security-Policy', content: POLICY }, injectTo: 'head-prepend' }],
  };
}

/** Writes the service worker with the names of all files of the page and a version made of their contents. */
function offline(): Plugin {
  return {
    name: 'offline',
    apply: 'build',
    generateBundle: {
      order: 'post',
      handler(_, bundle) {
        const folder = new URL('./public/', import.meta.url);
        const contents = new Map<string, string | Uint8Array>(readdirSync(folder).map((name) => [name, readFileSync(new URL(name, folder))]));
        for (const [name, file] of Object.entries(bundle)) contents.set(name, file.type === 'chunk' ? file.code : file.source);
        const names = [...contents.keys()].sort();
        const hash = createHash('sha256');
        for (const name of names) hash.update(name).update(contents.get(name)!);
        const source = readFileSync(new URL('./src/sw.js', import.meta.url), 'utf8')
          .replace('FILES = []', `FILES = ${JSON.stringify(names.filter((name) => name !== 'index.html'))}`)
          .replace('VERSION', hash.digest('hex').slice(0, 8));
        this.emitFile({ type: 'asset', fileName: 'sw.js', source });
      },
    },
  };
}

// The bundle is committed and embedded in the binary, so its bytes must depend on the sources
// alone: hashed names, no dates, no maps. Nothing is inlined as a data link: the page is served
// under a policy that takes files of its own server only.
export default defineConfig({
  plugins: [svelte(), policy(), offline()],
  base: './',
  build: {
    target: 'es2022',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    sourcemap: false,
    cssCodeSplit: true,
  },
  worker: { format: 'es' },
  server: { proxy: { '^/(api|data|guide|weights|healthz|site.json)': 'http://127.0.0.1:7654' } },
  test: { include: ['tests/unit/**/*.test.ts'] },
});
