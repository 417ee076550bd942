// @vitest-environment happy-dom
import { getTomorrow } from '@quantloom/domain/contracts/http/calls';
import { screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { chart } from '../../../testing/charts.tsx';
import { answer, downloads, figuresOf, leave, press, show } from '../../../testing/page.tsx';
import { CombinedPanel } from './CombinedPanel.tsx';
import { CorrelationsPanel } from './CorrelationsPanel.tsx';
import type { Curves } from './curves.ts';
import { ExposurePanel } from './ExposurePanel.tsx';
import type { Weights } from './weights.ts';

afterEach(leave);

const shown = (...ids: readonly string[]) =>
  ids.map((id) => ({ id, name: `Strategy ${id}`, isFollowed: true }));
const DAYS = Array.from({ length: 60 }, (_, i) =>
  new Date(Date.UTC(2024, 0, 1 + i)).toISOString().slice(0, 10),
);
const loaded = (values: readonly number[], holdings: Record<string, number> | null = null) => ({
  curve: { days: DAYS.slice(0, values.length), values },
  isSimulated: false,
  holdings,
});
const curvesOf = (found: Readonly<Record<string, unknown>>) =>
  ({ found: new Map(Object.entries(found)), isDone: true }) as unknown as Curves;
const weightsOf = (percents: Readonly<Record<string, number>>) =>
  ({ percents: new Map(Object.entries(percents)) }) as unknown as Weights;

it('adds up what the strategies came to by their weights, the greatest part first', async () => {
  const curves = curvesOf({
    a: loaded([1, 1.1]),
    b: loaded([1, 1.5]),
    c: loaded([1, 9]),
    d: { fault: 'It has variables.' },
  });
  show(
    <CombinedPanel
      shown={shown('a', 'b', 'c', 'd')}
      weights={weightsOf({ a: 40, b: 30, c: 0, d: 10 })}
      curves={curves}
      kind="backtests"
      rebalance="monthly"
    />,
  );
  expect(screen.getByText('+19.00%', { selector: 'strong' }).parentElement?.textContent).toBe(
    'January 1, 2024 to January 2, 2024: +19.00% together.',
  );
  expect((await figuresOf('Contributions')).slice(1)).toEqual([
    ['Strategy b', '30%', '+15.00%'],
    ['Strategy a', '40%', '+4.00%'],
  ]);
  expect(screen.getByRole('note').textContent).toBe('Not in the curve, its share is cash: Strategy d.');
});

it('draws the curve of all together, as a gain in percent since its first day', () => {
  show(
    <CombinedPanel
      shown={shown('a', 'b')}
      weights={weightsOf({ a: 40, b: 30 })}
      curves={curvesOf({ a: loaded([1, 1.1, 1.1]), b: loaded([2, 3, 2]) })}
      kind="backtests"
      rebalance="never"
    />,
  );
  const { data, layout } = chart('The portfolio from January 1, 2024 to January 3, 2024: +4.00%');
  expect(data.map(({ name, x }) => [name, x])).toEqual([['Together', DAYS.slice(0, 3)]]);
  expect(data[0]?.line).toMatchObject({ color: 'first' });
  const [start, ...later] = (data[0]?.y ?? []) as number[];
  expect(start).toBe(0);
  expect(later.map((value) => value.toFixed(6))).toEqual(['19.000000', '4.000000']);
  expect(layout.yaxis?.ticksuffix).toBe('%');
});

it('says so where nothing has a weight', () => {
  const panel = (kind: 'lived' | 'backtests') => (
    <CombinedPanel
      shown={shown('a')}
      weights={weightsOf({ a: 0 })}
      curves={curvesOf({ a: loaded([1, 2]) })}
      kind={kind}
      rebalance="monthly"
    />
  );
  show(panel('backtests'));
  expect(screen.getByText(/There is nothing to draw/)).toBeDefined();
});

const wave = (step: number, sign = 1) => DAYS.map((_, i) => 100 + sign * (i % step) + i / 10);

it('shows the whole matrix of up to eight strategies, of more the pairs that move most alike', async () => {
  const saved = downloads();
  const eight = Object.fromEntries('abcdefgh'.split('').map((id, i) => [id, loaded(wave(i + 2))]));
  show(<CorrelationsPanel shown={shown(...'abcdefgh')} curves={curvesOf(eight)} kind="backtests" />);
  const matrix = await figuresOf('Correlations');
  expect(matrix).toHaveLength(9);
  expect(matrix[1]?.slice(0, 2)).toEqual(['1. Strategy a', '1.00']);
  await press('CSV');
  const lines = (await saved[0]?.content?.text())?.trim().split('\r\n');
  expect(lines?.[0]).toBe(
    `strategy,${'abcdefgh'
      .split('')
      .map((id) => `Strategy ${id}`)
      .join()}`,
  );
  leave();
  const nine = { ...eight, i: loaded(wave(2)) };
  show(<CorrelationsPanel shown={shown(...'abcdefghi')} curves={curvesOf(nine)} kind="backtests" />);
  const pairs = (await figuresOf('Correlations')).slice(1);
  expect(pairs).toHaveLength(20);
  expect(pairs[0]).toEqual(['Strategy a', 'Strategy i', '1.00']);
  const values = pairs.map((pair) => Number(pair[2]));
  expect(values).toEqual(values.toSorted((a, b) => b - a));
  expect(screen.getByText(/^The 20 pairs of 9 strategies/)).toBeDefined();
});

it('counts what is decided for tomorrow before what a backtest held last, and what is unknown as no cash', async () => {
  const order = (ticker: string, to_percent: number) => ({
    ticker,
    to_percent,
    from_percent: 0,
    side: 'buy',
  });
  answer([getTomorrow, () => [{ strategy_id: 'a', name: 'Strategy a', orders: [order('SPY', 50)] }]]);
  show(
    <ExposurePanel
      shown={shown('a', 'b', 'c', 'd', 'e')}
      weights={weightsOf({ a: 40, b: 30, c: 20, d: 0, e: 0 })}
      curves={curvesOf({
        a: loaded([1], { OLD: 100 }),
        b: loaded([1], { SPY: 50, TLT: 50 }),
        d: loaded([1], { GLD: 100 }),
      })}
    />,
  );
  await screen.findByText('35.0%');
  expect((await figuresOf('Exposure by ticker')).slice(1)).toEqual([
    ['SPY', '35.0%', 'Strategy a, Strategy b'],
    ['TLT', '15.0%', 'Strategy b'],
  ]);
  expect(screen.getByText(/^Cash:/).textContent).toContain('Cash: 30.0%. Not known yet: Strategy c (20.0%).');
});

it('shows twenty tickers at first, and all of more when it is asked to; names up to three that hold one', async () => {
  answer([getTomorrow, () => []]);
  const panel = async (count: number, ids: readonly string[] = ['a']) => {
    leave();
    const holdings = Object.fromEntries(Array.from({ length: count }, (_, i) => [`T${i}`, 100 / count]));
    const percents = Object.fromEntries(ids.map((id) => [id, 100 / ids.length]));
    const found = Object.fromEntries(ids.map((id) => [id, loaded([1], holdings)]));
    show(<ExposurePanel shown={shown(...ids)} weights={weightsOf(percents)} curves={curvesOf(found)} />);
    return (await figuresOf('Exposure by ticker')).slice(1);
  };
  expect(await panel(20)).toHaveLength(20);
  expect(screen.queryByRole('button')).toBeNull();
  expect(await panel(21)).toHaveLength(20);
  await press('Show all 21 tickers');
  expect((await figuresOf('Exposure by ticker')).slice(1)).toHaveLength(21);
  expect((await panel(1, ['a', 'b', 'c']))[0]?.[2]).toBe('Strategy a, Strategy b, Strategy c');
  expect((await panel(1, ['a', 'b', 'c', 'd']))[0]?.[2]).toBe('4 strategies');
});
