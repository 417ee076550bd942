import { listTickers } from '@quantloom/domain/contracts/http/calls';
import { useQuery } from '@tanstack/react-query';
import { api } from '../../../lib/api.ts';

/** Ticker names for badges, from the same list that the asset picker searches. */
export function useTickerNames(): ReadonlyMap<string, string> {
  const { data } = useQuery({
    queryKey: ['tickers', 'names'],
    queryFn: async ({ signal }) => {
      const answer = await api().call(listTickers, { signal });
      return new Map(answer.data.map(({ ticker, name }) => [ticker, name]));
    },
    staleTime: 10 * 60_000,
    structuralSharing: false,
  });
  return data ?? new Map();
}
