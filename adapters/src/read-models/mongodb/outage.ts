import {
  MongoClient,
  MongoError,
  MongoNetworkError,
  MongoServerError,
  MongoServerSelectionError,
} from 'mongodb';
import type { Probe } from '../../outages/breaker.ts';

/**
 * No primary, or one that is on its way out: NotWritablePrimary, InterruptedAtShutdown, PrimarySteppedDown,
 * and so on.
 */
const NO_PRIMARY = new Set([10_107, 13_435, 13_436, 11_600, 11_602, 189, 91, 7, 6, 89, 9_001]);
const AUTHENTICATION_FAILED = 18;

/** Whether an error of the driver means that the server is away, or has no primary just now. */
export function isMongoOutage(error: unknown): boolean {
  if (error instanceof MongoNetworkError || error instanceof MongoServerSelectionError) return true;
  if (error instanceof MongoServerError) return NO_PRIMARY.has(Number(error.code));
  return error instanceof MongoError && error.name === 'MongoPoolClearedError';
}

/** Asks the primary whether it is there. */
export function mongoProbe(url: string): Probe {
  let connecting: Promise<MongoClient> | null = null;
  /**
   * A first connection that failed is never mended by the driver, which says from then on that it is closed:
   * another client is made.
   */
  const connect = async (): Promise<MongoClient> => {
    // Made here: a connection string that cannot be read is a fault that is told like any other.
    const client = new MongoClient(url, {
      appName: 'quantloom probe',
      maxPoolSize: 2,
      serverSelectionTimeoutMS: 2_000,
      connectTimeoutMS: 2_000,
      socketTimeoutMS: 2_000,
    });
    try {
      return await client.connect();
    } catch (error) {
      connecting = null;
      await client.close().catch(() => undefined);
      throw error;
    }
  };
  return {
    check: async (signal) => {
      try {
        // Who asks gives up sooner on a busy machine than a connection needs: the one under way serves the
        // next question.
        connecting ??= connect();
        const client = await connecting;
        await client.db('admin').command({ ping: 1 }, { signal });
      } catch (error) {
        throw new Error(sentenceOf(error), { cause: error });
      }
    },
    close: async () => {
      const client = await connecting?.catch(() => null);
      await client?.close();
    },
  };
}

function sentenceOf(error: unknown): string {
  const { code, message } = error as { code?: unknown; message: string };
  if (code === AUTHENTICATION_FAILED || /Authentication failed/i.test(message))
    return 'MongoDB knows no such user and password; look at MONGODB_URL';
  if (isMongoOutage(error)) return 'MongoDB is not reached, or has no primary yet';
  return `MongoDB answers with an error (${message})`;
}
