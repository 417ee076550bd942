import { randomBytes } from 'node:crypto';
import type { PersonKeys } from '@quantloom/domain/ports/person-keys';
import { LRUCache } from 'lru-cache';
import type { Binary } from 'mongodb';
import { CALL_DEADLINE_MS } from '../../read-models/mongodb/deadline.ts';
import { shareClient } from '../../read-models/mongodb/shared-client.ts';

interface KeyDocument {
  readonly _id: string;
  readonly person: string;
  readonly key: Binary;
}

/** A key that another process has erased is forgotten by this one within this time. */
const KEPT_MS = 30_000;

/** Keys in MongoDB, for processes that share no folder. */
export async function openMongoPersonKeys(options: {
  readonly url: string;
  readonly database: string;
}): Promise<PersonKeys> {
  const { client, release } = await shareClient(options.url, CALL_DEADLINE_MS);
  const keys = client
    .db(options.database)
    .collection<KeyDocument>('personKeys', { writeConcern: { w: 'majority', journal: true } });
  await keys.createIndex({ person: 1 }, { unique: true });
  const none = () => new LRUCache<string, Uint8Array>({ max: 50_000, ttl: KEPT_MS });
  /** By id. Whoever asks the server keeps the answer in those of then: it may be erased by now. */
  let copies = none();
  const bytesOf = (document: { readonly key: Binary }): Uint8Array => new Uint8Array(document.key.value());
  const keepIn = (asked: typeof copies, document: Pick<KeyDocument, '_id' | 'key'>): Uint8Array => {
    const bytes = bytesOf(document);
    asked.set(document._id, bytes);
    return bytes;
  };
  const forgetCopies = () => {
    copies = none();
  };
  return {
    async keyFor(person) {
      const asked = copies;
      const fresh = { _id: randomBytes(9).toString('base64url'), key: randomBytes(32) };
      const upsert = () =>
        keys.findOneAndUpdate(
          { person },
          { $setOnInsert: fresh as never },
          { upsert: true, returnDocument: 'after' },
        );
      // Asked each time: what is written from now on must not be lost with a key that another process has erased
      // a moment ago, since whoever was erased may be back. Of two first calls at once one upsert loses, and then
      // finds the other's document.
      const document = (await keys.findOne({ person })) ?? (await upsert().catch(upsert));
      if (!document) throw new Error('MongoDB answered an upsert without a document');
      return { id: document._id, bytes: keepIn(asked, document) };
    },
    async find(id) {
      const asked = copies;
      const known = asked.get(id);
      if (known) return known;
      const document = await keys.findOne({ _id: id });
      return document && keepIn(asked, document);
    },
    async erase(person) {
      await keys.deleteMany({ person });
      forgetCopies();
    },
    forgetCopies,
    async *all() {
      for await (const document of keys.find().sort({ _id: 1 }))
        yield {
          id: document._id,
          person: document.person,
          key: Buffer.from(bytesOf(document)).toString('hex'),
        };
    },
    async add(records) {
      if (records.length === 0) return;
      await keys.bulkWrite(
        records.map(({ id, person, key }) => ({
          updateOne: {
            filter: { person },
            update: { $setOnInsert: { _id: id, key: Buffer.from(key, 'hex') } as never },
            upsert: true,
          },
        })),
      );
    },
    close: release,
  };
}
