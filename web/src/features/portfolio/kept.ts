import { changePreferences, getPreferences } from '@quantloom/domain/contracts/http/calls';
import type { Portfolio } from '@quantloom/domain/portfolio/portfolio';
import { queryOptions } from '@tanstack/react-query';
import { api, queryClient } from '../../lib/api.ts';

const KEY = ['kept-portfolio'];

/** The portfolio that the account keeps; null: none was saved. */
export const keptPortfolio = queryOptions({
  queryKey: KEY,
  queryFn: async ({ signal }): Promise<Portfolio | null> => {
    const { portfolio } = await api().call(getPreferences, { signal });
    if (!portfolio) return null;
    const members = portfolio.members.map(({ strategy_id: strategyId, percent }) => ({
      strategyId,
      percent,
    }));
    return { members, rebalance: portfolio.rebalance };
  },
});

/** Has the account keep a portfolio for every device. */
export async function keepPortfolio({ members, rebalance }: Portfolio): Promise<void> {
  const portfolio = {
    members: members.map(({ strategyId, percent }) => ({ strategy_id: strategyId, percent })),
    rebalance,
  };
  await api().call(changePreferences, { body: { portfolio } });
  queryClient.setQueryData(KEY, { members, rebalance });
}
