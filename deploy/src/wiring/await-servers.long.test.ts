import {
  ELECTING,
  NOT_READY,
  StandInServer,
  WRONG_PASSWORD,
} from '@quantloom/adapters/testing/event-store/eventstoredb/stand-in-server';
import type { Logger } from 'pino';
import { afterEach, expect, it, vi } from 'vitest';
import { freePort } from '../cluster/free-port.ts';
import { readConfig } from '../config.ts';
import { awaitServers } from './await-servers.ts';
import { openStartingPage } from './starting-page.ts';

const servers: StandInServer[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.stop();
});

async function waiting(prepare: (server: StandInServer) => void) {
  const server = new StandInServer();
  servers.push(server);
  const EVENTSTORE_URL = await server.start();
  prepare(server);
  const port = await freePort();
  const lines: string[] = [];
  const say = (line: string) => void lines.push(line);
  const config = readConfig({ PORT: String(port), EVENTSTORE_URL });
  const log = { warn: say, info: say } as unknown as Logger;
  const started = openStartingPage(config).then(async (page) => {
    await awaitServers(config, 'command-api', log, page);
    await page.end();
  });
  const ready = async () => {
    const answer = await fetch(`http://127.0.0.1:${port}/ready`);
    return { status: answer.status, ...((await answer.json()) as { error: string }) };
  };
  return { server, lines, started, ready, port };
}

it.each([
  ['no leader yet', ELECTING, 'EventStoreDB is not reached, or has no leader yet'],
  [
    'a wrong password',
    WRONG_PASSWORD,
    'EventStoreDB knows no such user and password; look at EVENTSTORE_URL',
  ],
])(
  'waits in one sentence where there is %s, and starts by itself',
  async (_, refusal, reason) => {
    const { server, lines, started, ready, port } = await waiting((one) => {
      one.refusesAll = refusal;
    });
    const sentence = `The event log cannot be used yet: ${reason}.`;
    await vi.waitFor(
      async () => expect(await ready()).toMatchObject({ status: 503, error: sentence }),
      30_000,
    );
    expect((await fetch(`http://127.0.0.1:${port}/health`)).status).toBe(200);
    expect((await fetch(`http://127.0.0.1:${port}/api/v1/tickers`)).headers.get('retry-after')).toBe('2');
    server.refusesAll = null;
    await started;
    expect(lines).toEqual([`command-api waits: ${sentence}`, 'command-api starts: every server answers']);
    // The port is free for the service itself.
    await expect(ready()).rejects.toThrow();
  },
  90_000,
);

it('says nothing where every server answers', async () => {
  const { lines, started } = await waiting(() => {});
  await started;
  expect(lines).toEqual([]);
}, 90_000);

it('says what to set where the log takes small appends only', async () => {
  const { lines, started } = await waiting((server) => {
    server.maxAppendSize = 1_048_576;
  });
  await started;
  expect(lines).toEqual([expect.stringContaining('set its MaxAppendSize to 16767216')]);
}, 90_000);

it('starts, and says so, where the server has no time for the question how large appends may be', async () => {
  const { lines, started } = await waiting((server) => server.refuseAppends(NOT_READY));
  await started;
  expect(lines).toEqual([
    'EventStoreDB has not said in time whether it takes appends of 12 MiB; the service starts without knowing that',
  ]);
}, 60_000);
