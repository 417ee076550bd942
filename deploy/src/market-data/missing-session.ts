import type { PriceProvider } from '@quantloom/adapters/market-data/providers/provider';
import { lastClosedSession } from '@quantloom/domain/market-data/exchange-hours';
import type { MarketData } from '@quantloom/domain/ports/market-data';

/** A session that has closed and of which a provider's series have no price yet. */
export interface MissingSession {
  /** `YYYY-MM-DD`. */
  readonly session: string;
  /** Those that go on up to the newest day there is: any of them tells whether the next one is out. */
  readonly tickers: readonly string[];
}

/**
 * The last session that has closed, where no series of the provider has it; null where one has, and where
 * there are none.
 */
export async function missingSession(
  marketData: Pick<MarketData, 'assets' | 'current'>,
  provider: Pick<PriceProvider, 'name'>,
  now: Date,
): Promise<MissingSession | null> {
  const { version } = await marketData.current();
  const own = (await marketData.assets(version)).filter(({ source }) => source === provider.name);
  const session = lastClosedSession(now);
  const lastDay = own
    .map((asset) => asset.lastDay)
    .sort()
    .at(-1);
  if (lastDay === undefined || lastDay >= session) return null;
  return {
    session,
    tickers: own.filter((asset) => asset.lastDay === lastDay).map(({ ticker }) => ticker),
  };
}

/** Whether the provider has a ticker's close of a session. Rejects where it does not answer. */
export async function providerHas(
  provider: Pick<PriceProvider, 'history'>,
  ticker: string,
  session: string,
  signal: AbortSignal,
): Promise<boolean> {
  const bars = await provider.history(ticker, { from: session, signal });
  return (bars ?? []).some(({ date }) => date >= session);
}
