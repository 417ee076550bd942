import type featuresGrpc from '@eventstore/db-client/generated/serverfeatures_grpc_pb.js';
import type features from '@eventstore/db-client/generated/serverfeatures_pb.js';
import type shared from '@eventstore/db-client/generated/shared_pb.js';
import type status from '@eventstore/db-client/generated/status_pb.js';
import type streamsGrpc from '@eventstore/db-client/generated/streams_grpc_pb.js';
import type streams from '@eventstore/db-client/generated/streams_pb.js';
import type { EventStoreClientName } from '../../../src/event-store/eventstoredb/server-client.ts';

/** The messages of the protocol, as one of the libraries brings them. */
export interface Protocol {
  readonly features: typeof features;
  readonly featuresGrpc: typeof featuresGrpc;
  readonly shared: typeof shared;
  readonly status: typeof status;
  readonly streams: typeof streams;
  readonly streamsGrpc: typeof streamsGrpc;
}

/** Those of the library that is under test: the other one must not be loaded beside it. */
export async function loadProtocol(client: EventStoreClientName): Promise<Protocol> {
  if (client === 'eventstore') {
    const [features, featuresGrpc, shared, status, streams, streamsGrpc] = await Promise.all([
      import('@eventstore/db-client/generated/serverfeatures_pb.js'),
      import('@eventstore/db-client/generated/serverfeatures_grpc_pb.js'),
      import('@eventstore/db-client/generated/shared_pb.js'),
      import('@eventstore/db-client/generated/status_pb.js'),
      import('@eventstore/db-client/generated/streams_pb.js'),
      import('@eventstore/db-client/generated/streams_grpc_pb.js'),
    ]);
    return {
      features: features.default,
      featuresGrpc: featuresGrpc.default,
      shared: shared.default,
      status: status.default,
      streams: streams.default,
      streamsGrpc: streamsGrpc.default,
    };
  }
  const [features, featuresGrpc, shared, status, streams, streamsGrpc] = await Promise.all([
    import('@kurrent/kurrentdb-client/generated/kurrentdb/protocols/v1/serverfeatures_pb.js'),
    import('@kurrent/kurrentdb-client/generated/kurrentdb/protocols/v1/serverfeatures_grpc_pb.js'),
    import('@kurrent/kurrentdb-client/generated/kurrentdb/protocols/v1/shared_pb.js'),
    import('@kurrent/kurrentdb-client/generated/kurrentdb/protocols/v1/status_pb.js'),
    import('@kurrent/kurrentdb-client/generated/kurrentdb/protocols/v1/streams_pb.js'),
    import('@kurrent/kurrentdb-client/generated/kurrentdb/protocols/v1/streams_grpc_pb.js'),
  ]);
  return {
    features: features.default,
    featuresGrpc: featuresGrpc.default,
    shared: shared.default,
    status: status.default,
    streams: streams.default,
    streamsGrpc: streamsGrpc.default,
    // The same messages of the same protocol, generated anew.
  } as unknown as Protocol;
}
