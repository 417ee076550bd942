import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, test } from 'vitest';

const PROGRAM = path.join(import.meta.dirname, '../quantloom.ts');
const GOLDEN = path.join(import.meta.dirname, '../../../compute/testing/golden');
const MAIN = path.join(GOLDEN, 'panels/main.csv.gz');

interface Result {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

function quantloom(
  args: readonly string[],
  options: { stdin?: string; dataDir?: string } = {},
): Promise<Result> {
  const env = { ...process.env, DATA_DIR: options.dataDir ?? '/nonexistent' };
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      [PROGRAM, ...args],
      { env, maxBuffer: 1 << 28 },
      (error, out, err) => {
        resolve({ code: error === null ? 0 : Number(error.code), out, err });
      },
    );
    child.stdin?.end(options.stdin ?? '');
  });
}

const read = (file: string) => JSON.parse(readFileSync(path.join(GOLDEN, file), 'utf8'));

/** `FULL_COMMANDS=1` runs every golden file through the program; without it, a few of each kind. */
const isFull = process.env.FULL_COMMANDS === '1';
const files = (folder: string, few: readonly string[]) =>
  isFull ? readdirSync(path.join(GOLDEN, folder)).map((name) => `${folder}/${name}`) : few;

const EMPTY = JSON.stringify({ trading_bot: {} });

describe('quantloom backtest', () => {
  const few = ['cases/deep.json', 'cases/two-days.json', 'cases/error-unknown-ticker-ratio.json'];

  test.each(files('cases', few).filter((file) => !file.includes('real-')))(
    'runs %s as it is',
    async (file) => {
      const { panel, expected } = read(file);
      const { code, out } = await quantloom([
        'backtest',
        path.join(GOLDEN, file),
        '--prices',
        path.join(GOLDEN, panel),
      ]);
      const answer = JSON.parse(out);
      if (expected.status !== undefined) {
        expect(code).toBe(2);
        expect(answer.status).toBe(expected.status);
        for (const text of expected.error_mentions) expect(answer.error).toContain(text);
        return;
      }
      expect(code).toBe(0);
      for (const [name, value] of Object.entries(expected.metrics)) {
        if (value === null) expect(answer.metrics[name]).toBeNull();
        else expect(answer.metrics[name]).toBeCloseTo(value as number, 9);
      }
    },
  );

  test('reads a bare request from standard input', async () => {
    const { request } = read('cases/two-days.json');
    const { code, out } = await quantloom(['backtest', '-', '--prices', MAIN], {
      stdin: JSON.stringify(request),
    });
    expect(code).toBe(0);
    expect(JSON.parse(out).calculated_dates.first_day).toBe('2016-01-04');
  });

  test('takes the prices of the data folder where no file is given, and says what they are', async () => {
    const dataDir = mkdtempSync(path.join(tmpdir(), 'quantloom-'));
    const { request } = read('cases/single-asset.json');
    const tree = JSON.stringify(request).replaceAll('QLTY', 'SPY');
    const { code, out } = await quantloom(['backtest', '-'], { stdin: tree, dataDir });
    expect(code, out).toBe(0);
    expect(JSON.parse(out).provenance).toMatchObject({
      is_simulated: true,
      data_version: expect.any(String),
    });
  });

  test('takes the version that the request names, and knows no other', async () => {
    const dataDir = mkdtempSync(path.join(tmpdir(), 'quantloom-'));
    const { request } = read('cases/single-asset.json');
    const tree = JSON.stringify(request).replaceAll('QLTY', 'SPY');
    const current = JSON.parse((await quantloom(['backtest', '-'], { stdin: tree, dataDir })).out);
    const { data_version } = current.provenance;
    const named = JSON.stringify({ ...JSON.parse(tree), data_version });
    expect(JSON.parse((await quantloom(['backtest', '-'], { stdin: named, dataDir })).out)).toEqual(current);
    const other = JSON.stringify({ ...JSON.parse(tree), data_version: 'nope' });
    const { code, out } = await quantloom(['backtest', '-'], { stdin: other, dataDir });
    expect(code).toBe(2);
    expect(JSON.parse(out)).toMatchObject({ status: 400, code: 'unknown_version' });
  });

  test.each<[string, string[], string, string]>([
    ['a file that is missing', ['backtest', 'nowhere.json'], '', 'nowhere.json'],
    ['what is no JSON', ['backtest', '-'], '{', 'not valid JSON'],
    ['what is no object', ['backtest', '-'], '[]', 'JSON object'],
    ['an empty request', ['backtest', '-', '--prices', MAIN], '{}', 'trading_bot'],
    ['a request without dates', ['backtest', '-', '--prices', MAIN], EMPTY, 'Start date is required'],
    ['a date of another type', ['backtest', '-'], '{"trading_bot":{},"start_date":5}', 'start_date'],
    ['prices that are missing', ['backtest', '-', '--prices', 'nowhere.csv'], EMPTY, 'nowhere.csv'],
    ['prices that are no table', ['backtest', '-', '--prices', PROGRAM], EMPTY, 'no column date'],
    ['a missing argument', ['backtest'], '', 'request'],
    ['an unknown option', ['batch', '-', '--speed'], '{}', '--speed'],
    ['an unknown command', ['fly'], '', 'fly'],
    [
      'a misspelled field',
      ['backtest', '-', '--prices', MAIN],
      '{"trading_bot":{},"slipage_bps":3}',
      "'slipage_bps'",
    ],
    [
      'one of a batch',
      ['batch', '-'],
      '{"template_bot":{},"variables":{},"backtest_config":{},"fill":"close"}',
      "'fill'",
    ],
    ['half a thread', ['batch', '-', '--threads', '0.5'], '{}', 'threads'],
    ['no thread', ['batch', '-', '--threads', '0'], '{}', 'threads'],
    ['an empty batch', ['batch', '-', '--prices', MAIN], '{}', 'template_bot'],
  ])('answers %s with an error and exit code 2', async (_, args, stdin, mention) => {
    const { code, out } = await quantloom(args, { stdin });
    expect(code).toBe(2);
    const body = JSON.parse(out);
    expect(body).toMatchObject({ status: 400, error: expect.stringContaining(mention) });
  });
});

describe('quantloom batch', () => {
  test.each(files('batches', ['batches/order.json', 'batches/failures-tickers.json']))(
    'runs %s as it is',
    async (file) => {
      const { panel, expected } = read(file);
      const folder = mkdtempSync(path.join(tmpdir(), 'quantloom-'));
      const out = path.join(folder, 'rows.csv');
      const failures = path.join(folder, 'failures.json');
      const args = [
        'batch',
        path.join(GOLDEN, file),
        '--prices',
        path.join(GOLDEN, panel),
        '--out',
        out,
        '--failures',
        failures,
      ];
      expect(await quantloom(args)).toMatchObject({ code: 0, out: '' });
      const [header, ...rows] = readFileSync(out, 'utf8')
        .trimEnd()
        .split('\n')
        .map((line) => line.split(','));
      expect(header).toEqual(expected.columns);
      expect(rows).toHaveLength(expected.combinations);
      expected.rows.forEach((row: (string | number | null)[], k: number) => {
        row.forEach((cell, c) => {
          const actual = rows[k]?.[c] ?? '';
          if (typeof cell === 'number') expect(Number(actual)).toBeCloseTo(cell, 9);
          else expect(actual).toBe(cell ?? '');
        });
      });
      expect(Object.keys(JSON.parse(readFileSync(failures, 'utf8')))).toEqual(Object.keys(expected.failed));
    },
  );

  test('writes the same rows to standard output, on one thread or two', async () => {
    const args = ['batch', path.join(GOLDEN, 'batches/windows.json'), '--prices', MAIN, '--threads'];
    const [one, two] = await Promise.all([quantloom([...args, '1']), quantloom([...args, '2'])]);
    expect(one.out).toBe(two.out);
    const hash = /^result hash ([0-9a-f]{64})$/m;
    expect(one.err).toMatch(hash);
    expect(hash.exec(one.err)?.[1]).toBe(hash.exec(two.err)?.[1]);
    expect(one.out.split('\n')).toHaveLength(1 + 8 + 1);
  });

  test('writes the other fill beside the rows where the request asks for both', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'quantloom-'));
    const { request } = read('batches/windows.json');
    const run = async (name: string, config: object, threads = '2') => {
      const file = path.join(folder, `${name}.json`);
      const backtest_config = { ...request.backtest_config, ...config };
      writeFileSync(file, JSON.stringify({ ...request, backtest_config }));
      const { code, out, err } = await quantloom(['batch', file, '--prices', MAIN, '--threads', threads]);
      expect(code, err).toBe(0);
      const [header = [], ...rows] = out
        .trimEnd()
        .split('\n')
        .map((line) => line.split(','));
      const hash = /^result hash ([0-9a-f]{64})$/m.exec(err)?.[1];
      const column = (of: string) => rows.map((row) => row[header.indexOf(of)]);
      return { header, rows, hash, column };
    };
    const [own, other, both, oneThread] = await Promise.all([
      run('own', {}),
      run('other', { fill: 'next-close' }),
      run('both', { both_fills: true }),
      run('one', { both_fills: true }, '1'),
    ]);
    expect(both.rows.map((row) => row.slice(0, own.header.length))).toEqual(own.rows);
    expect(both.header.slice(own.header.length)).toEqual([
      'other_fill_annualized_return',
      'other_fill_cumulative_return',
      'other_fill_max_drawdown',
      'other_fill_sharpe_ratio',
    ]);
    for (const name of ['annualized_return', 'cumulative_return', 'max_drawdown', 'sharpe_ratio'])
      expect(both.column(`other_fill_${name}`), name).toEqual(other.column(name));
    expect(both.hash).toBe(oneThread.hash);
    expect(both.hash).not.toBe(own.hash);
  });

  test('leaves no file behind when the batch is refused', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'quantloom-'));
    const out = path.join(folder, 'rows.csv');
    const { request } = read('batches/windows.json');
    const file = path.join(folder, 'batch.json');
    writeFileSync(file, JSON.stringify({ ...request, variables: {} }));
    const result = await quantloom(['batch', file, '--prices', MAIN, '--out', out]);
    expect(result.code).toBe(2);
    expect(JSON.parse(result.out).error).toContain('$WINDOW');
    expect(existsSync(out)).toBe(false);
    expect(readdirSync(folder)).toEqual(['batch.json']);
  });
});

describe('a batch on a price file', () => {
  function folderWithPrices(): { readonly folder: string; readonly prices: string } {
    const folder = mkdtempSync(path.join(tmpdir(), 'quantloom-'));
    const prices = path.join(folder, 'prices.csv');
    const lines = Array.from({ length: 60 }, (_, i) => {
      const date = new Date(Date.UTC(2020, 0, 6 + i)).toISOString().slice(0, 10);
      return `${date},fund,${100 + i}\n${date},index,${200 + (i % 5)}\n`;
    });
    writeFileSync(prices, `date,ticker,adj_close\n${lines.join('')}`);
    return { folder, prices };
  }
  const { template_bot } = JSON.parse(
    readFileSync(path.join(import.meta.dirname, '../../../docs/examples/batch.json'), 'utf8'),
  );
  const request = JSON.stringify({
    template_bot,
    variables: { $FIRST: ['fund', 'index'], $SECOND: ['fund'] },
    backtest_config: { start_date: '2020-01-06', end_date: '2020-02-20' },
  });

  // A disk without room, which only Linux has at hand.
  test.skipIf(!existsSync('/dev/full'))('leaves nothing behind where it cannot be written', async () => {
    const { folder, prices } = folderWithPrices();
    const out = path.join(folder, 'rows.csv');
    symlinkSync('/dev/full', `${out}.partial`);
    const result = await quantloom(['batch', '-', '--prices', prices, '--out', out], { stdin: request });
    expect(result.code).toBe(2);
    expect(JSON.parse(result.out).error).toContain('ENOSPC');
    expect(readdirSync(folder)).toEqual(['prices.csv']);
  });
});

describe('the examples of the README', () => {
  const example = (name: string) => path.join(import.meta.dirname, '../../../docs/examples', name);

  test('run on the prices that a new installation has', async () => {
    const dataDir = mkdtempSync(path.join(tmpdir(), 'examples-'));
    const single = await quantloom(['backtest', example('backtest.json')], { dataDir });
    expect([single.code, JSON.parse(single.out).metrics?.duration]).toEqual([0, 1824]);
    const batch = await quantloom(['batch', example('batch.json')], { dataDir });
    expect(batch.code).toBe(0);
    // A header, and all pairs of three funds with two.
    expect(batch.out.trimEnd().split(/\r?\n/)).toHaveLength(1 + 6);
  }, 60_000);
});
