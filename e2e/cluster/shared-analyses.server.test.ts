import { randomUUID } from 'node:crypto';
import { openMongoReadModels } from '@quantloom/adapters/read-models/mongodb/mongodb-read-models';
import { MONGODB } from '@quantloom/adapters/testing/containers';
import { onRealServer } from '@quantloom/adapters/testing/real-server';
import { ANALYSIS_CLAIMS_COLLECTION } from '@quantloom/domain/batch/projections';
import { Claims } from '@quantloom/query-api/analysis/claims';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const PROCESSES = 5;
const ROUNDS = 8;

await onRealServer(MONGODB, (connect) =>
  describe('analyses that several processes of a cluster need', { timeout: 60_000 }, () => {
    const database = `claims_${randomUUID().slice(0, 8)}`;
    let clients: Awaited<ReturnType<typeof openMongoReadModels>>[];
    beforeAll(async () => {
      const url = await connect();
      clients = await Promise.all(
        Array.from({ length: PROCESSES }, () => openMongoReadModels({ url, database })),
      );
    }, 180_000);
    afterAll(async () => {
      await clients?.[0]?.drop(ANALYSIS_CLAIMS_COLLECTION.name);
      for (const each of clients ?? []) await each.close();
    });

    it('are made once, also after a process that died over them', async () => {
      const { signal } = new AbortController();
      for (let round = 0; round < ROUNDS; round += 1) {
        const id = `batch-${round}`;
        if (round % 4 === 3)
          await clients[0]?.put(ANALYSIS_CLAIMS_COLLECTION.name, {
            ...{ id, _revision: 3, _position: '0' },
            ...{ holder: 'a process that was killed' },
          });
        let kept: string | null = null;
        const makers: number[] = [];
        const results = await Promise.all(
          clients.map((readModels, i) =>
            new Claims({ readModels, signal, times: { lookMs: 5, silenceMs: 3_000, beatMs: 50 } }).once(id, {
              kept: async () => kept,
              make: async () => {
                makers.push(i);
                // Longer than the first look of everybody.
                await clients[i]?.find(ANALYSIS_CLAIMS_COLLECTION.name);
                const value = `by ${i}`;
                kept = value;
                return { value, isKept: true };
              },
            }),
          ),
        );
        expect(makers, id).toHaveLength(1);
        expect(new Set(results)).toEqual(new Set([`by ${makers[0]}`]));
      }
      expect(await clients[0]?.find(ANALYSIS_CLAIMS_COLLECTION.name)).toEqual([]);
    });
  }),
);
