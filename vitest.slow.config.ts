import './deploy/src/code-cache.ts';
import { defineConfig } from 'vitest/config';

/** Crash, endurance and volume tests: minutes, one file after the other. */
export default defineConfig({
  test: {
    include: ['**/*.slow.test.ts'],
    exclude: ['**/node_modules/**', '.tmp/**'],
    // A page that comes late on a busy machine is no failure.
    expect: { poll: { timeout: 30_000 } },
    testTimeout: 300_000,
    hookTimeout: 120_000,
    fileParallelism: false,
  },
});
