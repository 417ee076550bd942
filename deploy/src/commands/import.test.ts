import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { zipOf } from '@quantloom/adapters/market-data/import/corpus/zip';
import { afterAll, expect, test } from 'vitest';

const PROGRAM = path.join(import.meta.dirname, '../quantloom.ts');
const MAIN = path.join(import.meta.dirname, '../../../compute/testing/golden/panels/main.csv.gz');
const folder = mkdtempSync(path.join(tmpdir(), 'quantloom-import-'));
afterAll(() => rmSync(folder, { recursive: true }));

interface Result {
  readonly code: number;
  readonly answers: readonly Record<string, unknown>[];
}

function quantloom(...args: string[]): Promise<Result> {
  return new Promise((resolve) => {
    execFile(process.execPath, [PROGRAM, ...args], { maxBuffer: 1 << 26 }, (error, out) => {
      const answers = out
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as Record<string, unknown>);
      resolve({ code: error === null ? 0 : Number(error.code), answers });
    });
  });
}

const file = (name: string, text: string): string => {
  const at = path.join(folder, name);
  writeFileSync(at, text);
  return at;
};

test('each file is one line of JSON, and one that fails makes the exit code 2', async () => {
  const good = file('small.clj', '(defsymphony "Small" {} (weight-equal [(asset "SPY" "S&P 500")]))');
  const bad = file('bad.json', '{"step": "root", "step": "root"}');
  const { code, answers } = await quantloom('import', good, bad, path.join(folder, 'absent.json'));
  expect(code).toBe(2);
  expect(answers).toMatchObject([
    {
      file: good,
      name: 'Small',
      algorithm: { node_type: 'root' },
      report: { source: 'Composer text', counts: { lost: 0 } },
    },
    { file: bad, status: 422, error: expect.stringContaining('stands twice') },
    {
      file: path.join(folder, 'absent.json'),
      status: 400,
      error: expect.stringMatching(/cannot be read: there is no such file$/),
    },
  ]);
});

test('archives, UTF-16 and several strategies in one file; each line has the same fields', async () => {
  const spy = '(defsymphony "One" {:rebalance-threshold 0.05} (asset "SPY" "S&P 500"))';
  const zip = path.join(folder, 'all.zip');
  writeFileSync(
    zip,
    zipOf({
      'a/one.clj': spy,
      'two.json': 'nothing',
      'prices.csv': 'date,close',
      '__MACOSX/._one.clj': 'x',
    }),
  );
  const utf16 = path.join(folder, 'unicode.txt');
  writeFileSync(utf16, Buffer.from(`\uFEFF${spy}`, 'utf16le'));
  const both = file('both.clj', `${spy}\n${spy.replace('One', 'Two').replace('SPY', 'TLT')}`);
  const { code, answers } = await quantloom('import', zip, utf16, both);
  expect(code).toBe(2);
  expect(
    answers.map(({ file: name, name: title, status }) => [
      path.relative(folder, String(name)),
      title ?? status,
    ]),
  ).toEqual([
    ['all.zip/a/one.clj', 'One'],
    ['all.zip/two.json', 422],
    ['unicode.txt', 'One'],
    ['both.clj', 'One'],
  ]);
  expect(Object.keys(answers[2] ?? {})).toEqual(['file', 'name', 'algorithm', 'report']);
  expect(answers[3]).toMatchObject({ further: [{ name: 'Two' }] });
  const { report } = answers[2] as { report: { items: object[] } };
  for (const item of report.items)
    expect(Object.keys(item)).toEqual(['kind', 'path', 'said', 'became', 'effect', 'block_id']);
});

test('a file beyond all bounds, a folder and a broken archive each get a sentence', async () => {
  const large = path.join(folder, 'large.json');
  writeFileSync(large, Buffer.alloc(26 * 1024 * 1024, 0x20));
  const broken = path.join(folder, 'broken.zip');
  writeFileSync(broken, Buffer.from('PK\u0003\u0004 and no more'));
  const deep = file('deep.edn', '['.repeat(100_000));
  const { code, answers } = await quantloom('import', large, folder, broken, deep);
  expect(code).toBe(2);
  expect(answers.map(({ error }) => String(error).replace(folder, ''))).toEqual([
    expect.stringContaining('too large for a strategy'),
    expect.stringContaining('it is a folder'),
    expect.stringContaining('cannot be read'),
    expect.stringContaining('nested more than 2000 levels'),
  ]);
});

test('what was imported runs as it is', async () => {
  const good = file('text.txt', 'if RSI(SPY, 10) > 79 then cash else SPY');
  const { code, answers } = await quantloom('import', good);
  expect(code).toBe(0);
  const request = { start_date: '2010-01-04', end_date: '2015-12-31', trading_bot: answers[0]?.algorithm };
  const run = await quantloom('backtest', file('request.json', JSON.stringify(request)), '--prices', MAIN);
  expect(run.code, JSON.stringify(run.answers)).toBe(0);
  expect(run.answers[0]).toHaveProperty('metrics');
});
