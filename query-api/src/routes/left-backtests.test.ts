import type { RunOptions } from '@quantloom/domain/ports/backtest-runner';
import { createServer } from '@quantloom/http/server';
import { expect, it } from 'vitest';
import { asset, root } from '../../testing/blocks.ts';
import { principalOf } from '../../testing/read-server.ts';
import { type BacktestRunDeps, mountBacktests } from './backtests.ts';
import { mountSensitivity } from './sensitivity.ts';

it.each([
  ['single backtest', '/api/v1/backtests', mountBacktests, {}],
  [
    'sensitivity',
    '/api/v1/backtests/sensitivity',
    mountSensitivity,
    { place: { node_id: 'node_root', index: 0 } },
  ],
])('ends the %s of a client that has left, and records no defect', async (_, path, mount, more) => {
  const [running, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<string>()];
  const app = createServer({ authenticate: async () => principalOf('ann', 'api') });
  app.addHook('onSend', async () => ended.resolve('the run alone'));
  const run = ({ signal }: RunOptions) => {
    running.resolve();
    return new Promise((_resolve, reject) => {
      signal?.addEventListener('abort', () => reject(new Error('The run was stopped')));
    });
  };
  mount(app, {
    clock: { now: () => new Date('2026-03-04T10:00:00.000Z') },
    newId: () => '01ARZ3NDEKTSV4RRFFQ69G5FAV',
    backtestRunner: {
      runAs: (_form: string, _request: object, options: RunOptions) => run(options),
      rows: (_batch: object, options: RunOptions) => run(options),
    },
    // Whatever is done with the log here is done to record a defect.
    get eventStore() {
      ended.resolve('a defect');
      return undefined;
    },
  } as unknown as BacktestRunDeps);
  const origin = await app.listen({ host: '127.0.0.1', port: 0 });
  try {
    const client = new AbortController();
    const request = {
      ...{ start_date: '2010-01-04', end_date: '2020-12-31', data_version: 'v1' },
      trading_bot: { ...root(asset('node_a', 'A1')), rebalance: 'corridor', corridor: 5 },
      ...more,
    };
    const asked = fetch(`${origin}${path}`, {
      method: 'POST',
      headers: { authorization: 'Bearer ann', 'content-type': 'application/json' },
      body: JSON.stringify(request),
      signal: client.signal,
    }).then(
      ({ status }) => status,
      () => 'left',
    );
    expect(await Promise.race([running.promise.then(() => 'running'), asked])).toBe('running');
    client.abort();
    expect(await asked).toBe('left');
    expect(await ended.promise).toBe('the run alone');
  } finally {
    await app.close();
  }
});
