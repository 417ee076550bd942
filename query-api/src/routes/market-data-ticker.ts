import { type AdminTicker, getAdminTicker } from '@quantloom/domain/contracts/http/market-data';
import { refuse } from '@quantloom/domain/kernel/refusal';
import { formatDay, parseDay } from '@quantloom/domain/market-data/day';
import { listingDay } from '@quantloom/domain/market-data/demo/demo-data-set';
import { findVersion } from '@quantloom/domain/market-data/kept-versions';
import { checkSeries } from '@quantloom/domain/market-data/series-checks';
import { foldSuspicions } from '@quantloom/domain/market-data/suspicions';
import { TickerIndex } from '@quantloom/domain/market-data/ticker';
import type { MarketData, PriceSeries } from '@quantloom/domain/ports/market-data';
import { mountRoute } from '@quantloom/http/routes';
import type { FastifyInstance } from 'fastify';

/** Points of the chart of a whole history; a screen has no more columns. */
const CHART_POINTS = 1_500;
/** Days of one kind of suspicion that are shown, and bars around each. */
const SHOWN_DAYS = 12;
const BARS_AROUND = 12;
/** Each is a file to be read. */
const SHOWN_VERSIONS = 12;

/**
 * What is known of one ticker: span, source, basis, suspicions with their days, versions, and its prices for
 * a chart.
 */
export function mountTickerQuery(
  app: FastifyInstance,
  { marketData }: { readonly marketData: MarketData },
): void {
  mountRoute(app, getAdminTicker, async ({ params, query }) => {
    const current = await marketData.current();
    const versions = await marketData.versions();
    const manifest = await findVersion(marketData, query.version ?? current.version);
    if (!manifest) return refuse(404, 'data_set_not_found', 'There is no data set of that version.');
    const assets = await marketData.assets(manifest.version);
    const ticker = new TickerIndex(assets.map((asset) => asset.ticker)).find(params.ticker);
    const asset = assets.find((one) => one.ticker === ticker);
    const series = asset && (await marketData.load(manifest.version, [asset.ticker])).get(asset.ticker);
    if (!asset || !series)
      return refuse(404, 'ticker_not_found', `There is no ${params.ticker} in that version.`);
    const flags = checkSeries(series, {
      lastDay: parseDay(manifest.lastDay) ?? (series.days.at(-1) as number),
      listedOn: listingDay(asset.ticker) ?? undefined,
    });
    return {
      data: {
        ticker: asset.ticker,
        name: asset.name,
        version: manifest.version,
        first_day: asset.firstDay,
        last_day: asset.lastDay,
        days: series.days.length,
        source: asset.source,
        basis: asset.adjustment,
        further_bases: [...(asset.furtherBases ?? [])],
        is_simulated: asset.isSimulated,
        prices: thinned(series),
        suspicions: foldSuspicions(flags, SHOWN_DAYS).map((suspicion) => ({
          ...suspicion,
          days: suspicion.days.map((day) => ({ ...day, prices: around(series, day.from, day.to) })),
        })),
        versions: await historyOf(marketData, asset.ticker, versions.slice(-SHOWN_VERSIONS).reverse()),
      },
    };
  });
}

async function historyOf(
  marketData: MarketData,
  ticker: string,
  versions: Awaited<ReturnType<MarketData['versions']>>,
): Promise<AdminTicker['versions']> {
  const found: AdminTicker['versions'] = [];
  for (const { version, createdAt, label } of versions) {
    const asset = (await marketData.assets(version)).find((one) => one.ticker === ticker);
    if (!asset) continue;
    const report = await marketData.report?.(version);
    const change = report?.series?.find((one) => one.ticker === ticker);
    found.push({
      version,
      created_at: createdAt,
      label,
      first_day: asset.firstDay,
      last_day: asset.lastDay,
      source: asset.source,
      basis: asset.adjustment,
      change: change
        ? { action: change.action, added: change.added, changed: change.changed, lost: change.lost }
        : null,
    });
  }
  return found;
}

/** Every so many days, the first and the last among them. */
function thinned({ days, closes }: PriceSeries): AdminTicker['prices'] {
  const step = Math.max(1, Math.ceil(days.length / CHART_POINTS));
  const indexes = Array.from(days.keys()).filter((i) => i % step === 0 || i === days.length - 1);
  return {
    days: indexes.map((i) => formatDay(days[i] as number)),
    closes: indexes.map((i) => closes[i] as number),
  };
}

/** The bars around a stretch of days; of a long one those around its beginning. */
function around({ days, closes }: PriceSeries, from: string, to: string): AdminTicker['prices'] {
  const first = Math.max(
    0,
    days.findIndex((day) => day >= (parseDay(from) ?? 0)),
  );
  const end = days.findIndex((day) => day > (parseDay(to) ?? 0));
  const last = Math.min(end < 0 ? days.length : end, first + BARS_AROUND);
  const start = Math.max(0, first - BARS_AROUND);
  const stop = Math.min(days.length, last + BARS_AROUND);
  return {
    days: Array.from(days.subarray(start, stop), formatDay),
    closes: Array.from(closes.subarray(start, stop)),
  };
}
