import type { AsLived } from '@quantloom/domain/contracts/http/as-lived';
import { describe, expect, it } from 'vitest';
import type { ChartColors } from '../../ui/plot/theme.ts';
import { linesOf } from './lived-lines.ts';

const COLORS = {
  muted: 'rgb(9, 9, 9)',
  series: ['rgb(1, 2, 3)', 'rgb(4, 5, 6)', 'rgb(7, 8, 9)'],
} as unknown as ChartColors;
const DAYS = ['2026-11-18', '2026-11-19', '2026-11-20'];
type Line = Readonly<Record<string, unknown>> & { readonly x: string[]; readonly y: number[] };

const show = (more: Partial<AsLived> = {}) =>
  linesOf(
    {
      ...{ days: DAYS, lived: [1, 1.5, 1.25], backtest: null, benchmark: null, ticker: 'SPY' },
      ...{ marks: [], bands: [] },
      ...more,
    },
    COLORS,
  ) as unknown as Line[];
const bandOf = (number: number, count: number) => {
  const all = (value: number) => Array.from({ length: count }, () => value);
  const days = Array.from({ length: count }, (_, i) => `day ${i}`);
  return {
    ...{ number, days, lower: all(0.5), upper: all(2), inner_lower: all(0.75), inner_upper: all(1.5) },
  } as unknown as AsLived['bands'][number];
};

describe('what came of a strategy as it was decided', () => {
  it('is drawn in percent since the first day, over its backtest and its benchmark', () => {
    expect(show()).toMatchObject([{ name: 'As lived', x: DAYS, y: [0, 50, 25] }]);
    const lines = show({ backtest: [1, 2, 1], benchmark: [1, 1, 1.5] });
    expect(lines).toMatchObject([
      { name: 'SPY', y: [0, 0, 50], line: { color: 'rgb(4, 5, 6)', dash: 'solid' } },
      { name: 'Backtest', y: [0, 100, 0], line: { color: 'rgb(7, 8, 9)', dash: 'dot' } },
      { name: 'As lived', y: [0, 50, 25], line: { color: 'rgb(1, 2, 3)', dash: 'solid' } },
    ]);
  });

  it('is marked on its line where something was different, each kind named once', () => {
    const marks = [
      { day: DAYS[1], kind: 'restated' },
      { day: DAYS[2], kind: 'late' },
      { day: DAYS[2], kind: 'restated' },
    ] as AsLived['marks'];
    expect(show({ marks }).slice(1)).toMatchObject([
      { name: 'too late, not traded', x: [DAYS[2]], y: [25] },
      { name: 'prices changed since', x: [DAYS[1], DAYS[2]], y: [50, 25] },
    ]);
  });

  it('stands before bands that go out along the top and come back along the bottom', () => {
    const [outer, inner] = show({ bands: [bandOf(1, 2)] });
    const around = ['day 0', 'day 1', 'day 1', 'day 0'];
    expect(outer).toMatchObject({ x: around, y: [100, 100, -50, -50], fillcolor: 'rgba(1, 2, 3, 0.12)' });
    expect(inner).toMatchObject({ x: around, y: [50, 50, -25, -25], fillcolor: 'rgba(1, 2, 3, 0.16)' });
    const rising = { ...bandOf(1, 2), lower: [1, 0.5], upper: [1, 2] } as AsLived['bands'][number];
    expect(show({ bands: [rising] })[0]?.y).toEqual([0, 100, -50, 0]);
  });

  it('names the first band alone in the legend', () => {
    const lines = show({ bands: [bandOf(1, 2), bandOf(2, 2)] });
    expect(lines.slice(0, 4).map(({ showlegend }) => showlegend)).toEqual([true, false, false, false]);
    expect(lines.at(-1)?.name).toBe('As lived');
  });

  it('shows of a band as many days ahead as have passed, and a month at least', () => {
    const daysShown = (passed: number) => {
      const days = Array.from({ length: passed }, (_, i) => `d${i}`);
      return (show({ days, lived: days.map(() => 1), bands: [bandOf(1, 250)] })[0]?.x.length ?? 0) / 2;
    };
    expect([1, 10, 11, 100, 200].map(daysShown)).toEqual([21, 21, 22, 200, 250]);
  });
});
