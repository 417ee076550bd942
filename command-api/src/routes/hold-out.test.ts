import { type BatchLooksDocument, batchLooksProjection } from '@quantloom/domain/batch/looks';
import { type BatchDocument, type BatchStatus, batchesProjection } from '@quantloom/domain/batch/projections';
import { handleCommand } from '@quantloom/domain/kernel/handle-command';
import { isRefusal } from '@quantloom/domain/kernel/refusal';
import { STARTERS } from '@quantloom/domain/strategy/starters';
import { strategyStream } from '@quantloom/domain/strategy/strategy';
import type { ReadModelProgress } from '@quantloom/http/read-own-writes';
import { ulid } from 'ulid';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type MemoryServer, openMemoryServer } from '../../testing/memory-server.ts';
import { type Caller, PRINCIPALS } from '../../testing/test-api.ts';
import { mountHoldOut } from './hold-out.ts';

const OWNER = PRINCIPALS.paid.userId;
type Look = Pick<BatchLooksDocument, 'outOfSampleDate' | 'seenUntil'> & {
  readonly userId?: string;
  readonly status?: BatchStatus;
};

describe('what batches of the lineage have looked at', () => {
  let server: MemoryServer;
  let looks: readonly Look[];
  let waits: Parameters<ReadModelProgress['whenReached']>[];
  let isReached: boolean;
  let asked: unknown[];

  beforeEach(async () => {
    [looks, waits, isReached, asked] = [[], [], true, []];
    const readModels = {
      find: async (collection: string, { where }: { readonly where: unknown }) => {
        expect(collection).toBe(batchLooksProjection.collection.name);
        asked.push(where);
        return looks.map(({ userId = OWNER, outOfSampleDate, seenUntil }, index) => ({
          ...{ id: `b${index}`, name: `Batch ${index}`, endDate: '2020-12-31' },
          ...{ userId, outOfSampleDate, seenUntil },
        }));
      },
      getMany: async (collection: string, ids: readonly string[]) => {
        expect(collection).toBe(batchesProjection.collection.name);
        return ids.flatMap((id): Pick<BatchDocument, 'id' | 'status'>[] => {
          const { status } = looks[Number(id.slice(1))] ?? {};
          return status === undefined ? [] : [{ id, status }];
        });
      },
    };
    const consistency: ReadModelProgress = {
      whenReached: async (...given) => {
        waits.push(given);
        return isReached;
      },
    };
    server = await openMemoryServer(mountHoldOut, { readModels, consistency });
    const made = await handleCommand(
      server.eventStore,
      strategyStream,
      's1',
      {
        ...{ type: 'CreateStrategy', strategyId: 's1', name: 'S', isPublic: true, status: 'draft' },
        algorithm: STARTERS[0]?.build(ulid),
        caller: { userId: OWNER, features: [] },
      },
      {
        ...{ commandId: ulid(), correlationId: 'test', now: '2026-03-04T10:00:00.000Z' },
        actor: { kind: 'user', userId: OWNER },
      },
    );
    if (isRefusal(made)) throw new Error(made.detail);
  });
  afterEach(() => server.app.close());

  const holdOut = async (date: string, caller: Caller = 'paid') => {
    const { status, body } = await server.call(caller, 'POST', '/trading-bots/s1/hold-out', { date });
    return { ...body, status };
  };
  const SEEN = { status: 409, code: 'hold_out_seen' };

  it('is known of the whole log before anything is promised', async () => {
    const head = await server.eventStore.head();
    expect(await holdOut('2021-01-01')).toMatchObject({ status: 200, hold_out: { date: '2021-01-01' } });
    expect(waits[0]).toMatchObject([head, { projections: [{ name: 'batchLooks' }, { name: 'batches' }] }]);
    expect(asked).toEqual([{ lineageId: 's1' }]);
    isReached = false;
    expect(await holdOut('2020-06-01')).toMatchObject({ status: 503, code: 'unavailable' });
  });

  it('holds from the day behind the last one that was ranked', async () => {
    looks = [{ outOfSampleDate: null, seenUntil: '2019-05-31', status: 'Finished' }];
    expect(await holdOut('2019-05-31')).toMatchObject({ ...SEEN, free_from: '2019-06-01' });
    expect(await holdOut('2019-06-01')).toMatchObject({ status: 200 });
  });

  it.each(['Queued', 'Running', 'CompilingResults', 'Error'] as const)(
    'counts a batch that is %s as what it will rank: to its end, or to the day before its own date',
    async (status) => {
      looks = [{ outOfSampleDate: null, seenUntil: '', status }];
      expect(await holdOut('2020-12-31')).toMatchObject({ ...SEEN, free_from: '2021-01-01' });
      looks = [{ outOfSampleDate: '2018-01-02', seenUntil: '', status }];
      expect(await holdOut('2018-01-01')).toMatchObject({ ...SEEN, free_from: '2018-01-02' });
      expect(await holdOut('2018-01-02')).toMatchObject({ status: 200 });
    },
  );

  it('leaves out what will never rank a row: a batch that was stopped before it did, or is gone', async () => {
    looks = [
      { outOfSampleDate: null, seenUntil: '', status: 'Stopped' },
      { outOfSampleDate: null, seenUntil: '' },
    ];
    expect(await holdOut('2015-01-02')).toMatchObject({ status: 200 });
  });

  it('names the caller’s own, and tells of those of others only how many', async () => {
    looks = [
      { outOfSampleDate: null, seenUntil: '2020-12-31' },
      { outOfSampleDate: null, seenUntil: '2020-12-31', userId: 'somebody' },
    ];
    const refused = await holdOut('2020-01-02');
    expect(refused).toMatchObject({ ...SEEN, batches: [{ id: 'b0', name: 'Batch 0' }], others: 1 });
    expect(JSON.stringify(refused)).not.toContain('Batch 1');
  });

  it('is nobody’s to ask for but the owner’s', async () => {
    expect((await holdOut('2021-01-01', 'other')).status).toBe(403);
    expect([waits, asked]).toEqual([[], []]);
  });
});
