import type { FindQuery } from '@quantloom/domain/ports/read-models';
import { expect, it } from 'vitest';
import { measureBatches } from './batches.ts';
import { measureOutages } from './outages.ts';

type Values = readonly { readonly labels: object; readonly value: number }[];

/** Gauges by their names. */
function gauges() {
  const found = new Map<string, () => Promise<Values>>();
  const gauge = (name: string, _help: string, _labels: unknown, read: () => Promise<Values>) =>
    void found.set(name, read);
  return { metrics: { gauge } as never, read: async (name: string) => await found.get(name)?.() };
}
const NOW = Date.parse('2026-03-04T10:00:00.000Z');

it('tells how many batches have not ended, and how long the first in line has waited, in seconds', async () => {
  const { metrics, read } = gauges();
  let createdAt: string | null = '2026-03-04T09:58:30.000Z';
  const readModels = {
    count: async (_: string, { status }: { readonly status: string }) =>
      ({ Queued: 3, Running: 2, CompilingResults: 1 })[status] ?? 100,
    find: async (_: string, query: FindQuery) => {
      expect(query).toEqual({ where: { status: 'Queued' }, sort: [['createdAt', 'asc']], limit: 1 });
      return createdAt === null ? [] : [{ createdAt }];
    },
  };
  measureBatches(metrics, readModels as never, () => NOW);
  expect(await read('batches')).toEqual([
    { labels: { status: 'Queued' }, value: 3 },
    { labels: { status: 'Running' }, value: 2 },
    { labels: { status: 'CompilingResults' }, value: 1 },
  ]);
  const waited = async () => (await read('oldest_queued_batch_seconds'))?.[0]?.value;
  expect(await waited()).toBe(90);
  // The clock of another process may be ahead.
  createdAt = '2026-03-04T10:00:01.000Z';
  expect(await waited()).toBe(0);
  createdAt = null;
  expect(await waited()).toBe(0);
});

it('tells of servers that are away for how many seconds they are, and of no others', async () => {
  const { metrics, read } = gauges();
  const current = [
    { dependency: 'eventStore', since: new Date(NOW - 2_500), reason: 'away' },
    { dependency: 'results', since: new Date(NOW + 1_000), reason: 'away' },
  ];
  measureOutages(metrics, { current: () => current } as never, () => NOW);
  const values = await read('dependency_away_seconds');
  expect(values?.map(({ value }) => value)).toEqual([2.5, 0]);
  current.length = 0;
  expect(await read('dependency_away_seconds')).toEqual([]);
});
