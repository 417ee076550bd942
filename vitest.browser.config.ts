import './deploy/src/code-cache.ts';
import { defineConfig } from 'vitest/config';

/** Journeys in the system's Chromium, found on the PATH. */
export default defineConfig({
  test: {
    include: ['**/*.browser.test.ts'],
    exclude: ['**/node_modules/**', '.tmp/**'],
    globalSetup: ['e2e/harness/build-pages.ts'],
    // Browsers and servers have timing of their own; a test that fails twice has failed.
    retry: process.env.CI ? 1 : 0,
    // A page that comes late on a busy machine is no failure.
    expect: { poll: { timeout: 30_000 } },
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // Two side by side take twice as long each: nothing is won on two processors.
    fileParallelism: false,
  },
});
