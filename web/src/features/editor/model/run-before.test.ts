import type { BacktestAnswer, BacktestRequest } from '@quantloom/domain/contracts/backtest';
import { assetBlock, newAlgorithm, nodeId } from '@quantloom/domain/strategy/node-factory';
import type { Algorithm } from '@quantloom/domain/strategy/tree';
import { describe, expect, it } from 'vitest';
import { comparableRun, isSameOnOtherDays, isSameRun, valuesOnDays } from './run-before.ts';

let next = 0;
const newId = () => nodeId(`T${String(next++).padStart(25, '0')}`);
const start = newAlgorithm(newId);
const holding = (ticker: string): Algorithm => ({
  ...start,
  children: [assetBlock(newId, { ticker, name: ticker })],
});
const spy = holding('SPY');
const request = (trading_bot: Algorithm, more: Partial<BacktestRequest> = {}): BacktestRequest => ({
  start_date: '2020-01-02',
  end_date: '2020-12-31',
  trading_bot,
  ...more,
});
const answer = {
  metrics: {},
  history: { timestamps: [1, 2, 3], value: [10, 11, 12] },
} as unknown as BacktestAnswer;
const before = { request: request(spy), answer };

describe('the run before', () => {
  it('is compared with after an edit', () => {
    expect(comparableRun(before, request(holding('TLT')))).toBe(answer);
  });
  it('is not where nothing changed, or more than the strategy', () => {
    expect(comparableRun(null, request(spy))).toBeNull();
    expect(comparableRun(before, request({ ...spy, name: 'Renamed' }))).toBeNull();
    expect(comparableRun(before, request(holding('TLT'), { slippage_bps: 50 }))).toBeNull();
    expect(comparableRun(before, request(holding('TLT'), { start_date: '2019-01-02' }))).toBeNull();
  });
  it('stands on the days of the run that it is drawn beside', () => {
    expect(valuesOnDays(answer, [2, 3, 4])).toEqual([11, 12, Number.NaN]);
  });
});

describe('a run', () => {
  const ran = request(spy, { slippage_bps: 10, include: { history: true } });
  it('is the same where its answer is, whatever is named, folded or shown besides', () => {
    expect(isSameRun(ran, request({ ...spy, name: 'Renamed' }, { slippage_bps: 10 }))).toBe(true);
    // Nor does the order count in which its terms were set.
    expect(isSameRun({ slippage_bps: 10, ...request(spy) }, ran)).toBe(true);
  });
  it.each<[string, BacktestRequest, boolean]>([
    ['strategy', { ...ran, trading_bot: holding('TLT') }, false],
    ['slippage', { ...ran, slippage_bps: 25 }, false],
    ['fill', { ...ran, fill: 'next-close' }, false],
    ['cash', { ...ran, cash: { rate: 4 } }, false],
    ['first day', { ...ran, start_date: '2019-01-02' }, true],
    ['last day', { ...ran, end_date: '2020-06-30' }, true],
  ])('is another one with another %s; dates alone do not make a live run', (_, other, waits) => {
    expect(isSameRun(ran, other)).toBe(false);
    expect(isSameOnOtherDays(ran, other)).toBe(waits);
  });
});
