import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FakeProviderServer } from '@quantloom/adapters/testing/market-data/providers/fake-provider-server';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const PROGRAM = new URL('../quantloom.ts', import.meta.url).pathname;
let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'data-command-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

interface Ended {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

const data = (...args: string[]) => dataWith({ TIINGO_API_KEY: '' }, ...args);

function dataWith(more: Readonly<Record<string, string>>, ...args: string[]): Promise<Ended> {
  const env = { ...process.env, DATA_DIR: join(folder, 'data'), EVENTSTORE_URL: '', ...more };
  return new Promise((resolve) => {
    execFile(process.execPath, [PROGRAM, 'data', ...args], { env }, (error, out, err) =>
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, out, err }),
    );
  });
}

describe('quantloom data', () => {
  it('imports, reports, lists, goes back and prunes', async () => {
    const file = join(folder, 'prices.csv');
    await writeFile(file, 'date,ticker,adj_close\n2024-01-02,SPY,1.5\n2024-01-06,SPY,1\n');
    const refused = await data('import', file, '--label', 'mine');
    expect(JSON.parse(refused.out).error).toContain('1 of 2 rows cannot be right');
    const imported = await data('import', file, '--label', 'mine', '--allow-bad-rows');
    expect(imported.out).toContain('1 ticker imported, 1 price, 2024-01-02 to 2024-01-02');
    expect(imported.out).toContain('prices.csv:3 weekend: 2024-01-06, SPY, 1');
    expect(imported.out).toContain('SPY from prices.csv: new, 1 day');
    expect(imported.err).toContain('reading');
    const { current, versions } = JSON.parse((await data('list', '--json')).out);
    expect(versions).toHaveLength(2);
    expect(versions[1]).toMatchObject({ version: current, label: 'mine', isSimulated: false });
    const report = JSON.parse((await data('report', '--json')).out);
    expect(report).toMatchObject({ version: current, rejectedRows: 1 });
    const more = join(folder, 'more.csv');
    await writeFile(more, 'date,ticker,adj_close\n2024-01-02,SPY,1.5\n2024-01-03,SPY,1.6\n');
    const preview = await data('import', more, '--dry-run');
    expect(preview.out).toContain('appended, 1 day before, 2 now: 1 new, 0 changed, 0 lost');
    expect(JSON.parse((await data('list', '--json')).out).versions).toHaveLength(2);
    const compared = await data('compare', 'current', more);
    expect(compared.out).toContain('SPY: 1 common day');
    expect((await data('list')).out).toMatch(/1 asset .*1 prices? .*2024-01-02 to 2024-01-02/);
    const used = await data('use', versions[0].version);
    expect(used.out).toContain('Now current: 20261120T000000Z-demo1');
    expect((await data('list')).out).toMatch(/^\* 20261120T000000Z-demo1 .*\[simulated\]$/m);
    expect((await data('prune', '--keep', '0')).out).toContain(`Removed ${current}`);
  }, 60_000);

  it('fetches from a provider, and brings up to date what it has fetched', async () => {
    const server = await FakeProviderServer.start();
    try {
      const bars = Array.from({ length: 15 }, (_, i) => ({
        date: `2024-01-${String(i + 1).padStart(2, '0')}`,
        close: 100 + i,
      }));
      server.prices.set(
        'SPY',
        bars.filter(({ date }) => ![0, 6].includes(new Date(date).getUTCDay())),
      );
      const keys = { TIINGO_API_KEY: server.key, TIINGO_URL: server.url };
      const fetched = await dataWith(keys, 'fetch', '--provider', 'tiingo', '--tickers', 'spy');
      expect(fetched.out).toContain('1 ticker imported, 11 prices, 2024-01-01 to 2024-01-15');
      const again = await dataWith(keys, 'fetch', '--provider', 'tiingo');
      expect(again.out).toContain('Nothing has changed: 1 series are up to date');
      const refused = await dataWith(
        { ...keys, TIINGO_API_KEY: 'wr0ng' },
        'fetch',
        '--provider',
        'tiingo',
        '--full',
      );
      expect(refused.code).toBe(2);
      expect(JSON.parse(refused.out)).toEqual({ status: 502, error: 'Tiingo does not accept the key (401)' });
    } finally {
      await server.stop();
    }
  }, 60_000);

  it.each([
    [['use', 'nope'], 404, 'no data set with version'],
    [['import', '/nowhere.csv'], 400, 'nowhere.csv cannot be read'],
    [['import'], 400, "missing required argument 'files'"],
    [['fetch', '--provider', 'tiingo'], 400, 'Set TIINGO_API_KEY'],
    [['fetch', '--provider', 'yahoo'], 400, 'There is no provider yahoo'],
    [['prune', '--keep', '-1'], 400, 'whole number'],
  ])(
    'ends %j with exit code 2 and {status, error}',
    async (args, status, sentence) => {
      const { code, out } = await data(...args);
      expect(code).toBe(2);
      const body = JSON.parse(out);
      expect(body).toMatchObject({ status });
      expect(body.error).toContain(sentence);
    },
    60_000,
  );
});
