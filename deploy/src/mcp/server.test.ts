import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { EXAMPLE_BACKTEST, EXAMPLE_BATCH } from '@quantloom/domain/contracts/http/examples';
import { describe, expect, test } from 'vitest';
import { type Api, CallError } from './api.ts';
import { mcpServer } from './server.ts';

const DAY = 86_400;
const ANSWER = {
  metrics: { sharpe: 1 },
  history: { timestamps: [0, DAY], tickers: { SPY: [100, 0], TLT: [0, 100] }, turnover: [1, 2] },
  explanation: {
    conditions: { node_c: { lhs: [1, 2], rhs: [3, 1], holds: [false, true] } },
    branches: { node_i: [false, true] },
    selections: { node_f: { from: [1], ids: [['node_a']] } },
    shares: {},
  },
  provenance: { is_simulated: true },
};

/** An API that remembers what it was asked. */
class StandIn implements Api {
  readonly calls: string[] = [];
  readonly queries: unknown[] = [];
  async call(method: string, path: string, options: Parameters<Api['call']>[2] = {}): Promise<unknown> {
    this.calls.push(`${method} ${path}`);
    this.queries.push(options.query);
    if (path.includes('private'))
      throw new CallError({ error: 'There is no such batch', code: 'batch_not_found' }, 404);
    return path === '/api/v1/backtests' ? ANSWER : { done: path };
  }
}

async function connected(mayWrite: boolean) {
  const api = new StandIn();
  const server = mcpServer({ api, version: '1', mayWrite });
  const [mine, theirs] = InMemoryTransport.createLinkedPair();
  const client = new Client({ name: 'test', version: '1' });
  await Promise.all([server.connect(theirs), client.connect(mine)]);
  const call = async (name: string, input: Record<string, unknown>) => {
    const { content, isError } = await client.callTool({ name, arguments: input });
    const [first] = content as { text: string }[];
    return { isError: isError === true, body: JSON.parse(first?.text ?? 'null') };
  };
  return { api, client, call };
}

describe('the MCP server', () => {
  test('offers only what reads, unless it may write', async () => {
    const reading = await (await connected(false)).client.listTools();
    expect(reading.tools.map(({ name }) => name)).toEqual([
      'import_strategy',
      'backtest',
      'explain',
      'estimate_batch',
      'get_batch',
      'batch_rows',
      'verdict',
    ]);
    expect(reading.tools.every(({ annotations }) => annotations?.readOnlyHint === true)).toBe(true);
    const writing = await (await connected(true)).client.listTools();
    expect(
      writing.tools.filter(({ annotations }) => !annotations?.readOnlyHint).map(({ name }) => name),
    ).toEqual(['start_batch', 'save_strategy']);
  });

  test('says why it does not write, and calls nothing', async () => {
    const { api, call } = await connected(false);
    const { isError, body } = await call('start_batch', EXAMPLE_BATCH);
    expect(isError).toBe(true);
    expect(body.error).toMatch(/without --write/);
    expect(api.calls).toEqual([]);
  });

  test('passes calls on, and refusals back', async () => {
    const { api, call } = await connected(true);
    expect((await call('start_batch', EXAMPLE_BATCH)).body).toEqual({ done: '/api/v1/batch-backtests' });
    expect(await call('verdict', { id: 'private' })).toEqual({
      isError: true,
      body: { error: 'There is no such batch', code: 'batch_not_found' },
    });
    await call('get_batch', { id: '../users/me' });
    expect(api.calls.at(-1)).toBe('GET /api/v1/batch-backtests/..%2Fusers%2Fme');
  });

  test('reads the best twenty rows of a batch unless it is asked for others', async () => {
    const { api, call } = await connected(false);
    await call('batch_rows', { id: 'b1' });
    await call('batch_rows', { id: 'b1', sort: 'max_drawdown:asc', filter: '$A:eq:SPY', limit: 5 });
    expect(api.queries).toEqual([
      { format: 'json', sort: 'sharpe_ratio:desc', limit: '20' },
      { format: 'json', sort: 'max_drawdown:asc', filter: '$A:eq:SPY', limit: '5' },
    ]);
  });

  test('explains a day', async () => {
    const { call } = await connected(false);
    const { body } = await call('explain', { request: EXAMPLE_BACKTEST, day: '1970-01-02' });
    expect(body).toMatchObject({
      holdings_percent: { TLT: 100 },
      conditions: { node_c: { left: 2, right: 1, holds: true } },
      then_branch_taken: { node_i: true },
      chosen: { node_f: ['node_a'] },
    });
    const missing = await call('explain', { request: EXAMPLE_BACKTEST, day: '1970-01-05' });
    expect(missing).toMatchObject({
      isError: true,
      body: { error: expect.stringMatching(/from 1970-01-01 to/) },
    });
  });
});
