import type { BatchDefinitionDocument } from '@quantloom/domain/batch/projections';
import { day } from '@quantloom/domain/market-data/day';
import { nameOnBasis } from '@quantloom/domain/market-data/price-basis';
import type { MarketData, PriceSeries } from '@quantloom/domain/ports/market-data';
import { describe, expect, it } from 'vitest';
import { ChangedBars } from './changed-bars.ts';

const series = (ticker: string, closes: readonly number[]): PriceSeries => ({
  ticker,
  days: Int32Array.from(closes, (_, i) => day('2024-01-01') + i),
  closes: Float64Array.from(closes),
});

const VERSIONS: Readonly<Record<string, readonly PriceSeries[]>> = {
  old: [series('SPY', [1, 2, 3]), series('QQQ', [4, 5, 6])],
  appended: [series('SPY', [1, 2, 3, 4]), series('QQQ', [4, 5, 6, 7])],
  corrected: [series('SPY', [1, 2, 3, 4]), series('QQQ', [4, 5.5, 6, 7])],
};

const marketData = {
  load: async (version: string, tickers: readonly string[]) => {
    const found = VERSIONS[version];
    if (!found) throw Object.assign(new Error('There is no such version'), { code: 'unknown_version' });
    return new Map(found.filter(({ ticker }) => tickers.includes(ticker)).map((one) => [one.ticker, one]));
  },
} as unknown as MarketData;

const definition = (end: string, benchmark = 'QQQ', cash?: { ticker: string }) =>
  ({
    templateBot: { algorithm: { type: 'asset', ticker: 'SPY' } },
    variables: {},
    variableNames: [],
    backtestConfig: {
      start_date: '2024-01-01',
      end_date: end,
      benchmark_ticker: benchmark,
      ...(cash && { cash }),
    },
  }) as unknown as BatchDefinitionDocument;

const changed = (version: string, current: string, end: string, benchmark?: string) =>
  new ChangedBars(marketData).of({ id: 'b', dataVersion: version }, definition(end, benchmark), current);

describe('which bars of a batch have changed', () => {
  it('is nothing where days were added behind its end', async () => {
    expect(await changed('old', 'appended', '2024-01-03')).toEqual([]);
  });
  it('is what has more days within its period', async () => {
    expect(await changed('old', 'appended', '2024-01-04')).toContain('QQQ');
  });
  it('is what was corrected, of the tickers that it uses', async () => {
    expect(await changed('old', 'corrected', '2024-01-03')).toEqual(['QQQ']);
    expect(await changed('old', 'corrected', '2024-01-03', 'SPY')).toEqual([]);
  });
  it('is what was corrected of the ticker that cash earns', async () => {
    const batch = { id: 'c', dataVersion: 'old' };
    const earning = (ticker: string) =>
      new ChangedBars(marketData).of(batch, definition('2024-01-03', 'SPY', { ticker }), 'corrected');
    expect(await earning('QQQ')).toEqual(['QQQ']);
    expect(await earning('SPY')).toEqual([]);
  });
  it('is told for each batch and each version, whatever was asked before', async () => {
    const bars = new ChangedBars(marketData);
    const of = (id: string, current: string, benchmark?: string) =>
      bars.of({ id, dataVersion: 'old' }, definition('2024-01-03', benchmark), current);
    expect(await of('b', 'appended')).toEqual([]);
    expect(await of('b', 'corrected')).toEqual(['QQQ']);
    expect(await of('c', 'corrected', 'SPY')).toEqual([]);
    expect(await of('b', 'corrected')).toEqual(['QQQ']);
    expect(await of('b', 'old')).toEqual([]);
  });
  it('is not known where the version is gone', async () => {
    expect(await changed('gone', 'corrected', '2024-01-03')).toBeNull();
  });

  it('is told of 300 tickers, and not looked for in more', async () => {
    const of = async (count: number) => {
      const children = Array.from({ length: count - 1 }, (_, i) => ({ node_type: 'asset', ticker: `T${i}` }));
      const template = { algorithm: { node_type: 'root', children } };
      const many = { ...definition('2024-01-03'), templateBot: template } as never;
      return await new ChangedBars(marketData).of({ id: 'm', dataVersion: 'old' }, many, 'corrected');
    };
    // Its benchmark is one more.
    expect(await of(300)).toEqual(['QQQ']);
    expect(await of(301)).toBeNull();
  });

  it('is not known where a version is damaged, and any other fault is told', async () => {
    const failing = (code: string) => {
      const load = () => Promise.reject(Object.assign(new Error(code), { code }));
      const bars = new ChangedBars({ load } as never);
      return bars.of({ id: 'b', dataVersion: 'old' }, definition('2024-01-03'), 'corrected');
    };
    expect(await failing('data_set_damaged')).toBeNull();
    await expect(failing('out_of_reach')).rejects.toThrow('out_of_reach');
  });

  it('is what was corrected of the closes that are traded at, and of the others that decisions have read', async () => {
    const onSplits = (closes: readonly number[]) => series(nameOnBasis('SPY', 'splits'), closes);
    const bases: Readonly<Record<string, readonly PriceSeries[]>> = {
      old: [series('SPY', [1, 2, 3]), onSplits([1, 2, 3])],
      corrected: [series('SPY', [1, 2, 3]), onSplits([1, 2.5, 3])],
      traded: [series('SPY', [1, 2.5, 3]), onSplits([1, 2, 3])],
    };
    const load = async (version: string, names: readonly string[]) =>
      new Map(bases[version]?.filter(({ ticker }) => names.includes(ticker)).map((one) => [one.ticker, one]));
    const of = (indicator_prices?: string, now = 'corrected') => {
      const { backtestConfig, ...rest } = definition('2024-01-03', 'SPY');
      const other = {
        ...rest,
        backtestConfig: { ...backtestConfig, ...(indicator_prices && { indicator_prices }) },
      };
      return new ChangedBars({ load } as never).of({ id: 'b', dataVersion: 'old' }, other as never, now);
    };
    expect(await of()).toEqual([]);
    expect(await of('adjusted')).toEqual([]);
    expect(await of('splits')).toEqual(['SPY']);
    expect(await of('splits', 'traded')).toEqual(['SPY']);
  });
});
