import type { AsLived as AsLivedAnswer } from '@quantloom/domain/contracts/http/as-lived';
import type { Data } from 'plotly.js';
import type { ChartColors } from '../../ui/plot/theme.ts';

type Band = AsLivedAnswer['bands'][number];

const MARKS = {
  late: 'too late, not traded',
  revision: 'new revision',
  restated: 'prices changed since',
  resumed: 'followed again',
} as const;
/**
 * Trading days that a band is shown for: as many ahead as have passed, and a month at least, so that it does
 * not dwarf the record.
 */
const shownDays = (passed: number): number => Math.max(2 * passed, 21);

const inPercent = (value: number): number => (value - 1) * 100;

/** `rgb(…)` with an opacity. */
const faint = (color: string, opacity: number): string =>
  color.replace(/^rgb\((.*)\)$/, `rgba($1, ${opacity})`);

const INNER = 'Inner band';

/** The outer band and its inner half as areas; only the first one is named in the legend. */
function areasOf(band: Band, shown: number, color: string): Data[] {
  const days = band.days.slice(0, shown);
  const area = (name: string, lower: readonly number[], upper: readonly number[], opacity: number): Data => ({
    type: 'scatter',
    mode: 'lines',
    name,
    x: [...days, ...days.toReversed()],
    y: [...upper.slice(0, shown), ...lower.slice(0, shown).toReversed()].map(inPercent),
    fill: 'toself',
    fillcolor: faint(color, opacity),
    line: { width: 0 },
    hoverinfo: 'skip',
    // One word for both, so that the legend leaves room for the chart on a phone.
    showlegend: band.number === 1 && name !== INNER,
  });
  return [
    area('Band (90%, inner 50%)', band.lower, band.upper, 0.12),
    area(INNER, band.inner_lower, band.inner_upper, 0.16),
  ];
}

/** The record, its backtest, the benchmark, the marks and the bands, in percent since the first day. */
export function linesOf(
  {
    days,
    lived,
    backtest,
    benchmark,
    ticker,
    marks,
    bands,
  }: Pick<AsLivedAnswer, 'days' | 'lived' | 'backtest' | 'benchmark' | 'marks' | 'bands'> & {
    readonly ticker: string;
  },
  colors: ChartColors,
): readonly Data[] {
  const [own = '', other = '', third = ''] = colors.series;
  const line = (text: string, values: readonly number[], color: string, dash: 'solid' | 'dot'): Data => ({
    type: 'scatter',
    mode: 'lines',
    name: text,
    x: [...days],
    y: values.map((value) => (value - 1) * 100),
    line: { color, width: 1.5, dash },
    hovertemplate: '%{y:.2f}%<extra>%{fullData.name}</extra>',
  });
  const kinds = (Object.keys(MARKS) as (keyof typeof MARKS)[]).flatMap((kind, index): Data[] => {
    const marked = marks.filter((mark) => mark.kind === kind);
    if (marked.length === 0) return [];
    return [
      {
        type: 'scatter',
        mode: 'markers',
        name: MARKS[kind],
        x: marked.map(({ day }) => day),
        y: marked.map(({ day }) => ((lived[days.indexOf(day)] ?? 1) - 1) * 100),
        marker: {
          color: colors.muted,
          size: 8,
          symbol: ['circle-open', 'diamond', 'x', 'square-open'][index] ?? 'circle',
        },
        hoverinfo: 'name',
      } as Data,
    ];
  });
  const shown = shownDays(days.length);
  return [
    ...bands.flatMap((band) => areasOf(band, shown, own)),
    ...(benchmark ? [line(ticker, benchmark, other, 'solid')] : []),
    ...(backtest ? [line('Backtest', backtest, third, 'dot')] : []),
    line('As lived', lived, own, 'solid'),
    ...kinds,
  ];
}
