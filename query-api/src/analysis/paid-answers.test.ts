import { isRefusal, refuse } from '@quantloom/domain/kernel/refusal';
import { costOfRows } from '@quantloom/domain/limits/cost';
import { FREE_METER } from '@quantloom/http/costs';
import { expect, it } from 'vitest';
import { PaidAnswers } from './paid-answers.ts';

const batch = { id: 'b', combinations: 1_000_000 };
const QUICK = { name: 'heat-map', takes: 'quick' } as const;
const SLOW = { name: 'robust', takes: 'slow' } as const;

/** A caller, and what he was charged. */
function caller(userId: string, budget = Number.POSITIVE_INFINITY) {
  const charged: number[] = [];
  const cost = {
    ...FREE_METER,
    expect: async (milliseconds: number) => {
      if (charged.reduce((sum, one) => sum + one, milliseconds) > budget)
        return refuse(429, 'cost_limit', 'Nothing left');
      charged.push(milliseconds);
      return null;
    },
  };
  return { charged, ask: (query: unknown) => ({ query, cost, principal: { userId } }) };
}

it('costs by rows what is computed, and nothing more what is kept', async () => {
  const answers = new PaidAnswers();
  const [ann, bob] = [caller('ann'), caller('bob')];
  for (let i = 0; i < 3; i += 1) await answers.answer(ann.ask({ x: 1 }), batch, QUICK, async () => 'map');
  expect(ann.charged).toEqual([costOfRows(1_000_000, 'page')]);
  expect(await answers.answer(bob.ask({ x: 1 }), batch, QUICK, async () => 'another')).toBe('map');
  expect(bob.charged).toEqual([]);
  await answers.answer(ann.ask({ limit: 1 }), batch, SLOW, async () => 'order');
  expect(ann.charged.at(-1)).toBe(costOfRows(1_000_000, 'file'));
});

it('keeps an answer for its own question about its own batch', async () => {
  const answers = new PaidAnswers();
  const ann = caller('ann');
  const other = { ...batch, id: 'b2' };
  const asked = [
    [batch, QUICK, { x: 1 }],
    [other, QUICK, { x: 1 }],
    [batch, SLOW, { x: 1 }],
    [batch, QUICK, { x: 2 }],
  ] as const;
  for (const [index, [of, question, query]] of asked.entries())
    expect(await answers.answer(ann.ask(query), of, question, async () => index)).toBe(index);
  expect(ann.charged).toHaveLength(4);
  expect(await answers.answer(ann.ask({ x: 1 }), other, QUICK, async () => 9)).toBe(1);
});

it('ends in a refusal, before anything is computed, where questions differ without end', async () => {
  const answers = new PaidAnswers();
  const ann = caller('ann', 10_000);
  let computed = 0;
  let refused = 0;
  for (let limit = 1; limit <= 100; limit += 1)
    if (isRefusal(await answers.answer(ann.ask({ limit }), batch, SLOW, async () => ++computed)))
      refused += 1;
  expect(computed).toBe(Math.floor(10_000 / costOfRows(1_000_000, 'file')));
  expect(refused).toBe(100 - computed);
});

it('has two of a user under way at most, while others are not kept waiting by him', async () => {
  const answers = new PaidAnswers();
  const under: { user: string; end: () => void }[] = [];
  const ask = (user: string, limit: number) =>
    answers.answer(caller(user).ask({ limit, user }), batch, SLOW, async () => {
      const { promise, resolve } = Promise.withResolvers<void>();
      under.push({ user, end: resolve });
      await promise;
      return limit;
    });
  const all = [1, 2, 3, 4, 5].map((limit) => ask('ann', limit));
  const bobs = ask('bob', 1);
  const settled = () => new Promise((resolve) => setImmediate(resolve));
  await settled();
  expect(under.map(({ user }) => user)).toEqual(['ann', 'ann', 'bob']);
  for (let i = 0; i < 6; i += 1) {
    under[i]?.end();
    await settled();
  }
  expect(await Promise.all(all)).toEqual([1, 2, 3, 4, 5]);
  expect(await bobs).toBe(1);
});

it('gives the turn of a question back that failed: the next ones of its user are answered', async () => {
  const answers = new PaidAnswers();
  const ask = (limit: number, compute: () => Promise<number>) =>
    answers.answer(caller('ann').ask({ limit }), batch, SLOW, compute);
  for (let limit = 0; limit < 3; limit += 1)
    await expect(ask(limit, () => Promise.reject(new Error('away')))).rejects.toThrow('away');
  expect(await ask(0, async () => 7)).toBe(7);
});

it('refuses the questions of a user for whom too many wait, and does not keep the refusal', async () => {
  const answers = new PaidAnswers();
  const { promise: gate, resolve: open } = Promise.withResolvers<void>();
  const ask = (limit: number) =>
    answers.answer(caller('ann').ask({ limit }), batch, SLOW, async () => {
      await gate;
      return limit;
    });
  const first = Array.from({ length: 2 + 64 }, (_, limit) => ask(limit));
  await expect(ask(66)).rejects.toMatchObject({ refusal: { status: 429, code: 'too_many_at_once' } });
  open();
  expect(await Promise.all(first)).toHaveLength(66);
  expect(await ask(66)).toBe(66);
});
