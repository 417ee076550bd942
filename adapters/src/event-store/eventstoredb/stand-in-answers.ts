import featuresPb from '@eventstore/db-client/generated/serverfeatures_pb.js';
import sharedPb from '@eventstore/db-client/generated/shared_pb.js';
import pb from '@eventstore/db-client/generated/streams_pb.js';
import { Metadata, status } from '@grpc/grpc-js';

export interface Stored {
  readonly stream: string;
  readonly revision: number;
  readonly position: bigint;
  readonly id: string;
  readonly type: string;
  readonly data: Uint8Array;
  readonly metadata: Uint8Array;
  readonly isJson: boolean;
}

type Proposed = pb.AppendReq.ProposedMessage;

/** A call that fails: gRPC's code, the text, and what the real server adds for the client to tell errors by. */
export interface Failure {
  readonly code: status;
  readonly details: string;
  readonly metadata?: Metadata;
}

export const failure = (
  code: status,
  details: string,
  more: Readonly<Record<string, string>> = {},
): Failure => {
  const metadata = new Metadata();
  for (const [name, value] of Object.entries(more)) metadata.set(name, value);
  return { code, details, metadata };
};

export const nameOf = (identifier: sharedPb.StreamIdentifier | undefined) =>
  Buffer.from(identifier?.getStreamName_asU8() ?? []).toString();

export function supportedMethods(): featuresPb.SupportedMethods {
  const method = new featuresPb.SupportedMethod();
  method.setServiceName('event_store.client.streams.streams');
  method.setMethodName('batchappend');
  return new featuresPb.SupportedMethods().setMethodsList([method]).setEventStoreServerVersion('24.10.0');
}

/** What the server counts against its limit. */
export const sizeOnDisk = (event: Proposed): number =>
  event.getData_asU8().length +
  event.getCustomMetadata_asU8().length +
  2 * (event.getMetadataMap().get('type') ?? '').length;

export const tooLarge = (limit: number): Failure =>
  failure(status.INVALID_ARGUMENT, `Maximum Append Size of ${limit} Exceeded.`, {
    exception: 'maximum-append-size-exceeded',
    'maximum-append-size': String(limit),
  });

export const streamDeleted = (stream: string): Failure =>
  failure(status.FAILED_PRECONDITION, `Event stream '${stream}' is deleted.`, {
    exception: 'stream-deleted',
    'stream-name': stream,
  });

export function success(last: Stored): pb.AppendResp {
  const position = new pb.AppendResp.Position();
  position.setCommitPosition(String(last.position));
  position.setPreparePosition(String(last.position));
  const result = new pb.AppendResp.Success();
  result.setCurrentRevision(String(last.revision));
  result.setPosition(position);
  return new pb.AppendResp().setSuccess(result);
}

export function wrongVersion(current: number): pb.AppendResp {
  const wrong = new pb.AppendResp.WrongExpectedVersion();
  if (current < 0) wrong.setCurrentNoStream(new sharedPb.Empty());
  else wrong.setCurrentRevision(String(current));
  return new pb.AppendResp().setWrongExpectedVersion(wrong);
}

export function eventResponse(stored: Stored): pb.ReadResp {
  const recorded = new pb.ReadResp.ReadEvent.RecordedEvent();
  recorded.setId(new sharedPb.UUID().setString(stored.id));
  const identifier = new sharedPb.StreamIdentifier();
  identifier.setStreamName(Buffer.from(stored.stream).toString('base64'));
  recorded.setStreamIdentifier(identifier);
  recorded.setStreamRevision(String(stored.revision));
  recorded.setCommitPosition(String(stored.position));
  recorded.setPreparePosition(String(stored.position));
  recorded
    .getMetadataMap()
    .set('type', stored.type)
    .set('content-type', stored.isJson ? 'application/json' : 'application/octet-stream')
    .set('created', '0');
  recorded.setData(stored.data);
  recorded.setCustomMetadata(stored.metadata);
  const event = new pb.ReadResp.ReadEvent();
  event.setEvent(recorded);
  event.setCommitPosition(String(stored.position));
  return new pb.ReadResp().setEvent(event);
}
