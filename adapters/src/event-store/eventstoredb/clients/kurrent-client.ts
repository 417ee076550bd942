import {
  ANY,
  BACKWARDS,
  END,
  type EventData,
  type Filter,
  FORWARDS,
  KurrentDBClient,
  NO_STREAM,
  START,
} from '@kurrent/kurrentdb-client';
import shared from '@kurrent/kurrentdb-client/generated/kurrentdb/protocols/v1/shared_pb.js';
import grpc from '@kurrent/kurrentdb-client/generated/kurrentdb/protocols/v1/streams_grpc_pb.js';
import streams from '@kurrent/kurrentdb-client/generated/kurrentdb/protocols/v1/streams_pb.js';
import type { ExpectedRevision } from '@quantloom/domain/ports/event-store';
import { type BatchConnection, type BatchProtocol, openBatchCall } from '../batch-call.ts';
import type { ServerClient, ServerEventRead, ServerRead, ServerSubscription } from '../server-client.ts';
import { ErrorType, errorType } from '../server-errors.ts';

/**
 * The client of KurrentDB, which speaks to EventStoreDB as well. What it writes and subscribes to goes as
 * with its predecessor, one call per append; what it reads goes through a part in Rust, which has no
 * deadlines and whose reads cannot be cancelled. One that did not reach the server at its first try never
 * does, so readers are replaced after each such failure.
 *
 * Throws where the connection string cannot be read.
 */
export function connect(url: string): ServerClient {
  const address = url.replace(/^esdb(?=[+:])/, 'kurrentdb');
  const client = KurrentDBClient.connectionString(address);
  let reader = client;
  const reading = (begin: (its: KurrentDBClient) => AsyncIterableIterator<ServerEventRead>): ServerRead => {
    const its = reader;
    return readOf(begin(its), () => {
      // Others may have failed with it, and have been faster.
      if (reader === its) reader = KurrentDBClient.connectionString(address);
    });
  };
  // As with the other client: appends over one shared call reject those of others, and end the process.
  Object.defineProperty(client, 'supports', { value: async () => false });
  return {
    append: (stream, events, expected) =>
      client.appendToStream(stream, [...events] as EventData[], {
        // Not `expectedRevision`, as it was called before: an option of that name is taken without a word,
        // and the append then overwrites nothing but checks nothing.
        streamState: stateOf(expected),
        requiresLeader: true,
      }),
    readStream: (stream, { isBackwards, from, maxCount }) =>
      reading((its) =>
        its.readStream(stream, {
          direction: isBackwards ? BACKWARDS : FORWARDS,
          fromRevision: from === undefined ? (isBackwards ? END : START) : BigInt(from),
          requiresLeader: true,
          ...(maxCount === undefined ? {} : { maxCount }),
        }),
      ),
    readAll: ({ isBackwards, from, maxCount, requiresLeader = false }) =>
      reading((its) =>
        its.readAll({
          direction: isBackwards ? BACKWARDS : FORWARDS,
          fromPosition: from === null ? (isBackwards ? END : START) : { commit: from, prepare: from },
          maxCount,
          requiresLeader,
        }),
      ),
    subscribeToAll: (from, { checkpointReached, ...filter }) =>
      client.subscribeToAll({
        fromPosition: from === null ? START : { commit: from, prepare: from },
        filter: {
          ...filter,
          checkpointReached: (_, position) => checkpointReached(position),
        } as Filter,
      }) as unknown as ServerSubscription,
    openBatch: () =>
      openBatchCall(
        client as unknown as BatchConnection,
        // The same messages of the same protocol, generated anew.
        {
          StreamsClient: grpc.StreamsClient,
          Request: streams.BatchAppendReq,
          shared,
        } as unknown as BatchProtocol,
      ),
    dispose: () => client.dispose(),
  };
}

function stateOf(expected: ExpectedRevision) {
  if (expected === 'any') return ANY;
  return expected === 'noStream' ? NO_STREAM : BigInt(expected);
}

function readOf(read: AsyncIterableIterator<ServerEventRead>, onUnavailable: () => void): ServerRead {
  return {
    next: async () => {
      try {
        return await read.next();
      } catch (error) {
        if (errorType(error) === ErrorType.UNAVAILABLE) onUnavailable();
        throw error;
      }
    },
    abandon: async () => {
      // Waits behind what was asked for and has not come, so nobody waits for it; what it says then is of no interest.
      read.return?.().catch(() => {});
    },
  };
}
