import { seriesName } from '@quantloom/domain/market-data/condition-series';
import { isDemoVersion } from '@quantloom/domain/market-data/demo/demo-version';
import type { ImportReport } from '@quantloom/domain/market-data/import-report';
import type { DataSetManifest } from '@quantloom/domain/ports/market-data';
import { DataSetReader } from '../files/data-set-reader.ts';
import { DataSetWriter } from '../files/data-set-writer.ts';
import { emptyReport } from '../files/empty-report.ts';
import { layoutOf, newVersionId, readCurrent } from '../files/layout.ts';
import { takeImportLock } from '../files/lock.ts';
import { MarketDataError } from '../files/market-data-error.ts';
import { publishedVersions } from '../files/market-data-files.ts';
import { withoutPrices, writeConditionSeries } from '../import/condition-series.ts';
import type { IncomingSeries } from '../import/series-file.ts';
import type { SeriesProvider } from './fred.ts';

export interface FetchSeriesOptions {
  readonly dataDir: string;
  readonly provider: SeriesProvider;
  /** Ids as the source gives them, with or without `@`. */
  readonly ids: readonly string[];
  readonly lagDays?: number | undefined;
  readonly now: Date;
}

/**
 * Fetches series for conditions and publishes a version with them, beside the prices there are. Null where
 * nothing has changed. Rejects with `provider_refused`, or with `import_refused` for an unknown series and
 * where there are no prices.
 */
export async function fetchConditionSeries(
  options: FetchSeriesOptions,
): Promise<{ readonly manifest: DataSetManifest; readonly report: ImportReport } | null> {
  const { dataDir, provider, ids, lagDays, now } = options;
  const startedAt = performance.now();
  const incoming: IncomingSeries[] = [];
  for (const text of new Set(ids)) {
    const name = seriesName(text.startsWith('@') ? text : `@${text}`);
    const series =
      name === null ? null : await provider.series(name.slice(1), lagDays === undefined ? {} : { lagDays });
    if (series === null)
      throw new MarketDataError(
        'import_refused',
        `There is no series ${text} with a value. Nothing was changed`,
      );
    incoming.push(series);
  }
  const layout = layoutOf(dataDir);
  using _lock = takeImportLock(layout);
  const current = await readCurrent(layout);
  if (current === null || isDemoVersion(current)) throw withoutPrices(incoming);
  const base = await DataSetReader.open(layout, current);
  const writer = await DataSetWriter.create(layout, Math.floor(now.getTime() / 86_400_000));
  try {
    const conditionSeries = await writeConditionSeries(writer, base, incoming);
    if (conditionSeries.every(({ added, changed }) => added === 0 && changed === 0)) {
      await writer.abandon();
      return null;
    }
    for (const entry of base.entries) {
      const series = await base.read(entry);
      await writer.add(entry, series.days, series.closes, await base.readFurther(entry));
    }
    const version = newVersionId(now, (await publishedVersions(layout)).at(-1) ?? null);
    const report: ImportReport = {
      ...emptyReport(version, now, 'FRED'),
      seconds: Math.round(performance.now() - startedAt) / 1000,
      keptTickers: base.entries.length,
      lastDay: writer.lastDay,
      rowCount: writer.rowCount,
      base: base.version,
      series: [],
      conditionSeries,
    };
    const label = `FRED: ${incoming.map(({ name }) => name).join(', ')}`.slice(0, 100);
    const manifest = await writer.publish({ version, createdAt: now.toISOString(), label }, report);
    return { manifest, report };
  } catch (error) {
    await writer.abandon();
    throw error;
  } finally {
    await base.close();
  }
}
