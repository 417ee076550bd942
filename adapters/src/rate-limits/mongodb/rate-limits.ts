import type { RateLimits } from '@quantloom/domain/ports/rate-limits';
import { type Db, MongoServerError } from 'mongodb';
import { CALL_DEADLINE_MS } from '../../read-models/mongodb/deadline.ts';
import { shareClient } from '../../read-models/mongodb/shared-client.ts';

interface WindowDocument {
  readonly _id: string;
  readonly hits: number;
  readonly endsAt: Date;
}

const DUPLICATE_KEY = 11_000;

/** Windows in MongoDB: one atomic update a hit; a TTL index removes old ones. */
export async function createMongoRateLimits(
  database: Db,
  now: () => number = () => Date.now(),
): Promise<RateLimits> {
  const windows = database.collection<WindowDocument>('rateWindows');
  await windows.createIndex({ endsAt: 1 }, { expireAfterSeconds: 60 });
  const update = (key: string, windowMs: number, hits: number, time: number) =>
    windows.findOneAndUpdate(
      { _id: key },
      [
        {
          $set: {
            hits: {
              $cond: [{ $gt: ['$endsAt', new Date(time)] }, { $add: ['$hits', hits] }, hits],
            },
            endsAt: {
              $cond: [{ $gt: ['$endsAt', new Date(time)] }, '$endsAt', new Date(time + windowMs)],
            },
          },
        },
      ],
      { upsert: true, returnDocument: 'after' },
    );
  return {
    async hit(key, windowMs, hits = 1) {
      const time = now();
      if (hits === 0) {
        const known = await windows.findOne({ _id: key, endsAt: { $gt: new Date(time) } });
        return known
          ? { hits: known.hits, endsInMs: known.endsAt.getTime() - time }
          : { hits: 0, endsInMs: windowMs };
      }
      // Two first hits at once: one upsert loses, and then finds the other's document.
      const window = await update(key, windowMs, hits, time).catch((error: unknown) => {
        if (error instanceof MongoServerError && error.code === DUPLICATE_KEY)
          return update(key, windowMs, hits, time);
        throw error;
      });
      if (!window) throw new Error('MongoDB answered an upsert without a document');
      return { hits: window.hits, endsInMs: window.endsAt.getTime() - time };
    },
    async reset(key) {
      await windows.deleteOne({ _id: key });
    },
  };
}

/** The same, connected. */
export async function openMongoRateLimits(options: {
  readonly url: string;
  readonly database: string;
}): Promise<{ readonly rateLimits: RateLimits; close(): Promise<void> }> {
  const { client, release } = await shareClient(options.url, CALL_DEADLINE_MS);
  return {
    rateLimits: await createMongoRateLimits(client.db(options.database)),
    close: release,
  };
}
