import './deploy/src/code-cache.ts';
import { defineConfig } from 'vitest/config';

/**
 * Their files share a process: nothing in them keeps a state of its own, and loading the same modules for
 * each took half of the time.
 */
const TOGETHER = new Set(['domain', 'http', 'command-api', 'query-api']);

/**
 * One project per workspace, so that `vitest run --project domain` runs one of them. Slow suites (browser,
 * real servers) have scripts of their own.
 */
const node = (name: string) => ({
  test: {
    name,
    isolate: !TOGETHER.has(name),
    root: `./${name}`,
    include: ['**/*.test.ts'],
    exclude: [
      '**/node_modules/**',
      '**/*.browser.test.ts',
      '**/*.server.test.ts',
      '**/*.slow.test.ts',
      '**/*.long.test.ts',
    ],
    environment: 'node',
    // For what hangs; a machine that has other work to do is no failure.
    testTimeout: 60_000,
    // Servers and worker threads start in hooks; on a busy machine that takes its time.
    hookTimeout: 60_000,
  },
});

export default defineConfig({
  test: {
    maxWorkers: 2,
    projects: [
      ...[
        'domain',
        'http',
        'adapters',
        'command-api',
        'query-api',
        'projectors',
        'compute',
        'deploy',
        'e2e',
        'bench',
        'scripts',
      ].map(node),
      {
        test: {
          name: 'web',
          root: './web',
          include: ['**/*.test.ts', '**/*.test.tsx'],
          exclude: ['**/node_modules/**'],
          environment: 'happy-dom',
          isolate: false,
          testTimeout: 60_000,
          setupFiles: ['./testing/setup.ts'],
        },
      },
    ],
  },
});
