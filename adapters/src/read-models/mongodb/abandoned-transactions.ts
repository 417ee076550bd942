import { type MongoClient, MongoServerError, MongoWriteConcernError } from 'mongodb';

/**
 * A transaction of ours is open for milliseconds. One that waits this long for its client was left by a
 * process that died or hangs.
 */
export const ABANDONED_AFTER_MS = 3_000;

const INTERRUPTED = 11_601;
const NO_SUCH_TRANSACTION = 251;

/**
 * Whether an error means that somebody has ended a transaction that was alive, so that nothing of it was kept:
 * the server marks that as transient, but not where it was ended in the middle of its commit or of a bulk.
 */
export function wasEnded(error: unknown): boolean {
  // Here it is committed, and only not known to be on enough members.
  if (!(error instanceof MongoServerError) || error instanceof MongoWriteConcernError) return false;
  return error.code === NO_SUCH_TRANSACTION || error.code === INTERRUPTED;
}

/**
 * Ends transactions that nobody goes on with. The server itself waits a minute for them
 * (`transactionLifetimeLimitSeconds`), and as long nobody else may write the documents that they have
 * written, checkpoints above all. A process that only was slow repeats its transaction.
 *
 * @param appName of the clients whose transactions may be ended
 * @param afterMs how long they must have been open
 * @returns how many were ended
 */
export async function endAbandonedTransactions(
  client: MongoClient,
  appName: string,
  afterMs = ABANDONED_AFTER_MS,
): Promise<number> {
  const admin = client.db('admin');
  const open = await admin
    .aggregate<{ lsid: { id: unknown } }>(
      [
        { $currentOp: { allUsers: false, idleSessions: true } },
        {
          $match: {
            type: 'idleSession',
            appName,
            'transaction.timeOpenMicros': { $gte: afterMs * 1_000 },
          },
        },
        { $project: { lsid: 1 } },
      ],
      { readConcern: { level: 'local' } },
    )
    .toArray();
  if (open.length === 0) return 0;
  await admin.command({ killSessions: open.map(({ lsid }) => ({ id: lsid.id })) });
  return open.length;
}
