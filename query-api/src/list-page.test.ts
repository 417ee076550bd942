import type { ListQueryValues } from '@quantloom/domain/contracts/http/list-query';
import { checkpointName } from '@quantloom/domain/kernel/projection';
import { isRefusal } from '@quantloom/domain/kernel/refusal';
import { listingId, listingsProjection } from '@quantloom/domain/listing/projection';
import type { FindQuery } from '@quantloom/domain/ports/read-models';
import {
  type StrategySummaryDocument,
  strategySummariesProjection,
} from '@quantloom/domain/strategy/projection';
import type { FastifyReply } from 'fastify';
import { describe, expect, it } from 'vitest';
import { type ListSource, listPage } from './list-page.ts';

const SOURCE: ListSource<StrategySummaryDocument> = {
  kind: 'strategy',
  projection: strategySummariesProjection,
  own: (ownerId) => ({ ownerId, isDeleted: false }),
  fields: { name: 'name', created: 'createdAt', updated: 'updatedAt', visibility: 'isPublic' },
  usual: 'updated',
  lineOf: (document) => document,
};
const ENTRIES = listingsProjection.collection.name;
const DOCUMENTS = strategySummariesProjection.collection.name;

/** What a list asks of read models in which so many documents match, and what it answers. */
async function asked(
  query: ListQueryValues,
  { matches = 3, entries = 7n as bigint | null, documents = 7n as bigint | null } = {},
) {
  const finds: { readonly collection: string; readonly query: FindQuery }[] = [];
  const counts: unknown[] = [];
  const headers: Record<string, unknown> = {};
  const readModels = {
    checkpoint: async (name: string) => (name === checkpointName(listingsProjection) ? entries : documents),
    find: async (collection: string, given: FindQuery) => {
      finds.push({ collection, query: given });
      const { limit = 0, skip = 0 } = given;
      const ids = Array.from({ length: Math.max(0, Math.min(limit, matches - skip)) }, (_, i) => skip + i);
      return ids.map((id) =>
        collection === ENTRIES ? { id: listingId('strategy', `s${id}`), kind: 'strategy' } : { id: `s${id}` },
      );
    },
    count: async (_: string, where: unknown) => {
      counts.push(where);
      return matches;
    },
    getMany: async (collection: string, ids: readonly string[]) => {
      expect(collection).toBe(DOCUMENTS);
      return ids.map((id) => ({ id }));
    },
  };
  const reply = { header: (name: string, value: unknown) => Object.assign(headers, { [name]: value }) };
  const deps = {
    readModels: readModels as never,
    eventStore: { head: async () => -1n } as never,
    clock: { now: () => new Date('2026-03-04T10:00:00.000Z') },
  };
  const rows = await listPage(deps, reply as unknown as FastifyReply, SOURCE, 'ann', query);
  if (isRefusal(rows)) throw new Error(rows.detail);
  const [find] = finds;
  if (!find || finds.length > 1) throw new Error('A list is one look');
  return { rows: rows.map(({ id }) => id), find, counts, total: headers['x-total-count'] };
}

describe('a page of a list', () => {
  it('tells the number of all that match, and counts only where the page does not tell it', async () => {
    expect(await asked({ limit: 4 })).toMatchObject({ rows: ['s0', 's1', 's2'], total: '3', counts: [] });
    // A full page may be the last one.
    const full = await asked({ limit: 3 });
    expect([full.total, full.counts]).toEqual(['3', [full.find.query.where]]);
    // What is counted is what is looked for, be it by entries or by documents.
    for (const entries of [7n, 6n]) {
      const { find, counts } = await asked({ limit: 2, search: 'bonds', visibility: 'public' }, { entries });
      expect(find.query.where).toMatchObject({ isPublic: true });
      expect(counts).toEqual([find.query.where]);
    }
    expect(await asked({ limit: 2 })).toMatchObject({ rows: ['s0', 's1'], total: '3' });
    expect(await asked({ limit: 2, skip: 2 })).toMatchObject({ rows: ['s2'], total: '3' });
    expect(await asked({ limit: 2, skip: 4 })).toMatchObject({ rows: [], total: '3' });
    expect(await asked({}, { matches: 1_000 })).toMatchObject({ total: '1000', counts: [{}] });
  });

  it('is of the caller’s own shelf: what is archived, or what is not', async () => {
    expect((await asked({})).find.query.where).toEqual({ owner: 'ann', shelf: 'strategy' });
    expect((await asked({ archived: 'only' })).find.query.where).toEqual({
      owner: 'ann',
      shelf: 'strategy.archived',
    });
  });

  it.each<[string | undefined, FindQuery['sort']]>([
    [undefined, [['updatedAt', 'desc']]],
    ['created', [['createdAt', 'desc']]],
    ['created:asc', [['createdAt', 'asc']]],
    ['name', [['title', 'asc']]],
    ['name:desc', [['title', 'desc']]],
    // What has no figure comes last either way.
    [
      'return:desc',
      [
        ['hasAnnual', 'desc'],
        ['annual', 'desc'],
      ],
    ],
    [
      'return:asc',
      [
        ['hasAnnual', 'desc'],
        ['annual', 'asc'],
      ],
    ],
    [
      'sharpe',
      [
        ['hasSharpe', 'desc'],
        ['sharpe', 'asc'],
      ],
    ],
  ])(
    'is sorted as it was asked for, times down and all else up where nothing is said: %s',
    async (sort, by) => {
      expect((await asked({ ...(sort && { sort }) })).find.query.sort).toEqual(by);
    },
  );

  it('holds the last day that was asked for, over the ends of months and years', async () => {
    const createdOf = async (query: ListQueryValues) =>
      ((await asked(query)).find.query.where as { readonly createdAt?: unknown }).createdAt;
    expect(await createdOf({ created_from: '2024-02-01', created_to: '2024-02-28' })).toEqual({
      gte: '2024-02-01',
      lt: '2024-02-29',
    });
    expect(await createdOf({ created_to: '2025-12-31' })).toEqual({ lt: '2026-01-01' });
    expect(await createdOf({ created_from: '2025-12-31' })).toEqual({ gte: '2025-12-31' });
    expect(await createdOf({})).toBeUndefined();
  });

  it('comes from the documents until the entries stand for all of them', async () => {
    const of = async (entries: bigint | null, documents: bigint | null) =>
      (await asked({ search: 'Two words' }, { entries, documents })).find;
    expect(await of(6n, 7n)).toMatchObject({
      collection: DOCUMENTS,
      query: { where: { ownerId: 'ann', isDeleted: false, name: { containsAll: ['Two', 'words'] } } },
    });
    expect((await of(null, 0n)).collection).toBe(DOCUMENTS);
    for (const entries of [7n, 8n])
      expect(await of(entries, 7n)).toMatchObject({
        collection: ENTRIES,
        query: { where: { owner: 'ann', words: { holdsAll: ['two', 'words'] } } },
      });
  });
});
