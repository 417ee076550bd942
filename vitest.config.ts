import './deploy/src/code-cache.ts';
import { defineConfig } from 'vitest/config';
import { ALONE } from './vitest.alone.ts';

/**
 * One project per workspace, so that `vitest run --project domain` runs one of them. Slow suites (browser,
 * real servers) have scripts of their own. Files share a process: nothing in them keeps a state of its own,
 * and loading the same modules for each took half of the time.
 */
const node = (name: string, alone?: string[]) => ({
  test: {
    name: alone ? `${name}-alone` : name,
    isolate: alone !== undefined,
    root: `./${name}`,
    include: alone ?? ['**/*.test.ts'],
    exclude: [
      '**/node_modules/**',
      '**/*.browser.test.ts',
      '**/*.server.test.ts',
      '**/*.slow.test.ts',
      '**/*.long.test.ts',
      ...(alone ? [] : (ALONE[name] ?? [])),
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
      ].map((name) => node(name)),
      ...Object.entries(ALONE).map(([name, files]) => node(name, files)),
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
