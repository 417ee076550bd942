import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ImportReport } from '@quantloom/domain/market-data/import-report';
import { describe, expect, it } from 'vitest';
import { importFiles } from './import-files.ts';

/** Real prices for tests, which may not be shipped; the defects they are known to have must be reported. */
const SETS = new URL('../../../../../shared/market-data/', import.meta.url).pathname;

async function report(set: string): Promise<ImportReport> {
  const dataDir = await mkdtemp(join(tmpdir(), 'real-sets-'));
  try {
    const result = await importFiles({
      dataDir,
      files: [join(SETS, `${set}.csv.gz`)],
      now: new Date('2026-11-21T00:00:00Z'),
    });
    return result.report;
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}

const found = ({ flags }: ImportReport, ticker: string, kind: string) =>
  flags.filter((flag) => flag.ticker === ticker && flag.kind === kind);

describe.skipIf(!existsSync(SETS))(
  'real sets of prices (skipped where ../shared/market-data is missing)',
  () => {
    it.each([
      ['public_domain', 5, 12_154],
      ['sample', 21, 174_573],
      ['etf', 35, 179_222],
      ['stocks_1990_2024', 10, 87_960],
      ['wiki_long', 4, 45_322],
    ])('imports all of %s: %i tickers, %i rows', async (set, tickers, rows) => {
      expect(await report(set)).toMatchObject({ tickers, rows, rejectedRows: 0 });
    });

    it('etf: the bad tick of BTAL and its days without trade, assets that stop or start too early', async () => {
      const etf = await report('etf');
      expect(found(etf, 'BTAL', 'reverting_move')).toMatchObject([{ from: '2015-04-29', to: '2015-04-30' }]);
      expect(found(etf, 'BTAL', 'barely_traded')).toHaveLength(1);
      for (const ticker of ['IEI', 'XLE', 'XLP', 'XLU', 'UUP', 'FXY', 'USO', 'SH', 'SPXL', 'TMF'])
        expect(found(etf, ticker, 'starts_late'), ticker).toMatchObject([{ from: '2010-01-04' }]);
      const early = etf.flags.filter(({ kind }) => kind === 'stops_early').map(({ ticker }) => ticker);
      expect(early.sort()).toEqual('BTAL FXY IEI SH SPLV SPXL TMF TQQQ USO UUP UVXY XLE XLP XLU'.split(' '));
      // No false alarm on funds without a known defect.
      for (const ticker of ['SPY', 'QQQ', 'IWM', 'TLT', 'GLD', 'BIL', 'SHY', 'AGG', 'EEM'])
        expect(etf.flags.filter((flag) => flag.ticker === ticker)).toEqual([]);
    });

    it('wiki_long: two unadjusted splits of KO, missing sessions, a day on which the exchange was closed', async () => {
      const wiki = await report('wiki_long');
      expect(found(wiki, 'KO', 'split_like_move').map(({ from }) => from)).toEqual([
        '1965-02-19',
        '1968-06-03',
      ]);
      const missing = (ticker: string) => found(wiki, ticker, 'missing_sessions')[0]?.message;
      expect(missing('AAPL')).toContain('1981-08-10, 1983-09-23, 2017-08-07, 2017-11-08');
      expect(missing('MSFT')).toContain('no price on 2017-11-08,');
      expect(missing('GE')).toContain('no price on 2017-11-08,');
      expect(missing('KO')).toContain('no price on 2016-03-10,');
      expect(found(wiki, 'AAPL', 'off_calendar_days')).toMatchObject([
        { from: '1985-09-27', to: '1985-09-27' },
      ]);
      expect(wiki.flags.filter(({ kind }) => kind === 'off_calendar_days')).toHaveLength(1);
    });

    it.each(['sample', 'stocks_1990_2024'])('%s: RRC before 1997', async (set) => {
      const flags = await report(set);
      expect(found(flags, 'RRC', 'split_like_move').map(({ from }) => from)).toEqual(['1990-04-10']);
      const odd = found(flags, 'RRC', 'move_while_barely_traded').map(({ from }) => from);
      expect(odd).toEqual(expect.arrayContaining(['1990-04-25', '1990-05-22']));
      expect(found(flags, 'RRC', 'stale_run')[0]).toMatchObject({
        from: '1990-01-02',
        message: expect.stringContaining('68 days'),
      });
      expect(found(flags, 'RRC', 'barely_traded')).toHaveLength(1);
    });

    it('sample: prices rounded to three decimals', async () => {
      const sample = await report('sample');
      const rounded = sample.flags
        .filter(({ kind }) => kind === 'coarse_rounding')
        .map(({ ticker }) => ticker);
      expect(rounded).toEqual(expect.arrayContaining(['AAPL', 'BBY', 'MSFT', 'UNH']));
      expect(found(sample, 'AAPL', 'large_move').map(({ from }) => from)).toEqual(['2000-09-29']);
    });

    it('public_domain: the real fall of AAPL, and that old companies start in 2000', async () => {
      const { flags } = await report('public_domain');
      expect(flags.map(({ ticker, kind }) => `${ticker} ${kind}`)).toEqual([
        'AAPL large_move',
        'AAPL starts_late',
        'IBM starts_late',
        'MSFT starts_late',
      ]);
      expect(flags[0]?.from).toBe('2000-09-29');
      expect(flags[2]?.message).toContain('listed on 1962-01-02');
    });
  },
);
