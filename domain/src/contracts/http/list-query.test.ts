import type { TSchema } from 'typebox';
import { Value } from 'typebox/value';
import { describe, expect, it } from 'vitest';
import { BatchListQuery, StrategyListQuery, VariableListQuery } from './list-query.ts';

describe('what lists take', () => {
  for (const [name, query] of Object.entries({ BatchListQuery, StrategyListQuery, VariableListQuery })) {
    const takes = (values: object) => Value.Check(query, values);

    it(`are pages of a thousand at most, from any place on (${name})`, () => {
      expect([1, 1_000].every((limit) => takes({ limit }))).toBe(true);
      expect([0, 1_001, 2.5].some((limit) => takes({ limit }))).toBe(false);
      expect([0, 1_000_000].every((skip) => takes({ skip }))).toBe(true);
      expect([-1, 1_000_001].some((skip) => takes({ skip }))).toBe(false);
    });

    it(`are one or several ids, and none that is empty (${name})`, () => {
      expect(['a', 'a,b', 'a,b,c'].every((ids) => takes({ ids }))).toBe(true);
      expect(['', ',', 'a,', ',a', 'a,,b'].some((ids) => takes({ ids }))).toBe(false);
    });

    it(`are whole days, whatever way round they are sorted (${name})`, () => {
      expect(takes({ created_from: '2026-03-01', created_to: '2026-03-01' })).toBe(true);
      expect(['2026-03', '2026-03-01T00:00', '1 March'].some((created_to) => takes({ created_to }))).toBe(
        false,
      );
      const orders = ['name', 'name:asc', 'created:desc', 'updated:desc', 'visibility:asc'];
      expect(orders.filter((sort) => !takes({ sort }))).toEqual([]);
      expect(['', 'name:', 'name:up', 'owner', 'names', ' name'].filter((sort) => takes({ sort }))).toEqual(
        [],
      );
    });
  }

  it('are one or several states of batches', () => {
    for (const status of ['Queued', 'Running,CompilingResults', 'Finished,Stopped,Error'])
      expect(Value.Check(BatchListQuery, { status })).toBe(true);
    for (const status of ['', 'queued', 'Finished,', 'Finished;Error', 'Gone'])
      expect(Value.Check(BatchListQuery, { status })).toBe(false);
  });

  it('are sorted by what each list has', () => {
    const fits = (query: TSchema, sort: string) => Value.Check(query, { sort });
    const lists = [StrategyListQuery, VariableListQuery, BatchListQuery];
    for (const name of ['return', 'drawdown', 'sharpe', 'type'])
      expect(lists.map((list) => fits(list, name))).toEqual([true, false, false]);
    expect(lists.map((list) => fits(list, 'size'))).toEqual([false, true, true]);
    expect(fits(BatchListQuery, 'status:asc')).toBe(true);
  });
});
