import { formatDay } from '@quantloom/domain/market-data/day';
import { type Bars, compareSeries, mergeSeries } from '@quantloom/domain/market-data/series-comparison';
import type { Asset } from '@quantloom/domain/ports/market-data';

/** What one file has of a ticker. */
export interface SourcePart extends Bars {
  readonly file: number;
  /** The file's other closes by day, NaN where it has none; missing: it has no column of them. */
  readonly others?: Float64Array;
  /** The factor by which a share was split on a day, NaN or 1 where it was not. */
  readonly splits?: Float64Array;
}

export interface SourceFacts {
  readonly name: string;
  readonly form: string;
  readonly priceColumn: string;
  readonly adjustment: Asset['adjustment'];
}

export type JoinedSources =
  | { readonly bars: Bars; readonly files: readonly number[] }
  | { readonly problem: string };

/** Between two files without a common day a larger move than this may be a change of the basis. */
const MOST_MOVE_AT_A_SEAM = 0.25;
/**
 * A file that has fewer days than this of a ticker is a piece of a series (a file for each day), whose seams
 * are days like all others.
 */
const LEAST_DAYS_OF_A_SERIES = 5;

/**
 * Joins what several files have of one ticker: where they overlap they must agree, else the refusal names
 * both. Files that come one behind the other must be of one form and price column.
 */
export function joinSources(
  ticker: string,
  parts: readonly SourcePart[],
  facts: (file: number) => SourceFacts,
): JoinedSources {
  const sorted = [...parts].sort((a, b) => firstDay(a) - firstDay(b) || b.days.length - a.days.length);
  const groups: { bars: Bars; files: number[]; lastFile: number }[] = [];
  for (const part of sorted) {
    const group = groups.at(-1);
    if (!group || lastDay(group.bars) < firstDay(part)) {
      groups.push({ bars: part, files: [part.file], lastFile: part.file });
      continue;
    }
    const both = `${facts(group.lastFile).name} and ${facts(part.file).name}`;
    const comparison = compareSeries(group.bars, part);
    if (comparison.kind === 'apart')
      return {
        problem:
          `${ticker} is in ${both}, on days in turns: they cannot be compared with each other. ` +
          'Import one of them',
      };
    if (comparison.kind === 'rebased')
      return {
        problem:
          `${ticker} is in ${both}, and the second is the first times ` +
          `${comparison.factor.toPrecision(6)}: one of them was adjusted for a later dividend or ` +
          'split. Import one of them',
      };
    if (comparison.kind === 'different') {
      const [first] = comparison.days;
      return {
        problem:
          `${ticker} is in ${both}, with different prices on ${comparison.count} of ` +
          `${comparison.common} common days ` +
          `(${first ? `${formatDay(first.day)}: ${first.stored} and ${first.incoming}` : ''}). ` +
          'Import one of them',
      };
    }
    groups[groups.length - 1] = {
      bars: mergeSeries(group.bars, part),
      files: [...group.files, part.file],
      lastFile: part.file,
    };
  }
  return groups.length === 1
    ? { bars: (groups[0] as { bars: Bars }).bars, files: groups[0]?.files ?? [] }
    : inARow(ticker, groups, facts);
}

function inARow(
  ticker: string,
  groups: readonly { readonly bars: Bars; readonly files: readonly number[] }[],
  facts: (file: number) => SourceFacts,
): JoinedSources {
  for (const [i, next] of groups.entries()) {
    const before = groups[i - 1];
    if (!before) continue;
    const a = facts(before.files.at(-1) ?? 0);
    const b = facts(next.files[0] ?? 0);
    const both = `${ticker} is in ${a.name} and ${b.name}, which have no day in common`;
    if (a.priceColumn !== b.priceColumn || a.adjustment !== b.adjustment)
      return {
        problem:
          `${both} and different prices (${a.priceColumn} and ${b.priceColumn}): they cannot be ` +
          'joined. Import one of them',
      };
    const move = (next.bars.closes[0] as number) / (before.bars.closes.at(-1) as number);
    const areSeries = Math.min(before.bars.days.length, next.bars.days.length) >= LEAST_DAYS_OF_A_SERIES;
    if (areSeries && Math.max(move, 1 / move) - 1 > MOST_MOVE_AT_A_SEAM)
      return {
        problem:
          `${both}, and the price moves by ${((move - 1) * 100).toFixed(0)}% from the end of one to ` +
          'the start of the other: they may be adjusted differently. Import one of them',
      };
  }
  const total = groups.reduce((sum, { bars }) => sum + bars.days.length, 0);
  const days = new Int32Array(total);
  const closes = new Float64Array(total);
  let at = 0;
  for (const { bars } of groups) {
    days.set(bars.days, at);
    closes.set(bars.closes, at);
    at += bars.days.length;
  }
  return { bars: { days, closes }, files: groups.flatMap(({ files }) => files) };
}

function firstDay(bars: Bars): number {
  return bars.days[0] as number;
}

function lastDay(bars: Bars): number {
  return bars.days.at(-1) as number;
}
