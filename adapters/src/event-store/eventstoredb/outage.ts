import {
  BACKWARDS,
  END,
  ErrorType,
  type EventStoreDBClient,
  jsonEvent,
  WrongExpectedVersionError,
} from '@eventstore/db-client';
import type { Probe } from '../../outages/breaker.ts';
import { connectEventStoreDb } from './connect.ts';
import { readAndCancel } from './read-and-cancel.ts';
import { errorType, isTooLarge, isUnavailable } from './server-errors.ts';

const NO_RIGHT =
  'EventStoreDB lets this user not read $all: give him the right, or name another user in EVENTSTORE_URL';
const WRONG_PASSWORD = 'EventStoreDB knows no such user and password; look at EVENTSTORE_URL';

/** gRPC's code for a name or password that the server does not know; the client calls it and a missing right the same. */
const UNAUTHENTICATED = 16;

/** Bytes of the largest event that the API lets people write (the lists of a batch). */
export const LARGEST_APPEND = 12 * 1024 * 1024;

/** Whether an error of the adapter means that the server is away, or has no leader just now. */
export const isEventStoreDbOutage = (error: unknown): boolean => isUnavailable(error);

/** Asks the leader for the end of `$all`, which is what the product cannot do without. Throws where the connection string cannot be read. */
export function eventStoreDbProbe(url: string): Probe {
  let client: EventStoreDBClient | null = null;
  return {
    check: async (signal) => {
      client ??= connectEventStoreDb(url);
      const read = client.readAll({
        direction: BACKWARDS,
        fromPosition: END,
        maxCount: 1,
        requiresLeader: true,
      });
      const stop = () => void read.cancel();
      signal.addEventListener('abort', stop, { once: true });
      try {
        for await (const _ of readAndCancel(read));
      } catch (error) {
        throw new Error(sentenceOf(error), { cause: error });
      } finally {
        signal.removeEventListener('abort', stop);
      }
    },
    close: async () => {
      void client?.dispose().catch(() => undefined);
    },
  };
}

function sentenceOf(error: unknown): string {
  const type = errorType(error);
  const text = error instanceof Error ? error.message : String(error);
  if (type === ErrorType.ACCESS_DENIED)
    return (error as { code?: unknown }).code === UNAUTHENTICATED ? WRONG_PASSWORD : NO_RIGHT;
  if (isUnavailable(error)) return 'EventStoreDB is not reached, or has no leader yet';
  return `EventStoreDB answers with an error (${text})`;
}

/**
 * Whether the server takes appends of `bytes`, found out without writing anything: the append is for a revision that no stream has. Servers look at its
 * size first.
 */
export async function takesAppendsOf(url: string, bytes: number): Promise<boolean> {
  const client = connectEventStoreDb(url);
  const event = jsonEvent({ type: 'SizeProbe', data: { filling: 'x'.repeat(bytes) } });
  try {
    await client.appendToStream(`sizeProbe-${crypto.randomUUID()}`, [event], {
      expectedRevision: 1_000_000_000n,
      requiresLeader: true,
    });
    return true;
  } catch (error) {
    if (isTooLarge(error)) return false;
    if (error instanceof WrongExpectedVersionError) return true;
    throw error;
  } finally {
    void client.dispose().catch(() => undefined);
  }
}
