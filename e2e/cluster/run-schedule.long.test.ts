import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { afterEach, expect, it } from 'vitest';
import { ProcessLines, ProductUnderTest } from './product-under-test.ts';
import { runSchedule } from './run-schedule.ts';
import { Workload } from './workload.ts';

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

/** Lets people in, and knows no route on which anything could be written. */
async function productThatKnowsNothing(): Promise<string> {
  const answers: Readonly<Record<string, unknown>> = {
    '/config.json': { audience: 'here' },
    '/oauth/token': { access_token: 'token' },
    '/api/v1/tickers': { data: [] },
    '/api/v1/batch-backtests/quota': { current_monthly_usage: 0 },
  };
  const server = createServer((request, response) => {
    const answer = answers[request.url ?? ''];
    response.writeHead(answer ? 200 : 404, { 'content-type': 'application/json' });
    response.end(JSON.stringify(answer ?? {}));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  closing.push(() => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

it('ends with what went wrong, also where nothing can be done and no fault carried out', async () => {
  const url = await productThatKnowsNothing();
  const product = await ProductUnderTest.start({
    name: 'nothing',
    url,
    dataDir: `${tmpdir()}/no-such-folder`,
    processes: new Map(),
    lines: new ProcessLines(),
    openBus: () => Promise.reject(new Error('no bus')),
  });
  const workload = await Workload.open(url);
  const run = await runSchedule(
    1,
    [
      { kind: 'full-disk', at: 0, forMs: 1 },
      { kind: 'cut', at: 0, member: 'gateway', servers: ['kafka'], forMs: 1 },
    ],
    { product, workload, servers: new Map(), patienceMs: 1_000 },
  );
  expect(run.faults).toEqual([
    'Error: This disk cannot be filled',
    'Error: gateway has no links that can be cut',
    ...Array.from({ length: 4 }, () => expect.stringContaining('Template: 404')),
    'nobody can sign up',
    'nobody can open an account and leave',
    expect.stringContaining('log verify'),
  ]);
});
