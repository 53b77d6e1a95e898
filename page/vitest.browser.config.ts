import { defineConfig } from 'vitest/config';

// Drives the built page in Debian's Chromium, on the mock of the engine or the program itself. Each
// file has an engine and a browser of its own, so two run at once.
export default defineConfig({
  test: { include: ['tests/browser/**/*.test.ts'], testTimeout: 60_000, hookTimeout: 60_000, maxWorkers: 2 },
});
