import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startTraceCollector } from '@quantloom/deploy/testing/trace-collector';
import { afterAll, describe, expect, it } from 'vitest';
import { missingServers } from '../cluster/cluster-under-test.ts';
import { startClusterServer } from '../harness/server.ts';
import { mainJob, PRICES } from './main-job.ts';

const missing = [...missingServers, ...(existsSync(PRICES) ? [] : [PRICES])];

describe.skipIf(missing.length > 0)(
  `the main job on a cluster (needs ${missing.join(', ') || 'nothing more'})`,
  // Limits of the slow suites: it is the same job on more processes.
  { timeout: 300_000 },
  () => {
    let folder = '';
    let collector: Awaited<ReturnType<typeof startTraceCollector>> | null = null;
    afterAll(async () => {
      await collector?.close();
      await rm(folder, { recursive: true, force: true });
    });
    mainJob(async (options = {}) => {
      // One collector for every start: what is worked off after a kill belongs to a request from before it.
      folder ||= await mkdtemp(path.join(tmpdir(), 'quantloom-traces-'));
      collector ??= await startTraceCollector(path.join(folder, 'traces.jsonl'));
      const OTEL_EXPORTER_OTLP_ENDPOINT = collector.url;
      return startClusterServer({
        ...options,
        environment: { ...options.environment, OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_BSP_SCHEDULE_DELAY: '500' },
      });
    });

    it('leaves a trace of a batch over gateway, command, event, job and rows', async () => {
      const spans = () => collector?.spans() ?? [];
      const summed = () => spans().find(({ name }) => name === 'sum up results');
      await expect.poll(summed, { timeout: 60_000, interval: 250 }).toBeDefined();
      const traceId = summed()?.traceId;
      const byId = new Map(
        spans()
          .filter((span) => span.traceId === traceId)
          .map((span) => [span.spanId, span]),
      );
      /** Who did what, from the rows or the sums back to the request. */
      const wayTo = (name: string): string[] => {
        const way: string[] = [];
        let span = [...byId.values()].find((candidate) => candidate.name === name);
        while (span && way.length < 20) {
          way.push(`${span.service.replace('quantloom-', '')}: ${span.name}`);
          span = byId.get(span.parentSpanId ?? '');
        }
        return way.reverse();
      };
      const request = [
        'gateway: POST /api/v1/batch-backtests',
        'command-api: POST /api/v1/batch-backtests',
        'projectors: react to BatchBacktestCreated',
      ];
      for (const name of ['store rows', 'sum up results'])
        expect(wayTo(name).slice(0, request.length), wayTo(name).join(' > ')).toEqual(request);
      expect(new Set([...byId.values()].map(({ service }) => service))).toEqual(
        new Set(['gateway', 'command-api', 'projectors', 'compute'].map((service) => `quantloom-${service}`)),
      );
    });
  },
);
