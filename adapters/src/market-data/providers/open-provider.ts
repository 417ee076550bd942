import { MarketDataError } from '../files/market-data-error.ts';
import { eodhd } from './eodhd.ts';
import type { PriceProvider, ProviderId, ProviderOptions } from './provider.ts';
import { tiingo } from './tiingo.ts';

interface ProviderEntry {
  readonly keyVariable: string;
  readonly urlVariable: string;
  readonly open: (options: ProviderOptions) => PriceProvider;
}

const PROVIDERS: Readonly<Record<ProviderId, ProviderEntry>> = {
  tiingo: { keyVariable: 'TIINGO_API_KEY', urlVariable: 'TIINGO_URL', open: tiingo },
  eodhd: { keyVariable: 'EODHD_API_KEY', urlVariable: 'EODHD_URL', open: eodhd },
};

export const PROVIDER_IDS = Object.keys(PROVIDERS) as readonly ProviderId[];

/**
 * A provider by its name, with its key from the environment (`TIINGO_API_KEY`, `EODHD_API_KEY`; `TIINGO_URL`, `EODHD_URL` for a proxy).
 * Throws `import_refused` for an unknown name or a missing key.
 */
export function openProvider(
  id: string,
  env: Readonly<Record<string, string | undefined>>,
  options: Pick<ProviderOptions, 'requestsPerHour' | 'wait'> = {},
): PriceProvider {
  if (!Object.hasOwn(PROVIDERS, id))
    throw new MarketDataError(
      'import_refused',
      `There is no provider ${id}; there are ${PROVIDER_IDS.join(' and ')}`,
    );
  const { keyVariable, urlVariable, open } = PROVIDERS[id as ProviderId];
  const key = env[keyVariable]?.trim();
  if (!key)
    throw new MarketDataError(
      'import_refused',
      `Set ${keyVariable} to your key for ${id} in the environment`,
    );
  const baseUrl = env[urlVariable]?.trim();
  return open({ key, ...(baseUrl && { baseUrl: baseUrl.replace(/\/?$/, '/') }), ...options });
}
