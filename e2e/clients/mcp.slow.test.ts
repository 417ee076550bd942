import path from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { until } from '../harness/api.ts';
import { API_CLIENT, REPOSITORY, type RunningServer, removeDataDir, startServer } from '../harness/server.ts';
import { thousandRows } from './thousand-rows.ts';

let server: RunningServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(async () => {
  await server.stop();
  await removeDataDir(server.dataDir);
});

async function assistant(...options: string[]) {
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [path.join(REPOSITORY, 'deploy/src/quantloom.ts'), 'mcp', '--url', server.url, ...options],
      env: { QUANTLOOM_CLIENT_ID: API_CLIENT.id, QUANTLOOM_CLIENT_SECRET: API_CLIENT.secret },
    }),
  );
  const call = async (name: string, input: Record<string, unknown>) => {
    const { content, isError } = await client.callTool({ name, arguments: input });
    const [first] = content as { text: string }[];
    if (isError) throw new Error(first?.text);
    return JSON.parse(first?.text ?? 'null');
  };
  return { client, call };
}

it('does the main job for an assistant: import, backtest, explain, estimate, batch of 1,000, verdict', async () => {
  const { source, template, variables } = thousandRows();
  const { client, call } = await assistant('--write');
  const terms = { start_date: '2015-01-02', end_date: '2019-12-31' };
  const { algorithm } = await call('import_strategy', { json: source });
  const request = { ...terms, trading_bot: algorithm };
  expect((await call('backtest', request)).metrics.duration).toBe(1824);
  const explained = await call('explain', { request, day: '2016-06-24' });
  expect(explained.holdings_percent).toEqual({ SPY: expect.closeTo(50), TLT: expect.closeTo(50) });
  const batch = { template_bot: template, variables, backtest_config: terms };
  expect((await call('estimate_batch', batch)).combinations).toBe(1000);
  const { id } = await call('start_batch', { name: 'A thousand', ...batch });
  await until(
    () => call('get_batch', { id }),
    ({ status }) => status === 'Finished',
  );
  expect((await call('batch_rows', { id, limit: 3 })).rows).toHaveLength(3);
  expect((await call('verdict', { id })).sentence).toMatch(/\w/);
  await client.close();
});

it('reads only where nothing else was asked for', async () => {
  const { client, call } = await assistant();
  await expect(call('start_batch', {})).rejects.toThrow(/without --write/);
  await client.close();
});
