import type { Probe } from '../../outages/breaker.ts';
import { connectToServer } from './connect-to-server.ts';
import { readAndCancel } from './read-and-cancel.ts';
import type { ServerAddress, ServerClient } from './server-client.ts';
import { ErrorType, errorType, isTooLarge, isUnavailable } from './server-errors.ts';

const NO_RIGHT =
  'EventStoreDB lets this user not read $all: give him the right, or name another user in EVENTSTORE_URL';
const WRONG_PASSWORD = 'EventStoreDB knows no such user and password; look at EVENTSTORE_URL';
/** The client of KurrentDB does not say which of both it is. */
const ONE_OF_BOTH =
  'EventStoreDB knows no such user and password, or lets this user not read $all; look at EVENTSTORE_URL';

/**
 * gRPC's code for a name or password that the server does not know; the client calls it and a missing right
 * the same.
 */
const UNAUTHENTICATED = 16;

/** Bytes of the largest event that the API lets people write (the lists of a batch). */
export const LARGEST_APPEND = 12 * 1024 * 1024;

/** Whether an error of the adapter means that the server is away, or has no leader just now. */
export const isEventStoreDbOutage = (error: unknown): boolean => isUnavailable(error);

/** Asks the leader for the end of `$all`, which is what the product cannot do without. */
export function eventStoreDbProbe(address: ServerAddress): Probe {
  let client: Promise<ServerClient> | null = null;
  return {
    check: async (signal) => {
      client ??= connectToServer(address);
      const read = (await client).readAll({
        isBackwards: true,
        from: null,
        maxCount: 1n,
        requiresLeader: true,
      });
      const stop = () => void read.abandon();
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
      void client?.then((each) => each.dispose()).catch(() => undefined);
    },
  };
}

function sentenceOf(error: unknown): string {
  const type = errorType(error);
  const text = error instanceof Error ? error.message : String(error);
  if (type === ErrorType.ACCESS_DENIED) return sentenceOfRefusal((error as { code?: unknown }).code);
  if (isUnavailable(error)) return 'EventStoreDB is not reached, or has no leader yet';
  return `EventStoreDB answers with an error (${text})`;
}

function sentenceOfRefusal(code: unknown): string {
  if (code === undefined) return ONE_OF_BOTH;
  return code === UNAUTHENTICATED ? WRONG_PASSWORD : NO_RIGHT;
}

/**
 * Whether the server takes appends of `bytes`, found out without writing anything: the append is for a
 * revision that no stream has. Servers look at its size first.
 */
export async function takesAppendsOf(address: ServerAddress, bytes: number): Promise<boolean> {
  const client = await connectToServer(address);
  const metadata = {};
  const event = {
    id: crypto.randomUUID(),
    type: 'SizeProbe',
    data: { filling: 'x'.repeat(bytes) },
    metadata,
  };
  try {
    const stream = `sizeProbe-${crypto.randomUUID()}`;
    await client.append(stream, [{ ...event, contentType: 'application/json' }], 1_000_000_000);
    return true;
  } catch (error) {
    if (isTooLarge(error)) return false;
    if (errorType(error) === ErrorType.WRONG_EXPECTED_VERSION) return true;
    throw error;
  } finally {
    void client.dispose().catch(() => undefined);
  }
}
