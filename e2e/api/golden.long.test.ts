import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expectAnswer } from '@quantloom/compute/testing/golden-answers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Api, machineApi } from '../harness/api.ts';
import { quantloom, REPOSITORY, type RunningServer, removeDataDir, startServer } from '../harness/server.ts';
import { runBatch } from './batch-over-http.ts';
import { isClose } from './numbers.ts';

/** The first and the second part of the language; the panels of both stand with the first. */
const FOLDERS = ['golden', 'golden-2'].map((name) => path.join(REPOSITORY, 'compute/testing', name));
const MARKET_DATA = path.join(REPOSITORY, '../shared/market-data');

interface Golden {
  readonly name: string;
  readonly panel: string;
  readonly panel_sha256?: string;
  readonly request: Record<string, unknown>;
  // biome-ignore lint/suspicious/noExplicitAny: a black-box client knows no types
  readonly expected: any;
}

const golden = (kind: string): (Golden & { readonly file: string })[] =>
  FOLDERS.flatMap((folder) =>
    readdirSync(path.join(folder, kind)).map((name) => {
      const file = path.join(folder, kind, name);
      const one: Golden = JSON.parse(readFileSync(file, 'utf8'));
      return { ...one, panel: one.panel.replace('../golden/', ''), file };
    }),
  );

/** Where a case's prices are; null where they are not there or not those that it was computed from. */
function panelOf({ panel, panel_sha256 }: Golden): string | null {
  const file = panel.startsWith('../market-data/')
    ? path.join(MARKET_DATA, path.basename(panel))
    : path.join(FOLDERS[0] ?? '', panel);
  if (!existsSync(file)) return null;
  if (panel_sha256 === undefined) return file;
  return createHash('sha256').update(readFileSync(file)).digest('hex') === panel_sha256 ? file : null;
}

/** The golden cases as others meet them: through the program and through HTTP, each panel a data set of its own. */
const panels = Map.groupBy(
  [
    ...golden('cases').map((one) => ({ ...one, isBatch: false })),
    ...golden('batches').map((one) => ({ ...one, isBatch: true })),
  ],
  ({ panel }) => panel,
);

describe.each([...panels])('golden files of %s', (_, files) => {
  const [first] = files;
  const panel = first ? panelOf(first) : null;
  let server: RunningServer;
  let api: Api;
  beforeAll(async () => {
    if (panel === null) return;
    server = await startServer();
    const imported = await quantloom(server.dataDir, 'data', 'import', panel, '--replace');
    expect(imported.code, imported.stdout).toBe(0);
    api = await machineApi(server.url);
  });
  afterAll(async () => {
    await server?.stop();
    if (server) await removeDataDir(server.dataDir);
  });

  it.skipIf(panel === null).each(files.filter(({ isBatch }) => !isBatch))(
    '$name: program and HTTP answer the same, as expected',
    async ({ request, expected, file }) => {
      const [printed, answered] = await Promise.all([
        quantloom(server.dataDir, 'backtest', file),
        api.post('/api/v1/backtests', request),
      ]);
      const answer = JSON.parse(printed.stdout);
      if (expected.status !== undefined) {
        expect([printed.code, answered.status]).toEqual([2, expected.status]);
        expect([answer.code, answer.error]).toEqual([answered.body.code, answered.body.error]);
        for (const text of expected.error_mentions) expect(answer.error).toContain(text);
        return;
      }
      expect([printed.code, answered.status], JSON.stringify(answered.body.error)).toEqual([0, 200]);
      expect(answered.body).toEqual(answer);
      const { conditions, ...rest } = expected;
      expectAnswer(answer, rest);
      if (!conditions) return;
      // Why a day was as it was is asked for by pages, not by the files of the cases.
      const include = { ...(request.include as object), explanation: true };
      const explained = await api.post('/api/v1/backtests', { ...request, include });
      expectAnswer(explained.body, expected);
    },
  );

  /** The columns that are written only when they are asked for, behind the usual ones. */
  // biome-ignore lint/suspicious/noExplicitAny: as above
  async function expectMoreColumns(file: string, expected: any): Promise<void> {
    const names: string[] = expected.more_columns;
    const printed = await quantloom(server.dataDir, 'batch', file, '--more-columns', names.join(','));
    expect(printed.code, printed.stdout).toBe(0);
    const [header, ...rows] = printed.stdout
      .trimEnd()
      .split('\n')
      .map((line) => line.split(','));
    expect(header).toEqual([...expected.columns, ...names]);
    expected.more_rows.forEach((row: (number | null)[] | null, k: number) => {
      row?.forEach((cell, c) => {
        const actual = rows[k]?.[expected.columns.length + c] ?? '';
        const isEqual = cell === null ? actual === '' : isClose(Number(actual), cell);
        expect(isEqual, `row ${k}, ${names[c]}: ${actual} instead of ${cell}`).toBe(true);
      });
    });
  }

  const batches = files.filter(({ isBatch }) => isBatch);
  it.skipIf(panel === null || batches.length === 0).each(batches)(
    '$name: the program writes the file that HTTP gives, with the expected rows',
    async ({ request, expected, file }) => {
      const printed = await quantloom(server.dataDir, 'batch', file);
      expect(printed.code, printed.stdout).toBe(0);
      const { csv, failures } = await runBatch(api, request);
      expect(csv).toBe(printed.stdout);
      const [header, ...rows] = csv
        .trimEnd()
        .split('\n')
        .map((line) => line.split(','));
      expect(header).toEqual(expected.columns);
      expect(rows).toHaveLength(expected.rows.length);
      expected.rows.forEach((row: (string | number | null)[], k: number) => {
        row.forEach((cell, c) => {
          const actual = rows[k]?.[c] ?? '';
          const isEqual = typeof cell === 'number' ? isClose(Number(actual), cell) : actual === (cell ?? '');
          expect(isEqual, `row ${k}, ${header?.[c]}: ${actual} instead of ${cell}`).toBe(true);
        });
      });
      if (expected.more_columns) await expectMoreColumns(file, expected);
      expect(Object.keys(failures)).toEqual(Object.keys(expected.failed));
      for (const [combination, texts] of Object.entries(expected.failed as Record<string, string[]>))
        for (const text of texts) expect(failures[combination]).toContain(text);
    },
  );
});
