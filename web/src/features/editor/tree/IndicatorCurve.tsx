import { INDICATORS } from '@quantloom/domain/strategy/indicator';
import type { IndicatorName } from '@quantloom/domain/strategy/tree';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { fixed } from '../../../lib/format.ts';
import { useTickerSearch } from '../../../lib/ticker-search.ts';
import { Sparkline } from '../../../ui/Sparkline.tsx';
import { useEditorTools } from '../model/editor-context.ts';
import { curvesOf, lastYearOf } from '../model/indicator-curves.ts';
import { tickerWords } from '../model/words.ts';

const WIDTH = 280;
const HEIGHT = 64;

/** A year of a function on a ticker, with its usual numbers. All of a ticker's curves come with one request. */
export function IndicatorCurve({
  fn,
  series,
  second,
}: {
  fn: IndicatorName;
  series: string;
  second: string;
}) {
  const { canUseZScore } = useEditorTools();
  const tickers = useTickerSearch().data?.data;
  const known = useMemo(() => new Set(tickers?.map(({ ticker }) => ticker)), [tickers]);
  const isPlain = (name: string) => name !== '' && name.split('/').every((side) => known.has(side));
  const shown = isPlain(series) ? series : 'SPY';
  const other = isPlain(second) ? second : null;
  const year = useMemo(() => tickers && lastYearOf(tickers, shown), [tickers, shown]);
  const { data, isPending, isError } = useQuery({
    queryKey: ['indicator-curves', shown, other, year],
    queryFn: async ({ signal }) => await curvesOf(shown, other, year ?? null, canUseZScore, signal),
    enabled: year !== undefined && year !== null,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
  if (INDICATORS[fn].isPair && other === null)
    return <p className="text-muted">Choose the second asset to see a year of it.</p>;
  const values = data?.[fn];
  const last = values?.at(-1);
  const isPercent = INDICATORS[fn].unit === 'percent';
  return (
    <figure className="flex flex-col gap-1" style={{ minHeight: HEIGHT + 24 }}>
      {values && last !== undefined ? (
        <>
          <Sparkline
            values={values}
            width={WIDTH}
            height={HEIGHT}
            label={`${INDICATORS[fn].label} of ${tickerWords(shown)} over the last year`}
          />
          <figcaption className="num text-xs text-muted">
            {tickerWords(shown)}, last year: {range(values)}, now {fixed(last, 2)}
            {isPercent ? '%' : ''}
          </figcaption>
        </>
      ) : (
        <p className="text-xs text-muted">
          {isPending && !isError && year !== null
            ? ''
            : `${tickerWords(shown)} has no year of prices to show.`}
        </p>
      )}
    </figure>
  );
}

function range(values: readonly number[]): string {
  return `${fixed(Math.min(...values), 2)} to ${fixed(Math.max(...values), 2)}`;
}
