import { defineConfig } from 'vitest/config';

// Drives the built page in Debian's Chromium against the mock of the engine.
export default defineConfig({
  test: { include: ['tests/browser/**/*.test.ts'], testTimeout: 60_000, hookTimeout: 60_000, fileParallelism: false },
});
