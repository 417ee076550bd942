import { defineConfig } from 'vitest/config';

/**
 * Unit tests of the workspace whose code is changed (`WORKSPACE`, the domain unless told), run by Stryker
 * against each change.
 */
export default defineConfig({
  test: {
    root: `./${process.env.WORKSPACE ?? 'domain'}`,
    include: ['**/*.test.ts'],
    exclude: [
      '**/node_modules/**',
      '**/*.browser.test.ts',
      '**/*.server.test.ts',
      '**/*.slow.test.ts',
      '**/*.long.test.ts',
    ],
    environment: 'node',
    // Property tests take several times as long with a change in every line, the more on a busy machine.
    testTimeout: 60_000,
  },
});
