import { randomUUID } from 'node:crypto';
import type { EventReference, Position } from '@quantloom/domain/ports/event-store';
import {
  type CheckpointChange,
  CheckpointConflictError,
  type CollectionSpec,
  type DocumentWrite,
  type FindQuery,
  type ReadDocument,
  type ReadModels,
  type ResumePoint,
  type Swap,
  type Where,
} from '@quantloom/domain/ports/read-models';
import {
  type ClientSession,
  type Collection,
  type Db,
  type Document,
  MongoClient,
  MongoServerError,
} from 'mongodb';
import { collectionName, unknownCollection } from '../field-path.ts';
import { ABANDONED_AFTER_MS, endAbandonedTransactions, wasEnded } from './abandoned-transactions.ts';
import { CALL_DEADLINE_MS, IN_TOUCH } from './deadline.ts';
import { toPlain, toStored } from './document-keys.ts';
import { isMongoOutage } from './outage.ts';
import { mongoFilter, mongoSort, storedField } from './query-filter.ts';
import { type SharedClient, shareClient } from './shared-client.ts';

export interface MongoOptions {
  readonly url: string;
  /** Database name (default `quantloom`). */
  readonly database?: string;
  /** Outages of the server so far: what was begun before the last one was given up, and is not to be repeated. */
  readonly epoch?: () => number;
  /** How long a call that reads or writes single documents may take, in ms (default 10,000). */
  readonly callDeadlineMs?: number;
}

type Stored = Document & { _id: string };

interface StoredCheckpoint {
  _id: string;
  position: string;
  /** Missing in checkpoints of earlier versions. */
  standsOn?: EventReference | null;
  /** Missing where no other collection has taken the place of the first one. */
  edition?: string;
}

interface Registered {
  _id: string;
  /** Name of the MongoDB collection that holds the documents now. */
  physical: string;
}

/** How long a reader may go on with a collection that a rebuilt one has replaced. */
const NAME_CACHE_MS = 1000;
const KEEP_REPLACED_MS = 60_000;
/**
 * A transaction that takes this long may be waiting for one that nobody goes on with: after an outage, all of
 * those are old enough to be ended.
 */
const LOOK_FOR_ABANDONED_MS = 700;
/**
 * A server that wakes up first carries out what it was sent before: transactions that begin now and that
 * nobody goes on with.
 */
const AFTERMATH_MS = 15_000;
/** A transaction that others have ended so often is in their way. */
const MOST_ENDINGS = 5;
const DUPLICATE_KEY = 11_000;

/**
 * Documents in MongoDB (4.4 or later, a replica set: commits are transactions). Names of collections go
 * through a registry, so that a rebuilt collection takes over in the same transaction as its checkpoint.
 * Reads and writes are majority ones from the primary: what has been read or acknowledged is never rolled back.
 */
export async function openMongoReadModels(options: MongoOptions): Promise<ReadModels> {
  const database = options.database ?? 'quantloom';
  const client = new MongoClient(options.url, {
    ...IN_TOUCH,
    appName: appNameOf(database),
    readPreference: 'primary',
    readConcernLevel: 'majority',
    writeConcern: { w: 'majority', journal: true },
  });
  try {
    await client.connect();
    // The driver knows no deadline of a call, only of a connection: those who wait have connections of their own.
    const hasty = await shareClient(options.url, options.callDeadlineMs ?? CALL_DEADLINE_MS);
    return new MongoReadModels({ client, hasty, database, epoch: options.epoch ?? (() => 0) });
  } catch (error) {
    await client.close().catch(() => undefined);
    throw error;
  }
}

/** How the server knows the clients that write the read models of a database. */
export const appNameOf = (database: string): string => `quantloom read models of ${database}`;

class MongoReadModels implements ReadModels {
  readonly #client: MongoClient;
  /** For commits, indexes and rebuilt collections, which take as long as they take. */
  readonly #db: Db;
  /** The same with a deadline, for what somebody waits for. */
  readonly #hastyClient: SharedClient;
  readonly #hasty: Db;
  readonly #registry: Collection<Registered>;
  readonly #replaced: Collection<{ _id: string; at: Date }>;
  readonly #checkpoints: Collection<StoredCheckpoint>;
  #names = new Map<string, { physical: string; until: number }>();
  readonly #epoch: () => number;
  #lastEpoch = 0;
  #isCalmFrom = 0;
  #isLooking = false;
  #isClosed = false;

  constructor(parts: {
    readonly client: MongoClient;
    readonly hasty: SharedClient;
    readonly database: string;
    readonly epoch: () => number;
  }) {
    const { client, hasty, database, epoch } = parts;
    const db = client.db(database);
    this.#hastyClient = hasty;
    const { readPreference, readConcern, writeConcern } = client;
    this.#hasty = hasty.client.db(database, {
      readPreference,
      ...(readConcern && { readConcern }),
      ...(writeConcern && { writeConcern }),
    });
    this.#epoch = epoch;
    this.#client = client;
    this.#db = db;
    this.#registry = db.collection('_collections');
    this.#replaced = db.collection('_replaced');
    this.#checkpoints = db.collection('_checkpoints');
  }

  async ensureCollection(spec: CollectionSpec): Promise<void> {
    this.#assertOpen();
    const name = collectionName(spec.name);
    const registered = await retryOnDuplicate(() =>
      this.#registry.findOneAndUpdate(
        { _id: name },
        { $setOnInsert: { physical: `${name}.${randomUUID().slice(0, 8)}` } },
        { upsert: true, returnDocument: 'after' },
      ),
    );
    if (!registered) throw new Error(`MongoDB did not register ${name}`);
    const indexes = spec.indexes
      .map((fields) => [...new Set([...fields.map(storedField), '_id'])])
      .filter((fields) => fields.length > 1)
      .map((fields) => ({ key: Object.fromEntries(fields.map((field) => [field, 1 as const])) }));
    if (indexes.length > 0) await this.#db.collection(registered.physical).createIndexes(indexes);
    await this.#dropReplaced();
  }

  async get<Doc extends ReadDocument>(collection: string, id: string): Promise<Doc | null> {
    const found = await (await this.#collection(collection)).findOne({ _id: id });
    return found ? fromStored<Doc>(found) : null;
  }

  async getMany<Doc extends ReadDocument>(collection: string, ids: readonly string[]): Promise<Doc[]> {
    const found = await (await this.#collection(collection)).find({ _id: { $in: [...ids] } }).toArray();
    const byId = new Map(found.map((stored) => [stored._id, stored]));
    return [...new Set(ids)].flatMap((id) => {
      const stored = byId.get(id);
      return stored ? [fromStored<Doc>(stored)] : [];
    });
  }

  async find<Doc extends ReadDocument>(collection: string, query: FindQuery<Doc> = {}): Promise<Doc[]> {
    const cursor = (await this.#collection(collection))
      .find(mongoFilter(query.where) as Document)
      .sort(mongoSort(query.sort))
      .skip(query.skip ?? 0);
    // To MongoDB a limit of 0 is none.
    if (query.limit === 0) return [];
    if (query.limit !== undefined) cursor.limit(query.limit);
    return (await cursor.toArray()).map((stored) => fromStored<Doc>(stored));
  }

  async count<Doc extends ReadDocument>(collection: string, where?: Where<Doc>): Promise<number> {
    return (await this.#collection(collection)).countDocuments(mongoFilter(where) as Document);
  }

  async sum<Doc extends ReadDocument>(
    collection: string,
    field: string,
    where?: Where<Doc>,
  ): Promise<number> {
    const [total] = await (await this.#collection(collection))
      .aggregate<{ n: number }>([
        { $match: mongoFilter(where) as Document },
        { $group: { _id: null, n: { $sum: `$${storedField(field)}` } } },
      ])
      .toArray();
    return total?.n ?? 0;
  }

  async commit(
    projection: string,
    change: CheckpointChange & { readonly writes: readonly DocumentWrite[] },
  ): Promise<void> {
    await this.#transaction(async (session) => {
      if (!(await this.#moveCheckpoint(projection, change, session))) {
        throw new CheckpointConflictError(projection, change.expected, await this.checkpoint(projection));
      }
      for (const [name, writes] of Map.groupBy(change.writes, (write) => write.collection)) {
        const collection = this.#db.collection<Stored>(await this.#physical(name, session));
        await collection.bulkWrite(lastWrites(writes), { session, ordered: false });
      }
    });
  }

  /**
   * True where the checkpoint was `expected` and is `next` now. A concurrent commit makes one of the two fail
   * or wait and then fail.
   */
  async #moveCheckpoint(
    projection: string,
    { expected, next, standsOn = null, edition }: CheckpointChange,
    session: ClientSession,
  ): Promise<boolean> {
    if (expected === null) {
      const first = { _id: projection, position: String(next), standsOn };
      return isInserted(this.#checkpoints.insertOne(first, { session }));
    }
    const { matchedCount } = await this.#checkpoints.updateOne(
      { _id: projection, position: String(expected), ...(edition !== undefined && { edition }) } as Document,
      { $set: { position: String(next), standsOn } },
      { session },
    );
    return matchedCount === 1;
  }

  async checkpoint(projection: string): Promise<Position | null> {
    this.#assertOpen();
    const found = await this.#hasty.collection<StoredCheckpoint>('_checkpoints').findOne({ _id: projection });
    return found ? BigInt(found.position) : null;
  }

  async resumePoint(projection: string): Promise<ResumePoint> {
    this.#assertOpen();
    const found = await this.#hasty.collection<StoredCheckpoint>('_checkpoints').findOne({ _id: projection });
    // Names that were looked up before may be those of an earlier edition.
    this.#names = new Map();
    return {
      position: found ? BigInt(found.position) : null,
      standsOn: found?.standsOn ?? null,
      edition: found?.edition ?? null,
    };
  }

  async put(collection: string, document: ReadDocument): Promise<void> {
    this.#assertOpen();
    const target = this.#hasty.collection<Stored>(await this.#physical(collection));
    await retryOnDuplicate(() => target.replaceOne({ _id: document.id }, bodyOf(document), { upsert: true }));
  }

  async delete(collection: string, id: string): Promise<void> {
    this.#assertOpen();
    await this.#hasty.collection<Stored>(await this.#physical(collection)).deleteOne({ _id: id });
  }

  async swap(collection: string, { id: _id, expected, next }: Swap): Promise<boolean> {
    this.#assertOpen();
    const target = this.#hasty.collection<Stored>(await this.#physical(collection));
    if (expected === null) return isInserted(target.insertOne({ ...bodyOf(next), _id }));
    const asSeen = { _id, _revision: expected };
    if (next === null) return (await target.deleteOne(asSeen)).deletedCount === 1;
    return (await target.replaceOne(asSeen, bodyOf(next))).matchedCount === 1;
  }

  async drop(collection: string, projection?: string): Promise<void> {
    let physical: string | undefined;
    await this.#transaction(async (session) => {
      physical = (await this.#registry.findOneAndDelete({ _id: collection }, { session }))?.physical;
      if (projection !== undefined) await this.#checkpoints.deleteOne({ _id: projection }, { session });
    });
    this.#names.delete(collection);
    if (physical !== undefined) await this.#db.dropCollection(physical);
  }

  async replace(change: {
    from: string;
    to: string;
    fromProjection: string;
    toProjection: string;
  }): Promise<void> {
    const { from, to, fromProjection, toProjection } = change;
    await this.#transaction(async (session) => {
      const source = await this.#registry.findOneAndDelete({ _id: from }, { session });
      if (!source) throw unknownCollection(from);
      const { physical } = source;
      const old = await this.#registry.findOneAndUpdate(
        { _id: collectionName(to) },
        { $set: { physical } },
        { upsert: true, session },
      );
      // Readers that have not noticed yet go on with the old documents for a moment.
      if (old) await this.#replaced.insertOne({ _id: old.physical, at: new Date() }, { session });
      const checkpoint = await this.#checkpoints.findOneAndDelete({ _id: fromProjection }, { session });
      await this.#checkpoints.deleteOne({ _id: toProjection }, { session });
      if (checkpoint) {
        const next = { ...checkpoint, _id: toProjection, edition: randomUUID() };
        await this.#checkpoints.insertOne(next, { session });
      }
    });
    this.#names.delete(from);
    this.#names.delete(to);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([this.#client.close(), this.#hastyClient.release()]);
  }

  async #dropReplaced(): Promise<void> {
    const before = new Date(Date.now() - KEEP_REPLACED_MS);
    for (const { _id } of await this.#replaced.find({ at: { $lt: before } }).toArray()) {
      await this.#db.dropCollection(_id);
      await this.#replaced.deleteOne({ _id });
    }
  }

  /** For reading: the name may be up to a second old. */
  async #collection(name: string): Promise<Collection<Stored>> {
    this.#assertOpen();
    // A name that is looked up while all are forgotten is kept where nobody finds it.
    const names = this.#names;
    const known = names.get(name);
    if (known && known.until > Date.now()) return this.#hasty.collection<Stored>(known.physical);
    const physical = await this.#physical(name);
    names.set(name, { physical, until: Date.now() + NAME_CACHE_MS });
    return this.#hasty.collection<Stored>(physical);
  }

  async #physical(name: string, session?: ClientSession): Promise<string> {
    const found = await (session
      ? this.#registry.findOne({ _id: name }, { session })
      : this.#hasty.collection<Registered>('_collections').findOne({ _id: name }));
    if (!found) throw unknownCollection(name);
    return found.physical;
  }

  /**
   * Retries what MongoDB calls transient, such as two transactions that meet; one that is stuck behind a dead
   * process frees itself, and one that was taken for such a one begins again.
   */
  async #transaction(work: (session: ClientSession) => Promise<void>): Promise<void> {
    this.#assertOpen();
    const began = this.#epoch();
    if (began !== this.#lastEpoch) this.#isCalmFrom = Date.now() + AFTERMATH_MS;
    this.#lastEpoch = began;
    const watch = setInterval(() => this.#endAbandoned(), LOOK_FOR_ABANDONED_MS);
    try {
      for (let endings = 0; ; ) {
        try {
          return await this.#client.withSession((session) =>
            session.withTransaction(
              async () => {
                if (this.#epoch() !== began) throw new Error('This transaction was given up in an outage');
                await work(session);
              },
              { readConcern: { level: 'snapshot' } },
            ),
          );
        } catch (error) {
          endings += 1;
          if (!wasEnded(error) || endings > MOST_ENDINGS) throw error;
        }
      }
    } finally {
      clearInterval(watch);
    }
  }

  /** One look at a time: of a server that is frozen each would wait on a connection of its own. */
  #endAbandoned(): void {
    if (this.#isLooking) return;
    this.#isLooking = true;
    const afterMs = Date.now() < this.#isCalmFrom ? LOOK_FOR_ABANDONED_MS : ABANDONED_AFTER_MS;
    endAbandonedTransactions(this.#hastyClient.client, appNameOf(this.#db.databaseName), afterMs)
      .catch((error) => {
        // A server that is away is told by whoever watches it.
        if (!isMongoOutage(error))
          process.emitWarning(`Abandoned transactions could not be ended: ${(error as Error).message}`);
      })
      .finally(() => {
        this.#isLooking = false;
      });
  }

  #assertOpen(): void {
    if (this.#isClosed) throw new Error('The read models are closed');
  }
}

/** Of several writes to a document only the last one matters, and a bulk of different documents needs no order. */
function lastWrites(writes: readonly DocumentWrite[]) {
  const last = new Map(writes.map((write) => ['put' in write ? write.put.id : write.delete, write]));
  return [...last].map(([_id, write]) =>
    'put' in write
      ? { replaceOne: { filter: { _id }, replacement: bodyOf(write.put), upsert: true } }
      : { deleteOne: { filter: { _id } } },
  );
}

function bodyOf({ id: _, ...body }: ReadDocument): Stored {
  return toStored(body) as Stored;
}

function fromStored<Doc extends ReadDocument>({ _id, ...body }: Stored): Doc {
  return { id: _id, ...(toPlain(body) as object) } as Doc;
}

/** Two upserts of the same new document: the loser finds it on its second try. */
async function retryOnDuplicate<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof MongoServerError && error.code === DUPLICATE_KEY) return work();
    throw error;
  }
}

/** False where somebody was quicker. */
async function isInserted(inserting: Promise<unknown>): Promise<boolean> {
  try {
    await inserting;
    return true;
  } catch (error) {
    if (error instanceof MongoServerError && error.code === DUPLICATE_KEY) return false;
    throw error;
  }
}
