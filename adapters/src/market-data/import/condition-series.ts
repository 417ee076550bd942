import { firstDayKnownOtherwise, mergeObservations } from '@quantloom/domain/market-data/condition-series';
import { formatDay } from '@quantloom/domain/market-data/day';
import type { ConditionSeriesChange } from '@quantloom/domain/market-data/import-report';
import type { DataSetReader } from '../files/data-set-reader.ts';
import type { DataSetWriter } from '../files/data-set-writer.ts';
import { MarketDataError } from '../files/market-data-error.ts';
import type { InputFile, Inputs } from './inputs.ts';
import { cannotBeRead } from './read-failure.ts';
import { type IncomingSeries, readSeriesFile, type SeriesFileOptions } from './series-file.ts';

/** Parts the files of an import into those that hold series for conditions, which are read at once, and all others. */
export async function splitSeries(
  inputs: Inputs,
  options: SeriesFileOptions,
): Promise<{ readonly others: Inputs; readonly series: readonly IncomingSeries[] }> {
  if (options.series !== undefined && inputs.files.length !== 1)
    throw new MarketDataError(
      'import_refused',
      `--series names the series of one file; these are ${inputs.files.length}`,
    );
  const series = new Map<string, IncomingSeries>();
  const files: InputFile[] = [];
  for (const input of inputs.files) {
    const found = await readSeriesFile(input, options).catch((cause: unknown) => {
      throw cannotBeRead(input.name, cause);
    });
    if (found === null) files.push(input);
    for (const one of found ?? []) {
      const known = series.get(one.name);
      if (known)
        throw new MarketDataError(
          'import_refused',
          `${one.name} is in ${known.source} and ${one.source}. Import one of them. Nothing was changed`,
        );
      series.set(one.name, one);
    }
  }
  return { others: { files, leftOut: inputs.leftOut }, series: [...series.values()] };
}

/**
 * Writes the series of a version: those of the one before, and what an import brings. Observations never get
 * fewer: days that did not come stay, the others take the values and days of publication that came. Without a
 * writer it only tells what would change.
 */
export async function writeConditionSeries(
  writer: DataSetWriter | null,
  base: DataSetReader | null,
  incoming: readonly IncomingSeries[],
): Promise<ConditionSeriesChange[]> {
  const changes: ConditionSeriesChange[] = [];
  const names = new Set(incoming.map(({ name }) => name));
  for (const entry of base?.conditionSeries ?? [])
    if (base && writer && !names.has(entry.name))
      await writer.addConditionSeries(entry, await base.readConditionSeries(entry));
  for (const one of incoming) {
    const entry = base?.conditionSeries.find(({ name }) => name === one.name);
    const stored = entry && base ? await base.readConditionSeries(entry) : null;
    const { merged, added, changed, kept } = stored
      ? mergeObservations(stored, one.observations)
      : { merged: one.observations, added: new Set(one.observations.days).size, changed: 0, kept: 0 };
    const changedFrom = firstDayKnownOtherwise(stored, merged);
    changes.push({
      name: one.name,
      source: one.source,
      lagDays: one.lagDays,
      hasVintages: one.hasVintages,
      before: stored ? new Set(stored.days).size : 0,
      after: new Set(merged.days).size,
      added,
      changed,
      kept,
      changedFrom: changedFrom === null ? null : formatDay(changedFrom),
    });
    await writer?.addConditionSeries(
      { ...one, title: one.title === one.name.slice(1) ? (entry?.title ?? one.title) : one.title },
      merged,
    );
  }
  return changes;
}

/** The refusal of series where there are no prices that conditions could go with. */
export function withoutPrices(series: readonly IncomingSeries[]): MarketDataError {
  return new MarketDataError(
    'import_refused',
    `${series.map(({ name }) => name).join(', ')} can be used in conditions only, and there are no ` +
      'prices yet: import prices first, or both together. Nothing was changed',
  );
}
