import './deploy/src/code-cache.ts';
import { defineConfig } from 'vitest/config';

/**
 * What `npm test` has no time for, two files side by side: bodies, corpora and golden cases in numbers, luck
 * in numbers, contracts on stand-ins, programs that are started.
 */
export default defineConfig({
  test: {
    include: ['**/*.long.test.ts'],
    exclude: ['**/node_modules/**', '.tmp/**'],
    // For what hangs; a machine that has other work to do is no failure.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    maxWorkers: 2,
  },
});
