import { defineConfig } from 'vitest/config';

// Drives the built page in Debian's Chromium, on the mock of the engine or the program itself. Each
// file has an engine and a browser of its own, so two run at once. A test that
// fails is tried again: other programs of the machine may have held up its browser.
export default defineConfig({
  test: { include: ['tests/browser/**/*.test.ts'], testTimeout: 60_000, hookTimeout: 60_000, maxWorkers: 2, retry: 2 },
});
