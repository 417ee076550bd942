import type featuresPb from '@eventstore/db-client/generated/serverfeatures_pb.js';
import type sharedPb from '@eventstore/db-client/generated/shared_pb.js';
import type pb from '@eventstore/db-client/generated/streams_pb.js';
import { Metadata, status } from '@grpc/grpc-js';
import type { Protocol } from './stand-in-protocol.ts';

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

export type Proposed = pb.AppendReq.ProposedMessage | pb.BatchAppendReq.ProposedMessage;

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

export function supportedMethods({ features }: Protocol): featuresPb.SupportedMethods {
  const method = new features.SupportedMethod();
  method.setServiceName('event_store.client.streams.streams');
  method.setMethodName('batchappend');
  return new features.SupportedMethods().setMethodsList([method]).setEventStoreServerVersion('24.10.0');
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

export function success({ streams }: Protocol, last: Stored): pb.AppendResp {
  const position = new streams.AppendResp.Position();
  position.setCommitPosition(String(last.position));
  position.setPreparePosition(String(last.position));
  const result = new streams.AppendResp.Success();
  result.setCurrentRevision(String(last.revision));
  result.setPosition(position);
  return new streams.AppendResp().setSuccess(result);
}

export function wrongVersion({ shared, streams }: Protocol, current: number): pb.AppendResp {
  const wrong = new streams.AppendResp.WrongExpectedVersion();
  if (current < 0) wrong.setCurrentNoStream(new shared.Empty());
  else wrong.setCurrentRevision(String(current));
  return new streams.AppendResp().setWrongExpectedVersion(wrong);
}

export function eventResponse({ shared, streams }: Protocol, stored: Stored): pb.ReadResp {
  const recorded = new streams.ReadResp.ReadEvent.RecordedEvent();
  recorded.setId(new shared.UUID().setString(stored.id));
  const identifier = new shared.StreamIdentifier();
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
  const event = new streams.ReadResp.ReadEvent();
  event.setEvent(recorded);
  event.setCommitPosition(String(stored.position));
  return new streams.ReadResp().setEvent(event);
}

export function batchSuccess({ shared, streams }: Protocol, id: string, last: Stored): pb.BatchAppendResp {
  const position = new shared.AllStreamPosition();
  position.setCommitPosition(String(last.position));
  position.setPreparePosition(String(last.position));
  const result = new streams.BatchAppendResp.Success();
  result.setCurrentRevision(String(last.revision));
  result.setPosition(position);
  const response = new streams.BatchAppendResp();
  response.setCorrelationId(new shared.UUID().setString(id));
  return response.setSuccess(result);
}

/**
 * @param name of the message that says what went wrong, in `event_store.client`; `Empty` where there is only
 * the text
 */
export function batchFailure(
  { shared, status: rpc, streams }: Protocol,
  id: string,
  name: string,
  message: string,
): pb.BatchAppendResp {
  const url = Buffer.from(`type.googleapis.com/${name}`);
  const text = Buffer.from(message);
  // Written out, since the message `Any` is in a package of its own: fields 2 (text) and 3 (details, whose
  // field 1 is the address).
  const error = rpc.Status.deserializeBinary(
    Buffer.concat([
      Buffer.from([0x12, text.length]),
      text,
      Buffer.from([0x1a, url.length + 2, 0x0a, url.length]),
      url,
    ]),
  );
  const response = new streams.BatchAppendResp();
  response.setCorrelationId(new shared.UUID().setString(id));
  return response.setError(error);
}
