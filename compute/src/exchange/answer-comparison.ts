import type { AnswerComparison } from '@quantloom/domain/ports/answer-comparison';
import type { MarketData } from '@quantloom/domain/ports/market-data';
import { compareIndicators, tickersOfAnswer } from './compare-indicators.ts';

/**
 * Values that are computed for one import: some milliseconds of the thread that serves. Answers of real
 * strategies have up to 200.
 */
const MOST_VALUES = 300;

/** Compares with the current prices. Simulated ones say nothing about another tool's and count as missing. */
export function createAnswerComparison(
  marketData: Pick<MarketData, 'current' | 'assets' | 'load'>,
): AnswerComparison {
  return {
    async compare(answer) {
      const { date } = answer;
      const values = answer.values.slice(0, MOST_VALUES);
      const version = await currentVersion(marketData);
      if (version === null) return null;
      const wanted = new Set(tickersOfAnswer({ date, values }));
      const known = (await marketData.assets(version)).filter(
        ({ ticker, isSimulated }) => wanted.has(ticker) && !isSimulated,
      );
      if (known.length === 0) return null;
      const prices = await marketData.load(
        version,
        known.map(({ ticker }) => ticker),
      );
      const isUnadjusted = known.every(({ adjustment }) => adjustment === 'splits' || adjustment === 'none');
      return compareIndicators(answer, prices, isUnadjusted ? 'unadjusted' : 'adjusted', MOST_VALUES);
    },
  };
}

async function currentVersion(marketData: Pick<MarketData, 'current'>): Promise<string | null> {
  try {
    return (await marketData.current()).version;
  } catch (error) {
    if ((error as { code?: unknown }).code === 'no_data_set') return null;
    throw error;
  }
}
