import { getTradingBot } from '@quantloom/domain/contracts/http/calls';
import type { StrategySource } from '@quantloom/domain/strategy/tree';
import { useQuery } from '@tanstack/react-query';
import { api, statusOf } from '../../../lib/api.ts';

/** A strategy as it stands now; null where it is gone or no longer to be seen: what is pinned stays all the same. */
export function useSourceNow(source: StrategySource) {
  return useQuery({
    queryKey: ['trading-bots', source.strategy_id, 'source'],
    queryFn: async ({ signal }) => {
      try {
        return await api().call(getTradingBot, { params: { id: source.strategy_id }, signal });
      } catch (error) {
        if (statusOf(error) === 404) return null;
        throw error;
      }
    },
    staleTime: 60_000,
    retry: false,
  });
}

/** The id in what was pasted: the address of a strategy's page, or the id alone. */
export function strategyIdIn(text: string): string | null {
  return /(?:^|\/editor\/)([0-9A-HJKMNP-TV-Z]{26})(?:[/?#]|$)/i.exec(text.trim())?.[1] ?? null;
}
