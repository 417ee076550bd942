import type { BatchDetail } from '@quantloom/domain/contracts/http/batches';
import type { StabilityAnswer } from '@quantloom/domain/contracts/http/stability';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { fixed, formatSignedPercent, MISSING, plural } from '../../../lib/format.ts';
import { Panel } from '../../../ui/Page.tsx';
import { SegmentedControl } from '../../../ui/toolbar-inputs.tsx';
import { isLikeCash } from '../model/cash-like.ts';
import { FigureTable } from './FigureTable.tsx';
import { colorAt } from './heat-map-scale.ts';
import { Loaded } from './Loaded.tsx';
import { combinationLabel } from './metric-names.ts';
import { stabilityQuery } from './queries.ts';
import { bestInWords, consistencyInWords, monthsOf, periodInWords, REGIME_WORDS } from './stability-words.ts';

type Part = StabilityAnswer['rows'][number]['periods'][number];
type Figure = 'sharpe' | 'annualized_return';
type Period = StabilityAnswer['periods'][number];

const FIGURES = [
  { value: 'sharpe', label: 'Sharpe Ratio' },
  { value: 'annualized_return', label: 'Return a Year' },
] as const;
const shown = (figure: Figure, value: number | null) =>
  value === null ? MISSING : figure === 'sharpe' ? fixed(value, 2) : formatSignedPercent(value);

/** How rows did in each part of the period and in each kind of market, and whether their order stays. */
export function Stability({ batch, picked }: { batch: BatchDetail; picked: readonly number[] }) {
  const [figure, setFigure] = useState<Figure>('sharpe');
  const stability = useQuery(stabilityQuery(batch.id, picked));
  return (
    <Panel title="Stability by period and market">
      <Loaded query={stability} failure="The stability could not be computed">
        {(answer) =>
          answer.periods.length === 0 ? (
            <p className="text-sm text-muted">
              There are too few stretches of the period in which nearly all rows have returns.
            </p>
          ) : (
            <div className="flex flex-col gap-4">
              <p className="max-w-prose">
                {answer.sentence} {consistencyInWords(answer.rows, answer.periods.length)}
              </p>
              <div className="flex flex-wrap items-center gap-3">
                <SegmentedControl label="Figure" value={figure} onChange={setFigure} options={FIGURES} />
                <p className="text-sm text-muted">
                  {picked.length === 0
                    ? bestInWords(answer)
                    : `The ${plural(answer.rows.length, 'picked row')}.`}
                </p>
              </div>
              <Periods answer={answer} figure={figure} />
              <div className="grid grid-cols-1 gap-x-8 gap-y-4 xl:grid-cols-2">
                <Regimes answer={answer} figure={figure} />
                <Ranks answer={answer} />
              </div>
              <p className="max-w-prose text-sm text-muted">
                Computed from sums over blocks, nothing is run again. Swinging blocks are those in which the
                benchmark’s daily returns swung a quarter more than in the median block; the others are rising
                or falling by where the benchmark ended. That is known only afterwards.{' '}
                <a
                  href="/docs/verdict#stability"
                  target="_blank"
                  rel="noopener"
                  className="text-accent underline"
                >
                  How to read it
                </a>
              </p>
            </div>
          )
        }
      </Loaded>
    </Panel>
  );
}

/** Rows down, periods across; the colour says the figure, and so do the digits. */
function Periods({ answer, figure }: { answer: StabilityAnswer; figure: Figure }) {
  const isGrey = (part: Part) => figure === 'sharpe' && isLikeCash(part);
  // Ratios of next to no risk would leave all others in one colour.
  const values = answer.rows.flatMap((row) =>
    row.periods.flatMap((one) => (one[figure] === null || isGrey(one) ? [] : [one[figure]])),
  );
  const [low, high] = [Math.min(0, ...values), Math.max(0, ...values)];
  const table = (
    <FigureTable
      caption={figure === 'sharpe' ? 'Sharpe ratio by period' : 'Return a year by period'}
      rows={answer.rows}
      rowKey={({ combination }) => combination}
      columns={[
        {
          header: 'Row',
          isText: true,
          className: 'min-w-28 max-w-56',
          cell: ({ values: bound }) => combinationLabel(bound),
        },
        ...answer.periods.map((period, i) => ({
          header: monthsOf(period),
          definition: periodInWords(period),
          cell: (row: StabilityAnswer['rows'][number]) => (
            <Tile part={row.periods[i]} figure={figure} low={low} high={high} />
          ),
        })),
      ]}
    />
  );
  if (!answer.rows.some((row) => row.periods.some(isGrey))) return table;
  return (
    <div className="flex min-w-0 flex-col gap-1">
      {table}
      <p className="max-w-prose text-sm text-muted">
        Grey: the row hardly moved in this period, like cash. Its Sharpe ratio divides by next to no risk, and
        says nothing about skill.
      </p>
    </div>
  );
}

/** The luminance on which black and white letters have the same contrast (WCAG 2.2): 4.58 to 1. */
const EQUAL_CONTRAST = 0.179;

function luminanceOf(...channels: readonly [number, number, number]): number {
  const [red, green, blue] = channels.map((channel) => {
    const share = channel / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** A figure on its colour; the letters are black or white, whichever is read more easily. */
function Tile({
  part,
  figure,
  low,
  high,
}: {
  part: Part | undefined;
  figure: Figure;
  low: number;
  high: number;
}) {
  const value = part?.[figure] ?? null;
  if (part === undefined || value === null) return <span className="px-2">{MISSING}</span>;
  if (figure === 'sharpe' && isLikeCash(part))
    return (
      <span className="inline-block w-full min-w-16 rounded-sm bg-sunken px-2 py-0.5 text-muted">
        {shown(figure, value)}
      </span>
    );
  const [red, green, blue] = colorAt(high > low ? (value - low) / (high - low) : 0.5);
  const isLight = luminanceOf(red, green, blue) > EQUAL_CONTRAST;
  return (
    <span
      className="inline-block w-full min-w-16 rounded-sm px-2 py-0.5"
      style={{ backgroundColor: `rgb(${red} ${green} ${blue})`, color: isLight ? '#000' : '#fff' }}
    >
      {shown(figure, value)}
    </span>
  );
}

function Regimes({ answer, figure }: { answer: StabilityAnswer; figure: Figure }) {
  const regimes = answer.rows[0]?.regimes ?? [];
  if (regimes.length === 0)
    return (
      <p className="text-sm text-muted">The benchmark has no prices here: markets cannot be told apart.</p>
    );
  return (
    <FigureTable
      caption="By kind of market"
      rows={answer.rows}
      rowKey={({ combination }) => combination}
      columns={[
        {
          header: 'Row',
          isText: true,
          cell: ({ values }) => combinationLabel(values),
          className: 'min-w-28',
        },
        ...regimes.map(({ regime, periods }) => ({
          header: `${REGIME_WORDS[regime]} (${periods})`,
          definition: `${plural(periods, 'block')} taken together.`,
          cell: (row: StabilityAnswer['rows'][number]) =>
            shown(figure, row.regimes.find((one) => one.regime === regime)?.[figure] ?? null),
        })),
      ]}
    />
  );
}

/** Rank correlations of all rows: between each period and the next, and between kinds of market. */
function Ranks({ answer: { periods, ranked, rank_correlation: ranks } }: { answer: StabilityAnswer }) {
  const next = periods.slice(1).map((period, i) => ({
    name: `${monthsOf(periods[i] as Period)} and the next`,
    key: period.from,
    value: ranks.between_periods[i]?.[i + 1] ?? null,
  }));
  const regimes = ranks.between_regimes.map(({ one, other, correlation }) => ({
    name: `${REGIME_WORDS[one]} and ${REGIME_WORDS[other].toLowerCase()} markets`,
    key: `${one} ${other}`,
    value: correlation,
  }));
  return (
    <FigureTable
      caption={`Does the order of ${plural(ranked, 'row')} stay?`}
      rows={[...regimes, ...next]}
      rowKey={({ key }) => key}
      columns={[
        { header: 'Between', isText: true, cell: ({ name }) => name },
        {
          header: 'Rank correlation',
          definition: '1: the same order. 0: no relation. −1: the order turned round.',
          cell: ({ value }) => (value === null ? MISSING : fixed(value, 2)),
        },
      ]}
    />
  );
}
