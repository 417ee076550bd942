import { EventEmitter, once } from 'node:events';
import { createRequire } from 'node:module';
import featuresGrpcPb from '@eventstore/db-client/generated/serverfeatures_grpc_pb.js';
import featuresPb from '@eventstore/db-client/generated/serverfeatures_pb.js';
import sharedPb from '@eventstore/db-client/generated/shared_pb.js';
import statusPb from '@eventstore/db-client/generated/status_pb.js';
import grpcPb from '@eventstore/db-client/generated/streams_grpc_pb.js';
import pb from '@eventstore/db-client/generated/streams_pb.js';
import {
  type handleClientStreamingCall,
  Server,
  ServerCredentials,
  type ServerDuplexStream,
  type ServerWritableStream,
  status,
} from '@grpc/grpc-js';

/** The client's own copy of Google's types, which it does not export. */
const anyPb = createRequire(import.meta.resolve('@eventstore/db-client'))(
  'google-protobuf/google/protobuf/any_pb.js',
) as { Any: new () => NonNullable<ReturnType<statusPb.Status['getDetails']>> };

interface Stored {
  readonly stream: string;
  readonly revision: number;
  readonly position: bigint;
  readonly id: string;
  readonly type: string;
  readonly data: Uint8Array;
  readonly metadata: Uint8Array;
}

type Proposed = pb.AppendReq.ProposedMessage | pb.BatchAppendReq.ProposedMessage;
/** Last revision the caller knows; -1 for no stream. */
type Expected = number | 'any';
type ReadCall = ServerWritableStream<pb.ReadReq, pb.ReadResp>;

/**
 * Speaks the streams protocol of EventStoreDB over gRPC, from memory, so that the adapter and the official client can be tested
 * where no server can be had. It does what the documentation says (idempotent appends, `$all` with events of its own in between,
 * filtered subscriptions with checkpoints, caught up) and no more: it is no substitute for the run against a real server.
 */
export class StandInServer {
  /** Bytes; the most that the real one can be set to, its default is 1,048,576. */
  maxAppendSize = 16_767_216;
  readonly #server = new Server({ 'grpc.max_receive_message_length': 17 * 1024 * 1024 });
  readonly #log: Stored[] = [];
  readonly #changes = new EventEmitter().setMaxListeners(0);
  readonly #subscriptions = new Set<ReadCall>();
  #position = 1000n;
  #refusals: string[] = [];

  readonly #isModern: boolean;

  /** A modern server takes appends in batches; the client falls back to single calls where that is not announced. */
  constructor(isModern: boolean) {
    this.#isModern = isModern;
  }

  async start(): Promise<string> {
    this.#server.addService(grpcPb.StreamsService, {
      read: (call: ReadCall) => void this.#read(call),
      append: this.#append,
      batchAppend: (call: ServerDuplexStream<pb.BatchAppendReq, pb.BatchAppendResp>) =>
        this.#batchAppend(call),
    });
    if (this.#isModern) {
      this.#server.addService(featuresGrpcPb.ServerFeaturesService, {
        getSupportedMethods: (
          _: unknown,
          callback: (error: null, methods: featuresPb.SupportedMethods) => void,
        ) => callback(null, supportedMethods()),
      });
    }
    const port = await new Promise<number>((resolve, reject) => {
      this.#server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, bound) =>
        error ? reject(error) : resolve(bound),
      );
    });
    this.#store('$scavenges', '$metadata', '00000000-0000-0000-0000-000000000001');
    return `esdb://127.0.0.1:${port}?tls=false`;
  }

  stop(): void {
    this.#server.forceShutdown();
  }

  /** Breaks all subscriptions, as a restart does. */
  breakSubscriptions(): number {
    const broken = this.#subscriptions.size;
    for (const call of this.#subscriptions)
      call.emit('error', { code: status.UNAVAILABLE, details: 'going down' });
    return broken;
  }

  /** Answers the next appends of a modern server so, as one does that starts or elects a leader. */
  refuseAppends(...reasons: readonly string[]): void {
    this.#refusals = [...reasons];
  }

  #store(
    stream: string,
    type: string,
    id: string,
    data: Uint8Array = new Uint8Array(),
    metadata: Uint8Array = new Uint8Array(),
  ): Stored {
    // As in the real log, positions are places in a file.
    this.#position += BigInt(100 + data.length);
    const revision = this.#log.filter((event) => event.stream === stream).length;
    const stored = { stream, revision, position: this.#position, id, type, data, metadata };
    this.#log.push(stored);
    return stored;
  }

  /** Stores the events or says what the last revision is where the caller is wrong about it. */
  #appendTo(stream: string, expected: Expected, events: readonly Proposed[]): Stored | { current: number } {
    const ids = events.map((event) => event.getId()?.getString() ?? '');
    const existing = this.#log.filter((event) => event.stream === stream);
    const first = expected === 'any' ? existing.findIndex((event) => event.id === ids[0]) : expected + 1;
    const repeated = first < 0 ? [] : existing.slice(first, first + ids.length);
    if (repeated.length === ids.length && repeated.every((event, i) => event.id === ids[i])) {
      return repeated.at(-1) as Stored;
    }
    if (expected !== 'any' && expected !== existing.length - 1) return { current: existing.length - 1 };
    const stored = events.map((event, i) => {
      const type = event.getMetadataMap().get('type') ?? '';
      return this.#store(stream, type, ids[i] ?? '', event.getData_asU8(), event.getCustomMetadata_asU8());
    });
    // A record of the server's own now and then, behind ours.
    if (this.#log.length % 7 === 0) this.#store('$stats', '$statsCollected', crypto.randomUUID());
    this.#changes.emit('change');
    return stored.at(-1) as Stored;
  }

  readonly #append: handleClientStreamingCall<pb.AppendReq, pb.AppendResp> = async (call, callback) => {
    const requests: pb.AppendReq[] = [];
    for await (const request of call) requests.push(request as pb.AppendReq);
    const options = requests[0]?.getOptions() as pb.AppendReq.Options;
    const expected = options.hasAny() ? 'any' : options.hasNoStream() ? -1 : Number(options.getRevision());
    const events = requests.slice(1).flatMap((request) => request.getProposedMessage() ?? []);
    const result = this.#appendTo(nameOf(options.getStreamIdentifier()), expected, events);
    callback(null, 'current' in result ? wrongVersion(result.current) : success(result));
  };

  /** What servers from 21.10 on offer: all appends of a client over one call. */
  #batchAppend(call: ServerDuplexStream<pb.BatchAppendReq, pb.BatchAppendResp>): void {
    const open = new Map<string, { options: pb.BatchAppendReq.Options; events: Proposed[] }>();
    call.on('end', () => call.end());
    call.on('data', (request: pb.BatchAppendReq) => {
      const id = request.getCorrelationId() as sharedPb.UUID;
      const key = Buffer.from(id.serializeBinary()).toString('hex');
      const batch = open.get(key) ?? {
        options: request.getOptions() as pb.BatchAppendReq.Options,
        events: [],
      };
      open.set(key, batch);
      batch.events.push(...request.getProposedMessagesList());
      if (!request.getIsFinal()) return;
      open.delete(key);
      const { options, events } = batch;
      const expected = options.hasAny()
        ? 'any'
        : options.hasNoStream()
          ? -1
          : Number(options.getStreamPosition());
      const identifier = options.getStreamIdentifier();
      const response = new pb.BatchAppendResp().setCorrelationId(id).setStreamIdentifier(identifier);
      const refusal = this.#refusals.shift();
      if (refusal !== undefined) {
        call.write(withRefusal(response, refusal));
        return;
      }
      const size = events.reduce((sum, event) => sum + event.getData_asU8().length, 0);
      if (size > this.maxAppendSize) {
        call.write(withTooLarge(response, this.maxAppendSize));
        return;
      }
      const result = this.#appendTo(nameOf(identifier), expected, events);
      call.write(
        'current' in result ? withWrongVersion(response, result.current) : withSuccess(response, result),
      );
    });
  }

  async #read(call: ReadCall): Promise<void> {
    const options = call.request.getOptions() as pb.ReadReq.Options;
    if (options.hasSubscription()) {
      await this.#subscribe(call, options);
      return;
    }
    const isBackwards = options.getReadDirection() === 1;
    let events = isBackwards ? this.#log.toReversed() : [...this.#log];
    const stream = options.getStream();
    if (stream) {
      const name = nameOf(stream.getStreamIdentifier());
      events = events.filter((event) => event.stream === name);
      if (events.length === 0) {
        const missing = new pb.ReadResp.StreamNotFound();
        missing.setStreamIdentifier(stream.getStreamIdentifier());
        call.write(new pb.ReadResp().setStreamNotFound(missing));
        call.end();
        return;
      }
      if (stream.hasRevision()) {
        const from = Number(stream.getRevision());
        events = events.filter(({ revision }) => (isBackwards ? revision <= from : revision >= from));
      }
    }
    const position = options.getAll()?.getPosition();
    if (position) {
      const at = BigInt(position.getCommitPosition());
      // Forwards the event at the position itself is part of the answer.
      events = events.filter((event) => (isBackwards ? event.position < at : event.position >= at));
    }
    for (const event of events.slice(0, Number(options.getCount()))) {
      if (!call.write(eventResponse(event))) await once(call, 'drain');
    }
    call.end();
  }

  async #subscribe(call: ReadCall, options: pb.ReadReq.Options): Promise<void> {
    this.#subscriptions.add(call);
    const stopping = new AbortController();
    for (const event of ['cancelled', 'close', 'error']) call.on(event, () => stopping.abort());
    const confirmation = new pb.ReadResp.SubscriptionConfirmation();
    confirmation.setSubscriptionId(crypto.randomUUID());
    call.write(new pb.ReadResp().setConfirmation(confirmation));
    const wants = wantedBy(options.getFilter());
    const every =
      (options.getFilter()?.getMax() ?? 32) * (options.getFilter()?.getCheckpointintervalmultiplier() ?? 1);
    const from = BigInt(options.getAll()?.getPosition()?.getCommitPosition() ?? -1);
    let next = this.#log.findIndex((event) => event.position > from);
    if (next < 0) next = this.#log.length;
    let passedOver = 0;
    let isCaughtUp = false;
    while (!stopping.signal.aborted) {
      const event = this.#log[next];
      if (!event) {
        if (!isCaughtUp) call.write(new pb.ReadResp().setCaughtUp(new pb.ReadResp.CaughtUp()));
        isCaughtUp = true;
        await once(this.#changes, 'change', { signal: stopping.signal }).catch(() => undefined);
        continue;
      }
      next += 1;
      if (wants(event)) {
        if (!call.write(eventResponse(event)))
          await once(call, 'drain', { signal: stopping.signal }).catch(() => undefined);
        continue;
      }
      passedOver += 1;
      if (passedOver % every === 0) {
        const checkpoint = new pb.ReadResp.Checkpoint();
        checkpoint.setCommitPosition(String(event.position));
        checkpoint.setPreparePosition(String(event.position));
        call.write(new pb.ReadResp().setCheckpoint(checkpoint));
      }
    }
    this.#subscriptions.delete(call);
  }
}

function wantedBy(filter: pb.ReadReq.Options.FilterOptions | undefined): (event: Stored) => boolean {
  const expression = filter?.getEventType() ?? filter?.getStreamIdentifier();
  if (!expression) return () => true;
  const field = filter?.hasEventType() ? 'type' : 'stream';
  const prefixes = expression.getPrefixList();
  const regex = new RegExp(expression.getRegex());
  return (event) =>
    prefixes.length > 0
      ? prefixes.some((prefix) => event[field].startsWith(prefix))
      : regex.test(event[field]);
}

const nameOf = (identifier: sharedPb.StreamIdentifier | undefined) =>
  Buffer.from(identifier?.getStreamName_asU8() ?? []).toString();

function supportedMethods(): featuresPb.SupportedMethods {
  const method = new featuresPb.SupportedMethod();
  method.setServiceName('event_store.client.streams.streams');
  method.setMethodName('batchappend');
  return new featuresPb.SupportedMethods().setMethodsList([method]).setEventStoreServerVersion('24.10.0');
}

function withSuccess(response: pb.BatchAppendResp, last: Stored): pb.BatchAppendResp {
  const position = new sharedPb.AllStreamPosition();
  position.setCommitPosition(String(last.position));
  position.setPreparePosition(String(last.position));
  const result = new pb.BatchAppendResp.Success();
  result.setCurrentRevision(String(last.revision));
  result.setPosition(position);
  return response.setSuccess(result);
}

function withWrongVersion(response: pb.BatchAppendResp, current: number): pb.BatchAppendResp {
  const wrong = new sharedPb.WrongExpectedVersion();
  if (current < 0) wrong.setCurrentNoStream(new sharedPb.Empty());
  else wrong.setCurrentStreamRevision(String(current));
  const details = new anyPb.Any();
  details.pack(wrong.serializeBinary(), 'event_store.client.WrongExpectedVersion');
  return response.setError(new statusPb.Status().setMessage('WrongExpectedVersion').setDetails(details));
}

/** The real one's way: words, and details of no type in particular. */
function withRefusal(response: pb.BatchAppendResp, reason: string): pb.BatchAppendResp {
  const details = new anyPb.Any();
  details.pack(new sharedPb.Empty().serializeBinary(), 'google.protobuf.Empty');
  return response.setError(new statusPb.Status().setMessage(reason).setDetails(details));
}

function withTooLarge(response: pb.BatchAppendResp, maxAppendSize: number): pb.BatchAppendResp {
  const exceeded = new sharedPb.MaximumAppendSizeExceeded();
  exceeded.setMaxappendsize(maxAppendSize);
  const details = new anyPb.Any();
  details.pack(exceeded.serializeBinary(), 'event_store.client.MaximumAppendSizeExceeded');
  return response.setError(new statusPb.Status().setMessage('MaximumAppendSizeExceeded').setDetails(details));
}

function success(last: Stored): pb.AppendResp {
  const position = new pb.AppendResp.Position();
  position.setCommitPosition(String(last.position));
  position.setPreparePosition(String(last.position));
  const result = new pb.AppendResp.Success();
  result.setCurrentRevision(String(last.revision));
  result.setPosition(position);
  return new pb.AppendResp().setSuccess(result);
}

function wrongVersion(current: number): pb.AppendResp {
  const wrong = new pb.AppendResp.WrongExpectedVersion();
  if (current < 0) wrong.setCurrentNoStream(new sharedPb.Empty());
  else wrong.setCurrentRevision(String(current));
  return new pb.AppendResp().setWrongExpectedVersion(wrong);
}

function eventResponse(stored: Stored): pb.ReadResp {
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
    .set('content-type', 'application/json')
    .set('created', '0');
  recorded.setData(stored.data);
  recorded.setCustomMetadata(stored.metadata);
  const event = new pb.ReadResp.ReadEvent();
  event.setEvent(recorded);
  event.setCommitPosition(String(stored.position));
  return new pb.ReadResp().setEvent(event);
}
