import './deploy/src/code-cache.ts';
import { defineConfig } from 'vitest/config';

/**
 * Contract suites against real servers: those that `EVENTSTORE_URL`, `KAFKA_BROKERS`, `MONGODB_URL` and
 * `CLICKHOUSE_URL` name, else in containers where a Docker engine answers, else skipped by name.
 */
export default defineConfig({
  test: {
    name: 'servers',
    include: ['adapters/**/*.server.test.ts', 'e2e/**/*.server.test.ts'],
    environment: 'node',
    reporters: ['verbose'],
    // Browsers and servers have timing of their own; a test that fails twice has failed.
    retry: process.env.CI ? 1 : 0,
    // A page that comes late on a busy machine is no failure.
    expect: { poll: { timeout: 30_000 } },
    testTimeout: 60_000,
    hookTimeout: 180_000,
    maxWorkers: 2,
  },
});
