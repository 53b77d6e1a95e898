import { defineConfig } from 'vitest/config';
import { svelte } from '@sveltejs/vite-plugin-svelte';

// The bundle is committed and embedded in the binary, so its bytes must depend on the sources
// alone: hashed names, no dates, no maps. Nothing is inlined as a data link: the page is served
// under `default-src 'self'`.
export default defineConfig({
  plugins: [svelte()],
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
