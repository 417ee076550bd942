import { defineConfig } from 'vitest/config';

/** Journeys in the system's Chromium, found on the PATH. */
export default defineConfig({
  test: {
    include: ['**/*.browser.test.ts'],
    exclude: ['**/node_modules/**'],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    fileParallelism: false,
  },
});
