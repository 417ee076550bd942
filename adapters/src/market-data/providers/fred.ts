import {
  SERIES_PREFIX,
  usualLag,
  type Vintage,
  withLag,
  withVintages,
} from '@quantloom/domain/market-data/condition-series';
import { parseDay } from '@quantloom/domain/market-data/day';
import { MarketDataError } from '../files/market-data-error.ts';
import type { IncomingSeries } from '../import/series-file.ts';
import { HttpSource, ProviderAnswer } from './http-source.ts';
import type { ProviderOptions, RequestOptions } from './provider.ts';

const BASE_URL = 'https://api.stlouisfed.org/';
/** As many as one answer may hold. */
const PAGE = 100_000;
const MOST_PAGES = 100;

/** A source of series for conditions. */
export interface SeriesProvider {
  /** A whole series by the id that the source gives it; null where it has none. */
  series(
    id: string,
    options?: RequestOptions & { readonly lagDays?: number },
  ): Promise<IncomingSeries | null>;
}

/**
 * FRED, with its archive ALFRED (https://fred.stlouisfed.org/docs/api/fred/series_observations.html): `GET /fred/series/observations` over all
 * real-time periods tells on which day each value was published. Where an id has too many vintages for one
 * answer, today's values with a lag are taken, and said to be that.
 */
export function fred(options: ProviderOptions): SeriesProvider {
  const source = new HttpSource({
    name: 'FRED',
    requestsPerHour: options.requestsPerHour ?? 6_000,
    concurrency: 2,
    wait: options.wait,
  });
  const ask = (path: string, query: Readonly<Record<string, string>>, request: RequestOptions) => {
    const url = new URL(`fred/${path}`, options.baseUrl ?? BASE_URL);
    for (const [name, value] of Object.entries({ ...query, api_key: options.key, file_type: 'json' }))
      url.searchParams.set(name, value);
    return source.getJson(url, request);
  };
  const observations = async (
    id: string,
    period: Readonly<Record<string, string>>,
    request: RequestOptions,
  ) => {
    const found: Vintage[] = [];
    for (let page = 0; page < MOST_PAGES; page++) {
      const query = { series_id: id, limit: String(PAGE), offset: String(page * PAGE), ...period };
      const answer = (await ask('series/observations', query, request)) as { observations?: unknown } | null;
      if (!Array.isArray(answer?.observations)) throw refused(`answered no observations of ${id}`);
      found.push(...answer.observations.flatMap(vintageOf));
      if (answer.observations.length < PAGE) return found;
    }
    throw refused(`answers pages without end for ${id}`);
  };
  return {
    async series(id, { lagDays, ...request } = {}) {
      const facts = await ask('series', { series_id: id }, request).catch(nullIfBadRequest);
      const title = titleOf(facts);
      if (title === null) return null;
      const everything = { realtime_start: '1776-07-04', realtime_end: '9999-12-31' };
      const archived = await observations(id, everything, request).catch(nullIfBadRequest);
      const found = archived ?? (await observations(id, {}, request));
      if (found.length === 0) return null;
      const days = Int32Array.from(new Set(found.map(({ day }) => day))).sort();
      const lag = lagDays ?? lagOf(facts) ?? usualLag(days);
      return {
        name: `${SERIES_PREFIX}${id.toUpperCase()}`,
        title,
        source: 'FRED',
        lagDays: lag,
        hasVintages: archived !== null,
        observations: archived
          ? withVintages(archived, lag)
          : withLag(
              found.map(({ day }) => day),
              found.map(({ value }) => value),
              lag,
            ),
      };
    },
  };
}

/** FRED answers 400 for a series it does not have, and for more vintages than one answer may hold. */
function nullIfBadRequest(error: unknown): null {
  const { cause } = error as { cause?: unknown };
  if (cause instanceof ProviderAnswer && cause.status === 400 && !/api_key/i.test(cause.message)) return null;
  throw error;
}

function vintageOf(observation: unknown): Vintage[] {
  const { date, value, realtime_start: start } = (observation ?? {}) as Record<string, unknown>;
  const day = parseDay(String(date));
  const published = parseDay(String(start));
  if (day === null || published === null) throw refused('answered an observation without its days');
  // A full stop is a day without a value.
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : Number.NaN;
  return Number.isFinite(number) ? [{ day, published, value: number }] : [];
}

/** By the frequency that it tells: few observations do not show one. */
const LAGS: Readonly<Record<string, number>> = { D: 1, W: 14, BW: 21, M: 62, Q: 185, SA: 370, A: 550 };

function lagOf(answer: unknown): number | null {
  const { seriess } = (answer ?? {}) as { seriess?: { frequency_short?: unknown }[] };
  return LAGS[String(seriess?.[0]?.frequency_short)] ?? null;
}

function titleOf(answer: unknown): string | null {
  const { seriess } = (answer ?? {}) as { seriess?: unknown };
  const [facts] = Array.isArray(seriess) ? (seriess as { title?: unknown }[]) : [];
  return facts ? (typeof facts.title === 'string' ? facts.title : '') : null;
}

function refused(what: string): MarketDataError {
  return new MarketDataError('provider_refused', `FRED ${what}`);
}
