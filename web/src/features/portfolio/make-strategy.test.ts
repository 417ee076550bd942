import { createTradingBot } from '@quantloom/domain/contracts/http/calls';
import { newAlgorithm } from '@quantloom/domain/strategy/node-factory';
import type { Algorithm } from '@quantloom/domain/strategy/tree';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { queryClient, setApi } from '../../lib/api.ts';
import { makeStrategy } from './make-strategy.ts';

interface Input {
  readonly params?: { readonly id: string };
  readonly body?: { readonly name: string; readonly is_public: boolean; readonly algorithm: Algorithm };
}
let asked: string[];
let made: NonNullable<Input['body']>[];

beforeEach(() => {
  [asked, made] = [[], []];
  let count = 0;
  const call = async (route: unknown, { params, body }: Input) => {
    if (route === createTradingBot && body) {
      made.push(body);
      return { id: 'made' };
    }
    const id = params?.id ?? '';
    asked.push(id);
    const algorithm = newAlgorithm(() => `${id}_${count++}`, `Strategy ${id}`);
    return { id, name: `Strategy ${id}`, type: id === 't' ? 'template' : 'bot', revision: 2, algorithm };
  };
  setApi({ call } as never);
});
afterEach(() => queryClient.clear());

const member = (strategyId: string, percent: number) => ({ strategyId, percent });

it('saves a private strategy that holds others by their weights, without those that weigh nothing', async () => {
  queryClient.setQueryData(['drafts', 'count'], 3);
  const members = [member('a', 60), member('t', 0), member('b', 30)];
  expect(await makeStrategy({ members, rebalance: 'monthly' }, 'Together')).toBe('made');
  expect(asked).toEqual(['a', 'b']);
  const [{ name, is_public: isPublic, algorithm } = {} as (typeof made)[0]] = made;
  expect([name, isPublic, algorithm.name, algorithm.rebalance]).toEqual([
    'Together',
    false,
    'Together',
    'monthly',
  ]);
  const [weights] = algorithm.children;
  expect(algorithm.children).toHaveLength(1);
  expect(weights).toMatchObject({
    node_type: 'wt-cash-specified',
    children: [
      { weight: { num: 60, den: 100 }, name: 'Strategy a' },
      { weight: { num: 30, den: 100 }, name: 'Strategy b' },
    ],
  });
  expect(queryClient.getQueryState(['drafts', 'count'])?.isInvalidated).toBe(true);
});

it('makes none where one has variables without values', async () => {
  const members = [member('a', 60), member('t', 40)];
  await expect(makeStrategy({ members, rebalance: 'monthly' }, 'Together')).rejects.toThrow(
    '“Strategy t” has variables without values',
  );
  expect(made).toEqual([]);
});
