import { createHash } from 'node:crypto';
import {
  ADMIN_LIST_LIMIT,
  type AdminMarketData,
  type ConditionSeriesFacts,
  type DataSet,
  getAdminMarketData,
  getDataSet,
  listTickers,
  type Ticker,
} from '@quantloom/domain/contracts/http/market-data';
import { refuse } from '@quantloom/domain/kernel/refusal';
import type { ConditionSeries } from '@quantloom/domain/market-data/condition-series';
import { parseDay } from '@quantloom/domain/market-data/day';
import type { SeriesFlag } from '@quantloom/domain/market-data/import-report';
import { findVersion } from '@quantloom/domain/market-data/kept-versions';
import { SIMULATED_PREFIX } from '@quantloom/domain/market-data/simulated-prefix';
import { isSession } from '@quantloom/domain/market-data/trading-calendar';
import type { Clock } from '@quantloom/domain/ports/clock';
import type { Asset, DataSetManifest, MarketData } from '@quantloom/domain/ports/market-data';
import { COMPRESSORS, chooseEncoding } from '@quantloom/http/content-encoding';
import { hasFeatures } from '@quantloom/http/principal';
import { mountRoute } from '@quantloom/http/routes';
import type { FastifyInstance } from 'fastify';
import { mountTickerQuery } from './market-data-ticker.ts';

export interface MarketDataRouteDeps {
  readonly marketData: MarketData;
  readonly clock: Clock;
}

const COMMON_HEADERS = { 'content-type': 'application/json; charset=utf-8' } as const;

/** One answer to `GET /tickers`, ready to be sent. */
interface PreparedTickers {
  readonly etag: string;
  readonly bodies: Readonly<Record<'identity' | 'gzip' | 'br', Buffer>>;
}

function seriesFacts(series: readonly ConditionSeries[]): ConditionSeriesFacts[] {
  return series.map(({ name, title, source, firstDay, lastDay, lagDays, hasVintages }) => ({
    name,
    title,
    source,
    first_day: firstDay,
    last_day: lastDay,
    lag_days: lagDays,
    has_vintages: hasVintages,
  }));
}

async function prepareTickers(
  assets: readonly Asset[],
  series: readonly ConditionSeries[],
): Promise<PreparedTickers> {
  const data = assets.map(
    ({ ticker, name, firstDay, lastDay, isSimulated }): Ticker => ({
      ticker,
      name,
      first_day: firstDay,
      last_day: lastDay,
      is_simulated: isSimulated,
    }),
  );
  const identity = Buffer.from(
    JSON.stringify({ data, ...(series.length > 0 && { series: seriesFacts(series) }) }),
  );
  const [zipped, br] = await Promise.all([COMPRESSORS.gzip(identity), COMPRESSORS.br(identity)]);
  const hash = createHash('sha256').update(identity).digest('base64url').slice(0, 22);
  return { etag: hash, bodies: { identity, gzip: zipped, br } };
}

/** Prepares the answers of a version once, with and without simulated tickers; only the current version's are kept. */
class TickerAnswers {
  readonly #marketData: MarketData;
  #version: string | null = null;
  #prepared = new Map<boolean, Promise<PreparedTickers>>();

  constructor(marketData: MarketData) {
    this.#marketData = marketData;
  }

  async get(withSimulated: boolean): Promise<PreparedTickers> {
    const { version } = await this.#marketData.current();
    if (version !== this.#version) {
      this.#version = version;
      this.#prepared = new Map();
    }
    const prepared = this.#prepared;
    const known = prepared.get(withSimulated);
    if (known) return known;
    const making = Promise.all([
      this.#marketData.assets(version),
      this.#marketData.conditionSeries?.(version) ?? [],
    ]).then(([assets, series]) =>
      prepareTickers(
        withSimulated ? assets : assets.filter(({ ticker }) => !ticker.startsWith(SIMULATED_PREFIX)),
        series,
      ),
    );
    prepared.set(withSimulated, making);
    making.catch(() => prepared.delete(withSimulated));
    return making;
  }
}

/** Whether a validator of `If-None-Match` names the answer; weak ones do, since only the encoding differs. */
export function matchesEtag(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  return header.split(',').some((part) => {
    const value = part.trim().replace(/^W\//, '');
    return value === '*' || value.replaceAll('"', '').replace(/-(?:br|gzip|identity)$/, '') === etag;
  });
}

/** Sessions behind `lastDay` that are over at `now` (a session's close counts from the next UTC day on). */
export function sessionsBehind(lastDay: string, now: Date): number {
  const last = parseDay(lastDay);
  if (last === null) return 0;
  const today = Math.floor(now.getTime() / 86_400_000);
  let behind = 0;
  for (let day = last + 1; day < today; day++) if (isSession(day)) behind++;
  return behind;
}

function dataSetOf(manifest: DataSetManifest, now: Date): DataSet {
  return {
    version: manifest.version,
    created_at: manifest.createdAt,
    label: manifest.label,
    is_simulated: manifest.isSimulated,
    last_day: manifest.lastDay,
    asset_count: manifest.assetCount,
    sessions_behind: sessionsBehind(manifest.lastDay, now),
  };
}

function assetsWithDefects(
  assets: readonly Asset[],
  flags: readonly SeriesFlag[],
): AdminMarketData['assets_with_defects'] {
  const byTicker = Map.groupBy(flags, ({ ticker }) => ticker);
  return assets
    .flatMap(({ ticker, name, firstDay, lastDay }) => {
      const own = byTicker.get(ticker);
      return own ? [{ ticker, name, first_day: firstDay, last_day: lastDay, flags: [...own] }] : [];
    })
    .sort((a, b) => b.flags.length - a.flags.length || (a.ticker < b.ticker ? -1 : 1))
    .slice(0, ADMIN_LIST_LIMIT);
}

/** Tickers, the current data set, and its state for admins. */
export function mountMarketDataQueries(app: FastifyInstance, deps: MarketDataRouteDeps): void {
  const answers = new TickerAnswers(deps.marketData);
  mountTickerQuery(app, deps);

  mountRoute(app, listTickers, async ({ principal, request, reply }) => {
    const { etag, bodies } = await answers.get(hasFeatures(principal, ['web.simulated-tickers.view']));
    const encoding = chooseEncoding(request.headers['accept-encoding']);
    reply.headers({
      etag: `"${etag}-${encoding}"`,
      // Always asked again, so that an import shows at once; the answer is then 304 without a body.
      'cache-control': 'private, no-cache',
      vary: 'accept-encoding, authorization',
    });
    if (matchesEtag(request.headers['if-none-match'], etag)) return reply.code(304).send();
    if (encoding !== 'identity') reply.header('content-encoding', encoding);
    return reply.code(200).headers(COMMON_HEADERS).send(bodies[encoding]);
  });

  mountRoute(app, getDataSet, async ({ reply }) => {
    reply.header('cache-control', 'private, no-cache');
    return { data: dataSetOf(await deps.marketData.current(), deps.clock.now()) };
  });

  mountRoute(app, getAdminMarketData, async ({ query }) => {
    const now = deps.clock.now();
    const current = await deps.marketData.current();
    const versions = await deps.marketData.versions();
    const shown = query.version ?? current.version;
    if (!(await findVersion(deps.marketData, shown)))
      return refuse(404, 'data_set_not_found', 'There is no data set of that version.');
    const report = (await deps.marketData.report?.(shown)) ?? null;
    const assets = report ? await deps.marketData.assets(shown) : [];
    const { rejected = [], flags = [], ...totals } = report ?? {};
    return {
      data: {
        current: dataSetOf(current, now),
        versions: versions.map((manifest) => ({
          ...dataSetOf(manifest, now),
          is_current: manifest.version === current.version,
        })),
        report: report ? (totals as AdminMarketData['report']) : null,
        rejected: rejected.slice(0, ADMIN_LIST_LIMIT),
        condition_series: seriesFacts((await deps.marketData.conditionSeries?.(shown)) ?? []),
        assets_with_defects: assetsWithDefects(assets, flags),
      },
    };
  });
}
