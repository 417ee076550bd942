import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Api, until } from '../harness/api.ts';
import { API_CLIENT, type RunningServer, removeDataDir, startServer } from '../harness/server.ts';
import { asset, condition, ifThenElse, root } from '../harness/templates.ts';
import { type Account, openAccount } from './accounts.ts';

const terms = { start_date: '2015-01-02', end_date: '2020-12-31' };
const QUICK = { ...terms, trading_bot: root('Quick', asset('SPY')) };

let server: RunningServer;
let victim: Account;
let attacker: Account;
let batchId = '';

/** A person beside the attack gets an answer. */
async function isServed(): Promise<void> {
  expect((await fetch(`${server.url}/ready`)).status).toBe(200);
  expect((await new Api(server.url, victim.token).post('/api/v1/backtests', QUICK)).status).toBe(200);
}

beforeAll(async () => {
  // On a busy machine a script cannot spend a whole budget in the minute that it is for.
  server = await startServer({
    environment: { COMPUTE_THREADS: '2', BEHIND_PROXY: 'true', COST_SCALE: '0.1' },
  });
  victim = await openAccount(server.url, 'victim@example.com', 'api');
  attacker = await openAccount(server.url, 'attacker@example.com', 'api');
  const api = new Api(server.url, attacker.token);
  const algorithm = root(
    'Switch',
    ifThenElse([condition({ lhs_fn_params: { window: '$W' } })], [asset('$A')], [asset('$B')]),
  );
  const funds = ['SPY', 'QQQ', 'IWM', 'TLT', 'GLD', 'EFA', 'EEM', 'XLE', 'XLU', 'XLP', 'IEF', 'SHY'];
  const created = await api.post('/api/v1/batch-backtests', {
    name: 'Twenty thousand rows',
    template_bot: { name: 'Switch', algorithm, variables: ['$W', '$A', '$B'] },
    variables: { $W: Array.from({ length: 140 }, (_, i) => 2 + i), $A: funds, $B: funds },
    backtest_config: terms,
  });
  expect(created.status, JSON.stringify(created.body)).toBe(201);
  batchId = created.body.id;
  await until(
    async () => (await api.get(`/api/v1/batch-backtests/${batchId}`)).body,
    ({ status }) => status === 'Finished',
    300_000,
  );
}, 400_000);
afterAll(async () => {
  await server?.stop();
  if (server) await removeDataDir(server.dataDir);
});

describe('a connection', () => {
  it('whose request comes drop by drop holds nobody else up, with a token or without', async () => {
    const { port } = new URL(server.url);
    const sockets: Socket[] = [];
    for (let i = 0; i < 300; i += 1) {
      const socket = connect(Number(port), 'localhost');
      // Refused ones are reset, which is as good.
      socket.on('error', () => undefined);
      await once(socket, 'connect');
      const token = i % 3 === 0 ? '' : `authorization: Bearer ${attacker.token}\r\n`;
      const path = i % 2 === 0 ? '/api/v1/backtests' : '/api/v1/trading-bots';
      socket.write(
        `POST ${path} HTTP/1.1\r\nhost: x\r\n${token}content-type: ` +
          'application/json\r\ncontent-length: 8000000\r\n\r\n{',
      );
      sockets.push(socket);
    }
    await isServed();
    for (const socket of sockets) socket.write('"a"');
    await isServed();
    for (const socket of sockets) socket.destroy();
    await isServed();
  });

  it('that never ends its headers holds nobody else up', async () => {
    const { port } = new URL(server.url);
    const sockets = await Promise.all(
      Array.from({ length: 300 }, async () => {
        const socket = connect(Number(port), 'localhost');
        socket.on('error', () => undefined);
        await once(socket, 'connect');
        socket.write('GET /api/v1/drafts HTTP/1.1\r\nhost: x\r\nx-slow: ');
        return socket;
      }),
    );
    await isServed();
    for (const socket of sockets) socket.destroy();
  });
});

describe('a connection that sends ahead', () => {
  it('is cut, and others are served', async () => {
    const { port } = new URL(server.url);
    const cut = Array.from({ length: 8 }, async () => {
      const socket = connect(Number(port), 'localhost');
      socket.on('error', () => undefined);
      await once(socket, 'connect');
      socket.write('GET /ready HTTP/1.1\r\nhost: x\r\n\r\n'.repeat(20_000));
      let answers = 0;
      socket.on('data', (data) => {
        answers += data.toString('latin1').split('HTTP/1.1 ').length - 1;
      });
      // `once` would reject: what is cut is reset.
      await new Promise((resolve) => socket.once('close', resolve));
      return answers;
    });
    await isServed();
    for (const answers of await Promise.all(cut)) expect(answers).toBeLessThanOrEqual(16);
    await isServed();
  });
});

describe('a network', () => {
  it('that asks for a page in a loop, or searches, is slowed down, and others are served', async () => {
    const ask = async (path: string, from: string) => {
      const answer = await fetch(server.url + path, {
        headers: { 'x-forwarded-for': from, 'accept-encoding': 'br' },
      });
      await answer.arrayBuffer();
      return answer.status;
    };
    const searches = new Set<number>();
    for (let i = 0; i < 62; i += 1) searches.add(await ask(`/docs/search?q=a+b+c+${i}`, '203.0.113.20'));
    expect([...searches].sort()).toEqual([200, 429]);

    let isRefused = false;
    let asked = 0;
    const loops = Array.from({ length: 50 }, async () => {
      while (!isRefused && asked < 30_000) {
        asked += 1;
        if ((await ask('/docs', '203.0.113.21')) === 429) isRefused = true;
      }
    });
    await isServed();
    await Promise.all(loops);
    expect(isRefused).toBe(true);
    expect(await ask('/docs', '203.0.113.22')).toBe(200);
    await isServed();
  });
});

describe('a body', () => {
  const send = (account: Account, encoding: string, body: Buffer<ArrayBuffer>) =>
    fetch(`${server.url}/api/v1/backtests`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${account.token}`,
        'content-type': 'application/json',
        'content-encoding': encoding,
      },
      body,
    });
  const folded = (megabytes: number) =>
    gzipSync(Buffer.from(`{"trading_bot":"${' '.repeat(megabytes * 1_000_000)}"}`));

  it('that unfolds to a thousand times its size is unfolded no further than a body may be large', async () => {
    const bomb = folded(100);
    expect(bomb.length).toBeLessThan(200_000);
    for (const [encoding, status] of [
      ['gzip', 413],
      ['deflate', 400],
      ['br', 400],
    ] as const) {
      const answer = await send(attacker, encoding, bomb);
      const text = await answer.text();
      const failures = () =>
        server
          .output()
          .split('\n')
          .filter((line) => line.includes('request failed'));
      expect(answer.status, answer.status === status ? '' : `${encoding}: ${text}\n${failures()}`).toBe(
        status,
      );
      expect(Object.keys(JSON.parse(text) as object)).toContain('error');
    }
    await isServed();
  });

  it('that is compressed costs as much as one that is not', async () => {
    const small = await openAccount(server.url, 'folder@example.com', 'free');
    const body = folded(7);
    expect(body.length).toBeLessThan(20_000);
    const statuses: number[] = [];
    // Reading seven megabytes counts for half of a free minute.
    for (let i = 0; i < 4; i += 1) statuses.push((await send(small, 'gzip', body)).status);
    expect(statuses).toContain(429);
    await isServed();
  });
});

describe('a loop', () => {
  it('of wrong client secrets ends in 429, and the client itself goes on from where it is', async () => {
    const ask = (secret: string, address: string) =>
      fetch(`${server.url}/oauth/token`, {
        method: 'POST',
        headers: { 'x-forwarded-for': address },
        body: new URLSearchParams({
          grant_type: 'client_credentials',
          client_id: API_CLIENT.id,
          client_secret: secret,
          scope: 'api:backtester',
        }),
      });
    const statuses: number[] = [];
    for (let i = 0; i < 200 && statuses.at(-1) !== 429; i += 1) {
      const answer = await ask(`wrong-${i}`, '203.0.113.9');
      statuses.push(answer.status);
      if (answer.status === 429) expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    }
    expect(statuses.at(-1)).toBe(429);
    expect((await ask('wrong', '203.0.113.9')).status).toBe(429);
    const right = await ask(API_CLIENT.secret, '203.0.113.10');
    expect(right.status, await right.text()).toBe(200);
  });

  it('of downloads that nobody reads is bounded, by the link as well', async () => {
    const api = new Api(server.url, attacker.token);
    const results = `/api/v1/batch-backtests/${batchId}/results`;
    const link = (await api.get(`${results}?link=true`)).body.presigned_url as string;
    const open = new AbortController();
    const statuses: number[] = [];
    const asked = Array.from({ length: 60 }, () =>
      fetch(link, { signal: open.signal }).then(
        ({ status }) => statuses.push(status),
        () => undefined,
      ),
    );
    // Two are being sent and sixteen wait for them; all others have their answer.
    await until(
      async () => statuses.filter((status) => status === 429).length,
      (refused) => refused >= 60 - 2 - 16,
    );
    await isServed();
    open.abort();
    await Promise.all(asked);
    // What the loop has used is paid for: its owner waits for the next minute, and the link is good again.
    const refused = await fetch(link);
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    await refused.body?.cancel();
    const file = await until(
      () => fetch(link),
      ({ status }) => status !== 429,
      150_000,
    );
    expect(file.status).toBe(200);
    expect((await file.text()).trimEnd().split('\n')).toHaveLength(140 * 12 * 12 + 1);
  });

  it('of sorts costs what it takes: others are served, and it ends in 429', async () => {
    const api = new Api(server.url, attacker.token);
    const statuses = new Set<number>();
    const metrics = ['sharpe_ratio', 'max_drawdown', 'annualized_return', 'standard_deviation'];
    let asked = 0;
    while (!statuses.has(429) && asked < 6_000) {
      const answers = await Promise.all(
        metrics.map((metric) => {
          asked += 1;
          const path = `/api/v1/batch-backtests/${batchId}/results?limit=10&sort=${metric}:desc`;
          return api.open('GET', path);
        }),
      );
      for (const answer of answers) {
        statuses.add(answer.status);
        await answer.arrayBuffer();
      }
    }
    expect([...statuses].sort()).toEqual([200, 429]);
    await isServed();
  });
});
