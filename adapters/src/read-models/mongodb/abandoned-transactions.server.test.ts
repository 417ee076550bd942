import { randomUUID } from 'node:crypto';
import { MongoClient } from 'mongodb';
import { expect, it } from 'vitest';
import { MONGODB } from '../../../testing/containers.ts';
import { onRealServer } from '../../../testing/real-server.ts';
import { ABANDONED_AFTER_MS, endAbandonedTransactions } from './abandoned-transactions.ts';
import { appNameOf, openMongoReadModels } from './mongodb-read-models.ts';

await onRealServer(MONGODB, (connect) => {
  it('goes on when a process has died in the middle of a commit of the same projection', async () => {
    const url = await connect();
    const database = `abandoned_${randomUUID().slice(0, 8)}`;
    const models = await openMongoReadModels({ url, database });
    await models.ensureCollection({ name: 'things_v1', indexes: [] });
    await models.commit('p', { expected: null, next: 1n, writes: [] });
    const dead = await new MongoClient(url, { appName: appNameOf(database) }).connect();
    const session = dead.startSession();
    try {
      session.startTransaction();
      const checkpoints = dead.db(database).collection<{ _id: string }>('_checkpoints');
      await checkpoints.updateOne({ _id: 'p' }, { $set: { position: '7' } }, { session });

      const began = Date.now();
      await models.commit('p', {
        expected: 1n,
        next: 2n,
        writes: [{ collection: 'things_v1', put: { id: 'a', _revision: 0, _position: '2' } }],
      });
      // Far below the minute after which the server gives up by itself.
      expect(Date.now() - began).toBeLessThan(ABANDONED_AFTER_MS * 6);
      expect(await models.checkpoint('p')).toBe(2n);
      await expect(session.commitTransaction()).rejects.toThrow();
    } finally {
      await session.endSession();
      await dead.db(database).dropDatabase();
      await dead.close();
      await models.close();
    }
  });

  it('begins again where it was taken for one that nobody goes on with', async () => {
    const url = await connect();
    const database = `ended_${randomUUID().slice(0, 8)}`;
    const models = await openMongoReadModels({ url, database });
    const other = await new MongoClient(url).connect();
    let isOver = false;
    let ended = 0;
    try {
      await models.ensureCollection({ name: 'things_v1', indexes: [] });
      const ending = (async () => {
        while (!isOver) {
          ended += await endAbandonedTransactions(other, appNameOf(database), 0);
          // So that most of them come to their end.
          await new Promise((resolve) => setTimeout(resolve, 20));
        }
      })();
      const names = Array.from({ length: 8 }, (_, index) => `p${index}`);
      await Promise.all(
        names.map(async (name) => {
          for (let next = 1n; next <= 40n || ended < 5; next += 1n)
            await models.commit(name, {
              expected: next === 1n ? null : next - 1n,
              next,
              writes: [{ collection: 'things_v1', put: { id: name, _revision: 0, _position: String(next) } }],
            });
        }),
      ).finally(() => {
        isOver = true;
      });
      await ending;
      expect(ended).toBeGreaterThanOrEqual(5);
      for (const name of names) expect(await models.checkpoint(name)).toBeGreaterThanOrEqual(40n);
    } finally {
      isOver = true;
      await other.db(database).dropDatabase();
      await other.close();
      await models.close();
    }
  });
});
