import {
  ANY,
  BACKWARDS,
  END,
  type EventData,
  EventStoreDBClient,
  type Filter,
  FORWARDS,
  NO_STREAM,
  START,
  type StreamingRead,
} from '@eventstore/db-client';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import grpc from '@eventstore/db-client/generated/streams_grpc_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import type { ExpectedRevision } from '@quantloom/domain/ports/event-store';
import { type BatchConnection, openBatchCall } from '../batch-call.ts';
import type { ServerClient, ServerEventRead, ServerRead, ServerSubscription } from '../server-client.ts';

/**
 * The client of EventStoreDB 20 to 24, made to send one call per append. By itself it sends the appends of a
 * process to a modern server over one shared call, and when that breaks it rejects those of all other clients
 * too and leaves what it had not sent yet as unhandled rejections, which end the process. A call of its own
 * has a deadline that does not depend on the clocks of two machines, and an answer that names the leader.
 *
 * Throws where the connection string cannot be read.
 */
export function connect(url: string): ServerClient {
  const client = EventStoreDBClient.connectionString(url.replace(/^(kurrentdb|kurrent|kdb)(?=[+:])/, 'esdb'));
  // The only thing that this version asks of the server's features is whether it takes appends in batches.
  Object.defineProperty(client, 'supports', { value: async () => false });
  return {
    append: (stream, events, expected) =>
      client.appendToStream(stream, [...events] as EventData[], {
        expectedRevision: revisionOf(expected),
        requiresLeader: true,
      }),
    readStream: (stream, { isBackwards, from, maxCount }) =>
      readOf(
        client.readStream(stream, {
          direction: isBackwards ? BACKWARDS : FORWARDS,
          fromRevision: from === undefined ? (isBackwards ? END : START) : BigInt(from),
          requiresLeader: true,
          ...(maxCount === undefined ? {} : { maxCount }),
        }),
      ),
    readAll: ({ isBackwards, from, maxCount, requiresLeader = false }) =>
      readOf(
        client.readAll({
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
      openBatchCall(client as unknown as BatchConnection, {
        StreamsClient: grpc.StreamsClient,
        Request: streams.BatchAppendReq,
        shared,
      }),
    dispose: () => client.dispose(),
  };
}

function revisionOf(expected: ExpectedRevision) {
  if (expected === 'any') return ANY;
  return expected === 'noStream' ? NO_STREAM : BigInt(expected);
}

/**
 * Cancels the call behind a read when the consumer stops early; the client leaves it open otherwise. What has
 * arrived by then is let run through: a call with unread data never counts as finished, and `dispose` would
 * wait for it for ever.
 */
function readOf<E extends ServerEventRead>(read: StreamingRead<E>): ServerRead {
  // After the iteration nobody else listens, and an error without a listener would end the process.
  read.on('error', () => {});
  const events = read.iterator({ destroyOnReturn: false })[Symbol.asyncIterator]() as AsyncIterator<E>;
  return {
    next: () => events.next(),
    abandon: async () => {
      // Lets go of the stream, at once or when the cancelled call has ended; what it says then has been said
      // or is of no interest.
      events.return?.().catch(() => {});
      await read.cancel();
      read.resume();
    },
  };
}
