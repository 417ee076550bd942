import {
  MongoClient,
  MongoError,
  MongoNetworkError,
  MongoServerError,
  MongoServerSelectionError,
} from 'mongodb';
import type { Probe } from '../../outages/breaker.ts';
import { PendingQuestion } from '../../outages/pending-question.ts';
import { CALL_DEADLINE_MS, IN_TOUCH } from './deadline.ts';

/**
 * No primary, or one that is on its way out: NotWritablePrimary, InterruptedAtShutdown, PrimarySteppedDown,
 * and so on.
 */
const NO_PRIMARY = new Set([10_107, 13_435, 13_436, 11_600, 11_602, 189, 91, 7, 6, 89, 9_001]);
const AUTHENTICATION_FAILED = 18;
/** So long, in ms, is looked for a primary before it is said that there is none. */
const FIND_MS = 2_000;

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
      ...IN_TOUCH,
      appName: 'quantloom probe',
      maxPoolSize: 2,
      serverSelectionTimeoutMS: FIND_MS,
      socketTimeoutMS: CALL_DEADLINE_MS,
    });
    try {
      return await client.connect();
    } catch (error) {
      connecting = null;
      await client.close().catch(() => undefined);
      throw error;
    }
  };
  const question = new PendingQuestion(async (signal) => {
    connecting ??= connect();
    await (await connecting).db('admin').command({ ping: 1 }, { signal });
    // The driver has deadlines of its own, by which it learns that its connections are lost.
  }, 2 * CALL_DEADLINE_MS);
  return {
    check: async () => {
      try {
        await question.answer();
      } catch (error) {
        throw new Error(sentenceOf(error), { cause: error });
      }
    },
    close: async () => {
      question.close();
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
