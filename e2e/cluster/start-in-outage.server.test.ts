import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '@quantloom/deploy/cluster/free-port';
import { Supervised } from '@quantloom/deploy/cluster/supervised';
import { describe, expect, it } from 'vitest';
import { removeDataDir } from '../harness/server.ts';
import { missingServers } from './cluster-under-test.ts';
import { openMemberLinks } from './member-links.ts';
import type { ServerName } from './schedule.ts';

/** Longer than the drivers wait for a server by themselves. */
const AWAY_MS = 14_000;
const READY_MS = 90_000;

/** After how many connections the network is cut, so that it happens while stores and consumers are opened. */
const CUTS: readonly (readonly [service: string, server: ServerName, said: RegExp, connections: number])[] = [
  ['projectors', 'mongodb', /store of the read models away since/i, 4],
  ['projectors', 'mongodb', /store of the read models away since/i, 7],
  ['command-api', 'mongodb', /store of the read models away since/i, 4],
  ['compute', 'kafka', /message bus away since/i, 3],
  ['../start-product', 'mongodb', /store of the read models away since/i, 4],
  ['query-api', 'clickhouse', /results store away since/i, 2],
];

describe.skipIf(missingServers.length > 0)(
  `a service whose server goes away while it starts (needs ${missingServers.join(', ') || 'nothing more'})`,
  () => {
    it.each(CUTS)(
      'waits for it, tells so, and starts by itself: %s without %s',
      async (service, server, said, connections) => {
        const links = await openMemberLinks(process.env);
        const dataDir = await mkdtemp(path.join(tmpdir(), 'quantloom-start-'));
        const lines: string[] = [];
        const deaths: string[] = [];
        const one = new Supervised(
          {
            name: service,
            file: `${service}.ts`,
            port: await freePort(),
            environment: {
              ...links.environment,
              DATA_DIR: dataDir,
              CLUSTER_NAME: `start_${Date.now().toString(36)}_${process.pid}`,
              PUBLIC_URL: 'http://localhost:1',
              DEMO_DATA_MOVES: 'false',
              WEB_PAGES: 'off',
              COMPUTE_THREADS: '1',
              LOG_LEVEL: 'warn',
            },
          },
          {
            onLine: (line) => {
              lines.push(line);
            },
            onDeath: (how) => {
              deaths.push(how);
            },
          },
        );
        const ready = async () => {
          const answer = await fetch(`${one.url}/ready`).catch(() => null);
          return answer && { status: answer.status, text: await answer.text() };
        };
        try {
          one.start();
          while (links.taken(server) < connections) await pause(1);
          expect((await ready())?.status, 'it is up before the network is cut').not.toBe(200);
          links.cut([server]);
          await expect.poll(ready, { timeout: 30_000 }).toMatchObject({
            status: 503,
            text: expect.stringMatching(said),
          });
          await pause(AWAY_MS);
          expect(await ready()).toMatchObject({ status: 503, text: expect.stringMatching(said) });
          links.heal([server]);
          await one.whenReady(READY_MS);
          expect(deaths, lines.join('\n')).toEqual([]);
          expect(lines.filter((line) => /is away/.test(line))).toHaveLength(1);
        } finally {
          await one.stop();
          await links.close();
          await removeDataDir(dataDir);
        }
      },
      READY_MS + AWAY_MS + 60_000,
    );
  },
);
