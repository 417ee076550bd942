import type { ApiClient } from '@quantloom/domain/contracts/http/client';
import { afterEach, expect, it } from 'vitest';
import { queryClient, setApi } from '../../lib/api.ts';
import { keepPortfolio, keptPortfolio } from './kept.ts';

afterEach(() => queryClient.clear());

it('keeps a portfolio with the account, and shows it as it was kept from then on', async () => {
  let stored: unknown = null;
  let asked = 0;
  setApi({
    call: async (_: unknown, { body }: { readonly body?: { readonly portfolio: unknown } } = {}) => {
      asked += 1;
      if (body) stored = body.portfolio;
      return { portfolio: stored };
    },
  } as unknown as ApiClient);
  const read = () => queryClient.fetchQuery({ ...keptPortfolio, staleTime: Number.POSITIVE_INFINITY });
  expect(await read()).toBeNull();
  const portfolio = { members: [{ strategyId: 's1', percent: 40 }], rebalance: 'monthly' } as const;
  await keepPortfolio(portfolio);
  expect(stored).toEqual({ members: [{ strategy_id: 's1', percent: 40 }], rebalance: 'monthly' });
  expect(await read()).toEqual(portfolio);
  // Once read and once kept: what is shown did not have to be asked for again.
  expect(asked).toBe(2);
  queryClient.clear();
  expect(await read()).toEqual(portfolio);
});
