import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Api } from '../harness/api.ts';
import { type RunningServer, removeDataDir, startServer } from '../harness/server.ts';
import { asset, root } from '../harness/templates.ts';
import { type Account, openAccount } from './accounts.ts';
import { attacksWith, manyBlocks, manyTickers, stuffed, wideFilter } from './attacks.ts';
import { percentile } from './samples.ts';

const terms = { start_date: '2005-01-03', end_date: '2024-12-31' };
const QUICK = { ...terms, trading_bot: root('Quick', asset('SPY')) };

let server: RunningServer;
let first: Account;
let attackers: Account[] = [];
let next = 0;

/** An account whose budget nobody has used yet. */
async function attacker(plan: 'free' | 'api'): Promise<Api> {
  next += 1;
  const account = await openAccount(server.url, `attacker${next}@example.com`, plan);
  attackers = [...attackers, account];
  return new Api(server.url, account.token);
}
const problemOf = async (response: Response) => ({
  status: response.status,
  ...((await response.json()) as { code: string; retry_after?: number; left_seconds?: number }),
});
const runOf = (tree: unknown) => ({ ...terms, trading_bot: tree });
const batchOf = (algorithm: unknown) => ({
  template_bot: { name: 'Attack', algorithm, variables: [] },
  variables: {},
  backtest_config: terms,
});

beforeAll(async () => {
  server = await startServer({ environment: { COMPUTE_THREADS: '2' } });
  first = await openAccount(server.url, 'first@example.com', 'api');
});
afterAll(async () => {
  await server?.stop();
  if (server) await removeDataDir(server.dataDir);
});

describe('what is too large', () => {
  it.each([
    ['too_many_nodes', () => manyBlocks(30_000)],
    ['too_many_tickers', () => manyTickers(9_900)],
  ])('is refused on every way in, before anything is computed: %s', async (code, treeOf) => {
    const api = await attacker('api');
    const bot = await api.post('/api/v1/trading-bots', { algorithm: QUICK.trading_bot });
    const answers = [
      await api.open('POST', '/api/v1/backtests', runOf(treeOf())),
      await api.open('POST', '/api/v1/batch-backtests/estimate', batchOf(treeOf())),
      await api.open('POST', '/api/v1/batch-backtests', batchOf(treeOf())),
      await api.open('POST', '/api/v1/trading-bots', { algorithm: treeOf() }),
      await api.open('PATCH', `/api/v1/trading-bots/${bot.body.id}`, { algorithm: treeOf() }),
      await api.open('POST', '/api/v1/import', { json: treeOf() }),
    ];
    for (const answer of answers) {
      const body = (await answer.json()) as { errors?: { code: string }[] };
      expect([400, 422]).toContain(answer.status);
      expect(body.errors?.map((problem) => problem.code)).toContain(code);
    }
  });
});

describe('what holds more values than anything needs', () => {
  it('is refused without the serving thread having read it', async () => {
    const api = await attacker('api');
    const terms = { start_date: '2005-01-03', end_date: '2024-12-31' };
    const answers = [
      await api.open('POST', '/api/v1/backtests', runOf(stuffed(300_000))),
      await api.open('POST', '/api/v1/batch-backtests', batchOf(stuffed(300_000))),
      await api.open('POST', '/api/v1/backtests', {
        ...terms,
        trading_bot: root('R', asset('SPY')),
        more: Array(300_000).fill(1),
      }),
    ];
    for (const answer of answers)
      expect(await problemOf(answer)).toMatchObject({ status: 413, code: 'body_too_large' });
  });
});

describe('what takes long', () => {
  it('is ended at the deadline of the plan, while others get their answers', async () => {
    const api = await attacker('free');
    let ended = 0;
    const attacks = Array.from({ length: 6 }, async () => {
      const { code } = await problemOf(await api.open('POST', '/api/v1/backtests', runOf(wideFilter())));
      ended += 1;
      return code;
    });
    const mine = await new Api(server.url, first.token).post('/api/v1/backtests', QUICK);
    expect(mine.status).toBe(200);
    expect(ended).toBeLessThan(6);
    const codes = await Promise.all(attacks);
    expect(codes).toContain('took_too_long');
    for (const code of codes) expect(['took_too_long', 'cost_limit']).toContain(code);
  });

  it('is refused for its dates before it is computed', async () => {
    const api = await attacker('free');
    const body = { start_date: '1930-01-01', end_date: '1930-12-31', trading_bot: manyBlocks(7_383) };
    const answer = await problemOf(await api.open('POST', '/api/v1/backtests', body));
    expect(answer).toMatchObject({ status: 400, code: 'no_trading_days' });
  });
});

describe('the thread that answers everybody', () => {
  /** Milliseconds until `/ready` has answered, again and again until it is told to stop, at least so often. */
  async function readiness(least: number, isOver: () => boolean): Promise<number[]> {
    const times: number[] = [];
    while (times.length < least || !isOver()) {
      const began = performance.now();
      await (await fetch(`${server.url}/ready`)).arrayBuffer();
      times.push(performance.now() - began);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    return times;
  }

  it('is not held while one user does the worst that the limits allow', async () => {
    const api = await attacker('api');
    const own = await api.post('/api/v1/trading-bots', { name: 'Large', algorithm: manyBlocks(9_900) });
    const url = `/api/v1/trading-bots/${own.body.id}`;
    const attacks = attacksWith({ id: own.body.id }, { batchId: null });
    const texts = [9_800, 9_700].map((blocks) => JSON.stringify({ algorithm: manyBlocks(blocks) }));
    for (const text of texts) await (await api.openText('PATCH', url, text)).arrayBuffer();
    const before = await readiness(100, () => true);
    let isOver = false;
    const during = readiness(100, () => isOver);
    for (let round = 0; round < 2; round += 1) {
      for (const { strike } of attacks) await (await strike(api)).arrayBuffer();
      for (const path of [url, `${url}/history`, `${url}/history/0`])
        await (await api.open('GET', path)).arrayBuffer();
    }
    isOver = true;
    const [quiet, attacked] = [percentile(before, 0.95), percentile(await during, 0.95)];
    // On a machine that is busy with something else, nothing but the ratio tells.
    expect(attacked, `p95 ${quiet} ms before`).toBeLessThan(Math.max(100, 4 * quiet));
  });
});

describe('what is many', () => {
  it('is refused with Retry-After and what is left once the budget of a minute is spent', async () => {
    const api = await attacker('free');
    const bot = await api.post('/api/v1/trading-bots', { algorithm: manyBlocks(9_900) });
    expect(bot.status).toBe(201);
    const clones: Response[] = [];
    for (let i = 0; i < 60 && clones.at(-1)?.status !== 429; i += 1)
      clones.push(await api.open('POST', `/api/v1/trading-bots/${bot.body.id}/clone`));
    const refused = clones.at(-1) as Response;
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    const { code, left_seconds } = await problemOf(refused);
    expect(code).toBe('cost_limit');
    expect(left_seconds).toBeGreaterThanOrEqual(0);
  });

  it('is refused where a user follows more batches than his plan allows', async () => {
    const api = await attacker('api');
    const created = await api.post('/api/v1/batch-backtests', {
      ...batchOf(root('Batch', asset('$T'))),
      template_bot: { name: 'Batch', algorithm: root('Batch', asset('$T')), variables: ['$T'] },
      variables: { $T: ['SPY', 'QQQ'] },
    });
    expect(created.status).toBe(201);
    const path = `/api/v1/batch-backtests/${created.body.id}`;
    const streams = await Promise.all(Array.from({ length: 300 }, () => api.open('GET', `${path}/events`)));
    // A stream ends with its batch: most of them may have been one after the other.
    expect(streams.every(({ status }) => status === 200 || status === 429)).toBe(true);
    expect(streams.some(({ status }) => status === 429)).toBe(true);
    await Promise.all(streams.map(({ body }) => body?.cancel()));
    const ready = await fetch(`${server.url}/ready`);
    expect(ready.status).toBe(200);
  });
});
