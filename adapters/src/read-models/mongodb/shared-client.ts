import { MongoClient } from 'mongodb';
import { IN_TOUCH } from './deadline.ts';

interface Shared {
  readonly client: Promise<MongoClient>;
  users: number;
}

/** `release` closes it where nobody else uses it. */
export interface SharedClient {
  readonly client: MongoClient;
  release(): Promise<void>;
}

const shared = new Map<string, Shared>();

/**
 * The client of this process for calls with a deadline, connected: one for all that is kept on a server, since
 * each client keeps in touch with it by connections of its own.
 *
 * @param deadlineMs how long one call may take
 */
export async function shareClient(url: string, deadlineMs: number): Promise<SharedClient> {
  const key = `${deadlineMs} ${url}`;
  const entry = shared.get(key) ?? { client: connect(url, deadlineMs), users: 0 };
  shared.set(key, entry);
  entry.users += 1;
  let isReleased = false;
  const release = async () => {
    if (isReleased) return;
    isReleased = true;
    entry.users -= 1;
    if (entry.users > 0) return;
    if (shared.get(key) === entry) shared.delete(key);
    await (await entry.client).close();
  };
  try {
    return { client: await entry.client, release };
  } catch (error) {
    // The driver mends no first connection that failed: the next one who asks gets another client.
    if (shared.get(key) === entry) shared.delete(key);
    throw error;
  }
}

async function connect(url: string, deadlineMs: number): Promise<MongoClient> {
  const client = new MongoClient(url, { ...IN_TOUCH, appName: 'quantloom', socketTimeoutMS: deadlineMs });
  try {
    return await client.connect();
  } catch (error) {
    await client.close().catch(() => undefined);
    throw error;
  }
}
