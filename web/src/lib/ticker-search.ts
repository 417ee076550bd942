import { listTickers } from '@quantloom/domain/contracts/http/calls';
import type { Ticker } from '@quantloom/domain/contracts/http/market-data';
import { TickerSearch } from '@quantloom/domain/market-data/ticker-search';
import { useQuery } from '@tanstack/react-query';
import { api } from './api.ts';

/** All tickers with their search index, fetched once and kept for the session. */
export function useTickerSearch() {
  return useQuery({
    queryKey: ['tickers'],
    queryFn: async ({ signal }) => {
      const { data, series = [] } = await api().call(listTickers, { signal });
      return { data, series, search: new TickerSearch<Ticker>(data) };
    },
    staleTime: 10 * 60_000,
    // An index is no plain data: it is replaced, never merged.
    structuralSharing: false,
  });
}
