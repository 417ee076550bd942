import type shared from '@eventstore/db-client/generated/shared_pb.js';
import type { StreamsClient } from '@eventstore/db-client/generated/streams_grpc_pb.js';
import type pb from '@eventstore/db-client/generated/streams_pb.js';
import type { CallOptions, ClientDuplexStream, Metadata, ServiceError } from '@grpc/grpc-js';
import type { ExpectedRevision } from '@quantloom/domain/ports/event-store';
import type { BatchCall, EventToAppend, ServerAppendResult } from './server-client.ts';
import { ErrorType, ServerError } from './server-errors.ts';

/** The generated messages of one library. */
export interface BatchProtocol {
  readonly StreamsClient: typeof StreamsClient;
  readonly Request: typeof pb.BatchAppendReq;
  readonly shared: typeof shared;
}

/** What a library's client has for its own calls: it finds the leader, and knows user and password. */
export interface BatchConnection {
  execute<T>(
    client: typeof StreamsClient,
    name: string,
    action: (client: StreamsClient) => Promise<T>,
  ): Promise<T>;
  callArguments(
    options: { readonly requiresLeader: boolean },
    callOptions: CallOptions,
  ): [Metadata, CallOptions];
}

/**
 * The server answers every append within its commit timeout of seconds; one that says nothing for this long,
 * in ms, is away.
 */
const SILENCE_LIMIT_MS = 30_000;
/** Bytes of events in one message; an append with more goes in parts, as the libraries do it. */
const MESSAGE_BYTES = 2 * 1024 * 1024;

interface Waiting {
  readonly resolve: (result: ServerAppendResult) => void;
  readonly reject: (error: ServerError) => void;
}

export function openBatchCall(connection: BatchConnection, protocol: BatchProtocol): Promise<BatchCall> {
  return connection.execute(protocol.StreamsClient, 'batchAppend', async (client) => {
    const options = connection.callArguments(
      { requiresLeader: true },
      { deadline: Number.POSITIVE_INFINITY },
    );
    return new OpenBatchCall(client.batchAppend(...options), protocol);
  });
}

class OpenBatchCall implements BatchCall {
  readonly #call: ClientDuplexStream<pb.BatchAppendReq, pb.BatchAppendResp>;
  readonly #protocol: BatchProtocol;
  readonly #waiting = new Map<string, Waiting>();
  #failure: ServerError | null = null;
  #isFull = false;
  #silence: NodeJS.Timeout | undefined;

  constructor(call: ClientDuplexStream<pb.BatchAppendReq, pb.BatchAppendResp>, protocol: BatchProtocol) {
    this.#call = call;
    this.#protocol = protocol;
    call.on('data', (response: pb.BatchAppendResp) => this.#receive(response));
    call.on('error', (error: ServiceError) => this.#end(errorOfCall(error)));
    call.on('end', () => this.#end(new ServerError(ErrorType.UNAVAILABLE, 'The server ended the call')));
    call.on('drain', () => {
      this.#isFull = false;
    });
  }

  append(
    stream: string,
    events: readonly EventToAppend[],
    expected: ExpectedRevision,
  ): Promise<ServerAppendResult> {
    if (this.#failure) return Promise.reject(this.#failure);
    const { promise, resolve, reject } = Promise.withResolvers<ServerAppendResult>();
    const id = crypto.randomUUID();
    this.#waiting.set(id, { resolve, reject });
    for (const message of this.#messages(id, stream, events, expected))
      this.#isFull = !this.#call.write(message);
    this.#awaitSilence();
    return promise;
  }

  async ready(): Promise<void> {
    if (!this.#isFull || this.#failure) return;
    await new Promise<void>((resolve) => {
      const done = () => {
        for (const event of ['drain', 'close', 'error']) this.#call.off(event, done);
        resolve();
      };
      for (const event of ['drain', 'close', 'error']) this.#call.on(event, done);
    });
  }

  close(): void {
    this.#end(new ServerError(ErrorType.CANCELLED, 'The call was closed'));
    this.#call.end();
  }

  #messages(
    id: string,
    stream: string,
    events: readonly EventToAppend[],
    expected: ExpectedRevision,
  ): pb.BatchAppendReq[] {
    const { Request, shared } = this.#protocol;
    const options = new Request.Options();
    const identifier = new shared.StreamIdentifier();
    identifier.setStreamName(Buffer.from(stream).toString('base64'));
    options.setStreamIdentifier(identifier);
    if (expected === 'any') options.setAny(new shared.Empty() as never);
    else if (expected === 'noStream') options.setNoStream(new shared.Empty() as never);
    else options.setStreamPosition(String(expected));
    const messages: pb.BatchAppendReq[] = [];
    const next = () => {
      const message = new Request();
      message.setCorrelationId(new shared.UUID().setString(id));
      messages.push(message);
      return message;
    };
    let message = next().setOptions(options);
    let bytes = 0;
    for (const event of events) {
      const proposed = new Request.ProposedMessage();
      proposed.setId(new shared.UUID().setString(event.id));
      proposed.getMetadataMap().set('type', event.type).set('content-type', event.contentType);
      const data = Buffer.from(JSON.stringify(event.data));
      const metadata = Buffer.from(JSON.stringify(event.metadata));
      proposed.setData(data);
      proposed.setCustomMetadata(metadata);
      if (bytes > 0 && bytes + data.length + metadata.length > MESSAGE_BYTES) {
        message = next();
        bytes = 0;
      }
      bytes += data.length + metadata.length;
      message.addProposedMessages(proposed);
    }
    message.setIsFinal(true);
    return messages;
  }

  #receive(response: pb.BatchAppendResp): void {
    const id = response.getCorrelationId()?.getString() ?? '';
    const waiting = this.#waiting.get(id);
    if (!waiting) return;
    this.#waiting.delete(id);
    this.#awaitSilence();
    const error = response.getError();
    if (error) {
      waiting.reject(errorOfAnswer(error.getDetails()?.getTypeName() ?? '', error.getMessage()));
      return;
    }
    const success = response.getSuccess();
    const position = success?.getPosition();
    waiting.resolve({
      success: true,
      nextExpectedRevision: BigInt(success?.getCurrentRevision() ?? -1),
      position: position && { commit: BigInt(position.getCommitPosition()) },
    });
  }

  #awaitSilence(): void {
    clearTimeout(this.#silence);
    if (this.#waiting.size === 0) return;
    this.#silence = setTimeout(() => {
      this.#end(new ServerError(ErrorType.DEADLINE_EXCEEDED, 'The server went silent'));
      this.#call.cancel();
    }, SILENCE_LIMIT_MS);
  }

  #end(error: ServerError): void {
    this.#failure ??= error;
    clearTimeout(this.#silence);
    for (const { reject } of this.#waiting.values()) reject(this.#failure);
    this.#waiting.clear();
  }
}

/** gRPC's codes, as far as they say that the server is away. */
const OF_CODE: Readonly<Record<number, string>> = {
  1: ErrorType.CANCELLED,
  4: ErrorType.DEADLINE_EXCEEDED,
  14: ErrorType.UNAVAILABLE,
};

function errorOfCall(error: ServiceError): ServerError {
  const exception = error.metadata?.get('exception')[0];
  const type = typeof exception === 'string' ? exception : (OF_CODE[error.code] ?? ErrorType.UNKNOWN);
  return new ServerError(type, error.details, { cause: error });
}

const OF_ANSWER: Readonly<Record<string, string>> = {
  WrongExpectedVersion: ErrorType.WRONG_EXPECTED_VERSION,
  MaximumAppendSizeExceeded: ErrorType.MAXIMUM_APPEND_SIZE_EXCEEDED,
  StreamDeleted: ErrorType.STREAM_DELETED,
  AccessDenied: ErrorType.ACCESS_DENIED,
  Timeout: ErrorType.DEADLINE_EXCEEDED,
};

function errorOfAnswer(name: string, message: string): ServerError {
  const type = OF_ANSWER[name.replace(/^event_store\.client\./, '')] ?? ErrorType.UNKNOWN;
  return new ServerError(type, message || name);
}
