import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import type { Plugin } from 'vite';
import { defineConfig } from 'vitest/config';

/** Writes the service worker with the names of all files of the page. */
function offline(): Plugin {
  return {
    name: 'offline',
    apply: 'build',
    generateBundle(_, bundle) {
      const files = [...Object.keys(bundle).filter((name) => name.startsWith('assets/')), 'icon.svg', 'manifest.webmanifest'].sort();
      const version = createHash('sha256').update(files.join()).digest('hex').slice(0, 8);
      const source = readFileSync(new URL('./src/sw.js', import.meta.url), 'utf8')
        .replace('FILES = []', `FILES = ${JSON.stringify(files)}`)
        .replace('VERSION', version);
      this.emitFile({ type: 'asset', fileName: 'sw.js', source });
    },
  };
}

// The bundle is committed and embedded in the binary, so its bytes must depend on the sources
// alone: hashed names, no dates, no maps. Nothing is inlined as a data link: the page is served
// under a policy that takes files of its own server only.
export default defineConfig({
  plugins: [svelte(), offline()],
  base: './',
  build: {
    target: 'es2022',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    sourcemap: false,
    cssCodeSplit: true,
  },
  server: { proxy: { '/api': 'http://127.0.0.1:7654', '/healthz': 'http://127.0.0.1:7654' } },
  test: { include: ['tests/unit/**/*.test.ts'] },
});
