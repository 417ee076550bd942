import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { runCommand } from '../../testing/run-command.ts';
import { dataCommand } from './data.ts';
import { comparisonLines } from './data-compare.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'data-command-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const data = (...args: string[]) => runCommand(dataCommand(), path.join(folder, 'data'), ...args);
async function prices(name: string, ...lines: readonly string[]): Promise<string> {
  const file = path.join(folder, name);
  await writeFile(file, ['date,ticker,adj_close', ...lines, ''].join('\n'));
  return file;
}
const JANUARY = ['2024-01-02,SPY,100', '2024-01-03,SPY,101', '2024-01-04,SPY,102.01'];
const listed = async () =>
  JSON.parse(await data('list', '--json')) as {
    current: string;
    versions: { version: string; label: string }[];
  };

it('imports what it has shown before, names versions, goes back to one and removes the others', async () => {
  const file = await prices('prices.csv', ...JANUARY);
  expect(await data('import', file, '--dry-run')).toContain('1 ticker');
  const demo = await listed();
  expect(demo.versions).toHaveLength(1);
  await data('import', file, '--label', 'mine');
  const { current, versions } = await listed();
  expect(versions.map(({ label }) => label)).toContain('mine');
  expect(current).not.toBe(demo.current);
  const lines = (await data('list')).split('\n');
  expect(lines.find((line) => line.startsWith('*'))).toMatch(
    /^\* \S+ +1 asset {3}3 prices {2}2024-01-02 to 2024-01-04 {2}mine$/,
  );
  expect(lines.filter((line) => line.includes('[simulated]'))).toHaveLength(1);
  expect(JSON.parse(await data('report', '--json'))).toMatchObject({ version: current });
  expect(await data('report', demo.current)).toContain('nothing to report');
  expect(await data('use', demo.current)).toContain(`Now current: ${demo.current}`);
  expect((await listed()).current).toBe(demo.current);
  expect(await data('prune')).toBe('Nothing to remove');
  await expect(data('use', 'nonsense')).rejects.toMatchObject({ status: 404 });
});

it('refuses files that cannot be right, and lets their good rows in where it is asked to', async () => {
  const file = await prices('bad.csv', ...JANUARY, '2024-01-06,SPY,1');
  await expect(data('import', file)).rejects.toMatchObject({ status: 400 });
  expect(await data('import', file, '--allow-bad-rows')).toContain('3 prices');
  await expect(data('prune', '--keep', '-1')).rejects.toThrow();
  await expect(data('fetch', '--provider', 'fred')).rejects.toMatchObject({ status: 400 });
});

it('compares what is current with a file: tickers of both, in the order of the alphabet', async () => {
  const mine = await prices(
    'a.csv',
    '2024-01-02,TLT,90',
    '2024-01-03,TLT,91',
    ...JANUARY,
    '2024-01-02,GLD,5',
  );
  await data('import', mine);
  const other = await prices(
    'b.csv',
    ...['2024-01-02,SPY,100', '2024-01-03,SPY,104', '2024-01-04,SPY,105.04'],
    ...['2024-01-02,TLT,90', '2024-01-03,TLT,91', '2024-01-02,QQQ,5'],
  );
  const compared = JSON.parse(await data('compare', 'current', other, '--json')) as {
    ticker: string;
    returns: { day: string }[];
  }[];
  expect(compared.map(({ ticker }) => ticker)).toEqual(['SPY', 'TLT']);
  expect(compared.map(({ returns }) => returns.map(({ day }) => day))).toEqual([['2024-01-03'], []]);
  const above = ['--above', '4', '--tickers', 'spy'];
  expect(await data('compare', 'current', other, ...above)).toMatch(
    /^SPY: 3 common days, .*, 0 returns differ by more than 4.00%$/,
  );
  await expect(data('compare', 'current', other, '--tickers', 'QQQ')).rejects.toMatchObject({
    status: 404,
    message: 'QQQ is not in current',
  });
  await expect(data('compare', 'current', other, '--tickers', 'GLD')).rejects.toThrow(
    `GLD is not in ${other}`,
  );
  const neither = await prices('c.csv', '2024-01-02,QQQ,5');
  await expect(data('compare', 'current', neither)).rejects.toThrow('have no ticker in common');
});

it('shows five days of each kind, and says how many more there are', () => {
  const days = Array.from({ length: 7 }, (_, i) => `2024-01-0${i + 1}`);
  const one = {
    ticker: 'SPY',
    commonDays: 100,
    correlation: 0.98765,
    returns: days.map((day) => ({
      day,
      first: 0.01,
      second: 0.02,
      split: day === '2024-01-02' ? '2:1' : null,
    })),
    shiftedBy: -1,
    onlyInFirst: days.slice(0, 5),
    onlyInSecond: days,
  };
  expect(comparisonLines([one] as never, 0.005)).toEqual([
    'SPY: 100 common days, correlation of returns 0.9877, 7 returns differ by more than 0.50%',
    '  the second seems to have the prices a day earlier',
    '  2024-01-01: 1.00% and 2.00%',
    '  2024-01-02: 1.00% and 2.00%, as where one is not adjusted for a 2:1 split',
    ...['3', '4', '5'].map((day) => `  2024-01-0${day}: 1.00% and 2.00%`),
    '  … 2 more',
    '  only the first has 2024-01-01, 2024-01-02, 2024-01-03, 2024-01-04, 2024-01-05',
    '  only the second has 2024-01-01, 2024-01-02, 2024-01-03, 2024-01-04, 2024-01-05 and 2 more days',
  ]);
});
