import { beforeEach, expect, it } from 'vitest';
import { queryClient, setApi } from '../../lib/api.ts';
import { approvePaper, paperAccount } from './paper.ts';

const KEY = paperAccount.queryKey;
beforeEach(() => queryClient.clear());

/** After how many milliseconds the account is asked for again. */
function againAfter(account: object | null): number | false {
  queryClient.setQueryData(KEY, { account, has_alpaca: false } as never);
  const query = queryClient.getQueryCache().find({ queryKey: KEY });
  return (paperAccount.refetchInterval as (of: unknown) => number | false)(query);
}

it('is asked for again while orders are approved and not filled, or decisions of the night are missing', () => {
  const nightOf = (...statuses: string[]) => ({ orders: statuses.map((status) => ({ status })) });
  expect(againAfter(null)).toBe(false);
  expect(againAfter({ nights: [nightOf('filled', 'refused')], tonight: { behind: [] } })).toBe(false);
  expect(againAfter({ nights: [], tonight: null })).toBe(false);
  expect(againAfter({ nights: [nightOf('filled'), nightOf('filled', 'approved')], tonight: null })).toBe(
    5_000,
  );
  expect(againAfter({ nights: [], tonight: { behind: ['s1'] } })).toBe(5_000);
});

it('is asked for again after an approval, also after one that was refused', async () => {
  const bodies: unknown[] = [];
  let refusal: Error | null = null;
  const call = async (_: unknown, { body }: { body: unknown }) => {
    bodies.push(body);
    if (refusal) throw refusal;
  };
  setApi({ call } as never);
  for (const given of [null, new Error('Another night')]) {
    refusal = given;
    queryClient.setQueryData(KEY, { account: null, has_alpaca: false });
    const done = approvePaper('2026-11-20');
    await (given ? expect(done).rejects.toThrow('Another night') : done);
    expect(queryClient.getQueryState(KEY)?.isInvalidated).toBe(true);
  }
  expect(bodies).toEqual([{ day: '2026-11-20' }, { day: '2026-11-20' }]);
});
