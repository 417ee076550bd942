import { formatDay } from '@quantloom/domain/market-data/day';
import type { FurtherBasis } from '@quantloom/domain/market-data/price-basis';
import { compareSeries, mergeSeries } from '@quantloom/domain/market-data/series-comparison';
import type { FurtherSeries } from '../files/data-set-writer.ts';
import { basesInAll, furtherOf } from './further-closes.ts';
import type { FurtherColumns } from './further-columns.ts';
import type { SourcePart } from './join-sources.ts';
import {
  basisInWords,
  type IncomingSeries,
  type SettledSeries,
  type StoredSeries,
  settleSeries,
} from './settle-series.ts';

export type SettledFurther =
  | { readonly series: readonly FurtherSeries[]; readonly remark?: string }
  /** A sentence without its end. */
  | { readonly problem: string };

type Settled = Exclude<SettledSeries, { readonly action: 'refused' }>;
export type SettledWithFurther =
  | (Settled & { readonly further: readonly FurtherSeries[] })
  | Exclude<SettledSeries, Settled>;

/** A factor beyond this on the adjusted closes is no dividend's. */
const LEAST_SPLIT = 1.15;

/** What all files of an import have of a ticker beside its adjusted closes. Where they overlap they must agree. */
export function joinFurther(
  ticker: string,
  parts: readonly SourcePart[],
  columnsOf: (file: number) => FurtherColumns | undefined,
): SettledFurther {
  const sorted = [...parts].sort((a, b) => (a.days[0] as number) - (b.days[0] as number));
  const byFile = sorted.map((part) => {
    const columns = columnsOf(part.file);
    return columns === undefined ? [] : furtherOf(part, columns);
  });
  const series: FurtherSeries[] = [];
  for (const basis of basesInAll(byFile)) {
    const [first, ...rest] = byFile.flatMap((ofFile) => ofFile.filter((one) => one.basis === basis));
    let joined = first;
    for (const next of rest) {
      if (joined === undefined) break;
      const { kind } = compareSeries(joined, next);
      if (kind === 'rebased' || kind === 'different')
        return { problem: `${ticker}: the closes that are ${basisInWords(basis)} differ between the files` };
      joined = { basis, ...mergeSeries(joined, next) };
    }
    if (joined !== undefined) series.push({ basis, days: joined.days, closes: joined.closes });
  }
  return { series };
}

/**
 * Brings together what is stored of a ticker beside its adjusted closes and what an import has: equal closes
 * are added to, those that a split has moved are put on the new basis, what the import lacks stays, and what
 * does not agree is refused.
 *
 * @param factor by which the import has moved the adjusted closes of the past
 */
export function settleFurther(
  ticker: string,
  stored: readonly FurtherSeries[],
  incoming: readonly FurtherSeries[],
  factor = 1,
): SettledFurther {
  const series: FurtherSeries[] = [];
  const remarks: string[] = [];
  for (const basis of new Set([...stored, ...incoming].map((one) => one.basis))) {
    const then = stored.find((one) => one.basis === basis);
    const now = incoming.find((one) => one.basis === basis);
    const settled = settleBasis(ticker, basis, then, now, factor);
    if ('problem' in settled) return settled;
    series.push(...settled.series);
    if (settled.remark !== undefined) remarks.push(settled.remark);
  }
  return remarks.length > 0 ? { series, remark: remarks.join('; ') } : { series };
}

/** Settles the adjusted closes of a ticker and, where those agree, its others; refused as a whole. */
export function settleBoth(
  ticker: string,
  stored: StoredSeries,
  incoming: IncomingSeries,
  further: { readonly stored: readonly FurtherSeries[]; readonly incoming: readonly FurtherSeries[] },
): SettledWithFurther {
  const settled = settleSeries(ticker, stored, incoming);
  if (settled.action === 'refused') return settled;
  const others = settleFurther(ticker, further.stored, further.incoming, settled.factor);
  if ('problem' in others) return { action: 'refused', problem: others.problem };
  const remark = [settled.remark, others.remark].filter((one) => one !== undefined).join('; ');
  return { ...settled, ...(remark !== '' && { remark }), further: others.series };
}

function settleBasis(
  ticker: string,
  basis: FurtherBasis,
  then: FurtherSeries | undefined,
  now: FurtherSeries | undefined,
  factor: number,
): SettledFurther {
  const words = basisInWords(basis);
  if (now === undefined || then === undefined) {
    const one = now ?? then;
    if (one === undefined) return { series: [] };
    const isOutdated = now === undefined && basis === 'splits' && Math.max(factor, 1 / factor) > LEAST_SPLIT;
    if (isOutdated)
      return {
        series: [],
        remark: `its closes that are ${words} are gone: these files have none, and there was a split`,
      };
    return { series: [one] };
  }
  const comparison = compareSeries(then, now);
  if (comparison.kind === 'rebased' && basis === 'splits')
    return { series: [{ basis, ...barsOf(mergeSeries(then, now, comparison.factor)) }] };
  if (comparison.kind === 'equal' || comparison.kind === 'apart')
    return { series: [{ basis, ...barsOf(mergeSeries(then, now)) }] };
  const first = comparison.kind === 'different' ? comparison.days[0] : undefined;
  const shown = first ? ` (${formatDay(first.day)} stored ${first.stored}, now ${first.incoming})` : '';
  return { problem: `${ticker}: the stored closes that are ${words} differ from these${shown}` };
}

function barsOf({
  days,
  closes,
}: Pick<FurtherSeries, 'days' | 'closes'>): Pick<FurtherSeries, 'days' | 'closes'> {
  return { days, closes };
}
