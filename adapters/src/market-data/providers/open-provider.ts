import { MarketDataError } from '../files/market-data-error.ts';
import { alpaca } from './alpaca.ts';
import { eodhd } from './eodhd.ts';
import { fred, type SeriesProvider } from './fred.ts';
import type { PriceProvider, ProviderId, ProviderOptions } from './provider.ts';
import { stooq } from './stooq.ts';
import { tiingo } from './tiingo.ts';

interface ProviderEntry {
  /** Variables of the environment that hold its key, in one part or two; none where it works without. */
  readonly keyVariables: readonly string[];
  readonly needsKey: boolean;
  readonly urlVariable: string;
  readonly open: (options: ProviderOptions) => PriceProvider;
}

const PROVIDERS: Readonly<Record<ProviderId, ProviderEntry>> = {
  tiingo: { keyVariables: ['TIINGO_API_KEY'], needsKey: true, urlVariable: 'TIINGO_URL', open: tiingo },
  eodhd: { keyVariables: ['EODHD_API_KEY'], needsKey: true, urlVariable: 'EODHD_URL', open: eodhd },
  stooq: { keyVariables: ['STOOQ_API_KEY'], needsKey: false, urlVariable: 'STOOQ_URL', open: stooq },
  alpaca: {
    keyVariables: ['APCA_API_KEY_ID', 'APCA_API_SECRET_KEY'],
    needsKey: true,
    urlVariable: 'ALPACA_URL',
    open: alpaca,
  },
};

export const PROVIDER_IDS = Object.keys(PROVIDERS) as readonly ProviderId[];

/**
 * A provider by its name, with its key from the environment (`TIINGO_API_KEY`, `EODHD_API_KEY`,
 * `APCA_API_KEY_ID` with `APCA_API_SECRET_KEY`; `STOOQ_API_KEY` if you have one; `TIINGO_URL` and so on for a
 * proxy). Throws `import_refused` for an unknown name or a missing key.
 */
export function openProvider(
  id: string,
  env: Readonly<Record<string, string | undefined>>,
  options: Pick<ProviderOptions, 'requestsPerHour' | 'wait'> = {},
): PriceProvider {
  if (!Object.hasOwn(PROVIDERS, id))
    throw new MarketDataError(
      'import_refused',
      `There is no provider ${id}; there are ${new Intl.ListFormat('en-GB').format(PROVIDER_IDS)}`,
    );
  const { keyVariables, needsKey, urlVariable, open } = PROVIDERS[id as ProviderId];
  const [key = '', secret] = keyVariables.map((name) => env[name]?.trim() ?? '');
  const missing = keyVariables.filter((name) => !env[name]?.trim());
  if (needsKey && missing.length > 0)
    throw new MarketDataError(
      'import_refused',
      `Set ${missing.join(' and ')} to your key for ${id} in the environment`,
    );
  const baseUrl = env[urlVariable]?.trim();
  return open({
    key,
    ...(secret && { secret }),
    ...(baseUrl && { baseUrl: baseUrl.replace(/\/?$/, '/') }),
    ...options,
  });
}

/** FRED, with its key from `FRED_API_KEY`. Throws `import_refused` without one. */
export function openFred(env: Readonly<Record<string, string | undefined>>): SeriesProvider {
  const key = env.FRED_API_KEY?.trim();
  if (!key)
    throw new MarketDataError('import_refused', 'Set FRED_API_KEY to your key for FRED in the environment');
  const baseUrl = env.FRED_URL?.trim();
  return fred({ key, ...(baseUrl && { baseUrl: baseUrl.replace(/\/?$/, '/') }) });
}
