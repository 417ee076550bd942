import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
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
    { file: path.join(folder, 'absent.json'), status: 400, error: expect.stringContaining('cannot be read') },
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
