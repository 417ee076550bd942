import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import type featuresPb from '@eventstore/db-client/generated/serverfeatures_pb.js';
import type pb from '@eventstore/db-client/generated/streams_pb.js';
import {
  type handleClientStreamingCall,
  type Metadata,
  Server,
  ServerCredentials,
  type ServerWritableStream,
  status,
} from '@grpc/grpc-js';
import type { EventStoreClientName } from '../../../src/event-store/eventstoredb/server-client.ts';
import {
  eventResponse,
  type Failure,
  failure,
  nameOf,
  type Stored,
  sizeOnDisk,
  streamDeleted,
  success,
  supportedMethods,
  tooLarge,
  wrongVersion,
} from './stand-in-answers.ts';
import { answerBatches, type BatchCall } from './stand-in-batches.ts';
import type { StandInJournal } from './stand-in-journal.ts';
import { StandInLog } from './stand-in-log.ts';
import { loadProtocol, type Protocol } from './stand-in-protocol.ts';

type ReadCall = ServerWritableStream<pb.ReadReq, pb.ReadResp>;

/** As the real server says them. */
export const NOT_READY = failure(status.UNAVAILABLE, 'Server Is Not Ready');
export const TOO_BUSY = failure(status.UNAVAILABLE, 'Server Is Too Busy');
export const NO_LEADER = failure(status.UNKNOWN, 'No leader info available in response');
export const TIMED_OUT = failure(status.ABORTED, 'Operation timed out: commit');
export const EVENT_TOO_LARGE = failure(
  status.INVALID_ARGUMENT,
  'Event with Id: 1, Size: 2, exceeds Maximum Append Event Size of 1.',
  { exception: 'maximum-append-event-size-exceeded' },
);
/** What a node says of every call while no leader is elected. */
export const ELECTING = failure(status.UNAVAILABLE, 'Server Is Not Ready');
const ACCESS_DENIED = failure(status.PERMISSION_DENIED, 'Access Denied', { exception: 'access-denied' });
/** What a wrong password is answered with; without TLS the client sends none, so that it cannot be compared here. */
export const WRONG_PASSWORD = failure(status.UNAUTHENTICATED, 'Unauthenticated');
const GOING_DOWN = failure(status.UNAVAILABLE, 'going down');
const INVALID_POSITION = failure(status.INTERNAL, 'Unexpected ReadAllResult: InvalidPosition');

/**
 * Speaks the streams protocol of EventStoreDB over gRPC, from memory, so that the adapter and the official
 * client can be tested where no server can be had. It does what the server's documentation and source say
 * (appends that are recognised when repeated, `$all` with events of its own in between, filtered
 * subscriptions with checkpoints, caught up, nodes that are not the leader) and no more: it is no substitute
 * for the run against a real server.
 */
export class StandInServer {
  /** Bytes; the most that the real one can be set to, its default is 1,048,576. */
  maxAppendSize = 16_767_216;
  /** A node that is not the leader: what requires one is sent to this port. */
  leaderPort: number | null = null;
  /** How long a subscription looks at the log before it says anything, as over a long stretch where nothing matches. */
  catchUpMs = 0;
  /** Every call waits this long before anything comes of it. */
  delayMs = 0;
  /** What the one writer of a server needs for an append, whatever is in it; the next one waits for it. */
  appendMs = 0;
  #writerIsFree = 0;
  /** What every call is answered with: an election, say. */
  refusesAll: Failure | null = null;
  /** Whether the user may read `$all`, which by default only administrators may. */
  mayReadAll = true;
  #thawing: Promise<void> | null = null;
  #thaw: () => void = () => {};
  readonly #server = new Server({ 'grpc.max_receive_message_length': 16 * 1024 * 1024 });
  readonly #log: StandInLog;
  readonly #subscriptions = new Set<ReadCall>();
  readonly #saysWhenCaughtUp: boolean;
  readonly #client: EventStoreClientName;
  #protocol!: Protocol;
  #refusals: Failure[] = [];
  #answersToLose = 0;
  #breakReadAfter: number | null = null;
  #silentReads = 0;

  /**
   * @param saysWhenCaughtUp servers before 23.10 do not say that a subscription has caught up
   * @param client the library that this process has loaded: the server takes its messages from there
   * @param journal where the log is kept beyond this process
   */
  constructor({
    saysWhenCaughtUp = true,
    client = 'eventstore',
    journal,
  }: {
    readonly saysWhenCaughtUp?: boolean;
    readonly client?: EventStoreClientName;
    readonly journal?: StandInJournal;
  } = {}) {
    this.#saysWhenCaughtUp = saysWhenCaughtUp;
    this.#client = client;
    this.#log = new StandInLog(journal);
  }

  /** Resolves with the connection string. @param at port; 0: one that is free */
  async start(at = 0): Promise<string> {
    this.#protocol = await loadProtocol(this.#client);
    this.#server.addService(this.#protocol.streamsGrpc.StreamsService, {
      read: (call: ReadCall) => void this.#read(call),
      append: this.#append,
      batchAppend: (call: BatchCall) => void this.#appendBatches(call),
    });
    this.#server.addService(this.#protocol.featuresGrpc.ServerFeaturesService, {
      getSupportedMethods: (
        _: unknown,
        callback: (error: null, methods: featuresPb.SupportedMethods) => void,
      ) => callback(null, supportedMethods(this.#protocol)),
    });
    const port = await new Promise<number>((resolve, reject) => {
      this.#server.bindAsync(`127.0.0.1:${at}`, ServerCredentials.createInsecure(), (error, bound) =>
        error ? reject(error) : resolve(bound),
      );
    });
    this.write('$scavenges', '$metadata');
    return `esdb://127.0.0.1:${port}?tls=false`;
  }

  stop(): void {
    this.#server.forceShutdown();
  }

  /** An event of somebody else: of the server, or of another application. */
  write(stream: string, type: string, content?: Parameters<StandInLog['write']>[2]): void {
    this.#log.write(stream, type, content);
  }

  /** Deletes a stream for ever. */
  tombstone(stream: string): void {
    this.#log.tombstone(stream);
  }

  /** Breaks all subscriptions, as a restart does. */
  breakSubscriptions(): number {
    const broken = this.#subscriptions.size;
    for (const call of this.#subscriptions) call.emit('error', GOING_DOWN);
    return broken;
  }

  /** Takes calls and does nothing with them, as a stopped process does, until `thaw`. */
  freeze(): void {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#thawing = promise;
    this.#thaw = resolve;
  }

  thaw(): void {
    this.#thawing = null;
    this.#thaw();
  }

  /** What comes before the call itself: the network, a frozen server, security, an election. */
  async #admit(isAll: boolean): Promise<Failure | null> {
    if (this.delayMs > 0) await wait(this.delayMs);
    await this.#thawing;
    if (this.refusesAll) return this.refusesAll;
    return isAll && !this.mayReadAll ? ACCESS_DENIED : null;
  }

  /** Breaks the next read after this many events. */
  breakNextRead(after: number): void {
    this.#breakReadAfter = after;
  }

  /** Takes the next reads and never answers them. */
  silenceReads(count: number): void {
    this.#silentReads = count;
  }

  /** Fails the next appends so. */
  refuseAppends(...refusals: readonly Failure[]): void {
    this.#refusals = [...refusals];
  }

  /** Stores the next appends and never says so. */
  loseAnswers(count: number): void {
    this.#answersToLose = count;
  }

  readonly #append: handleClientStreamingCall<pb.AppendReq, pb.AppendResp> = async (call, callback) => {
    const requests: pb.AppendReq[] = [];
    try {
      for await (const request of call) requests.push(request as pb.AppendReq);
    } catch {
      // The client is gone.
      return;
    }
    // It may have gone in the middle, which ends the iteration as well: nothing of a part is stored.
    if (call.cancelled) return;
    const options = requests[0]?.getOptions() as pb.AppendReq.Options;
    const stream = nameOf(options.getStreamIdentifier());
    const expected = options.hasAny() ? 'any' : options.hasNoStream() ? -1 : Number(options.getRevision());
    const events = requests.slice(1).flatMap((request) => request.getProposedMessage() ?? []);
    const size = events.reduce((sum, event) => sum + sizeOnDisk(event), 0);
    const refusal =
      (await this.#admit(false)) ??
      this.#refusals.shift() ??
      this.#elsewhere(call.metadata) ??
      (size > this.maxAppendSize ? tooLarge(this.maxAppendSize) : null) ??
      (this.#log.deleted.has(stream) ? streamDeleted(stream) : null);
    if (refusal) {
      callback(refusal);
      return;
    }
    const result = this.#log.append(stream, expected, events);
    if (this.appendMs > 0) await wait(this.#untilWritten());
    if (this.#losesAnswer()) return;
    callback(
      null,
      'current' in result ? wrongVersion(this.#protocol, result.current) : success(this.#protocol, result),
    );
  };

  async #appendBatches(call: BatchCall): Promise<void> {
    await answerBatches(call, this.#protocol, {
      log: this.#log,
      maxAppendSize: () => this.maxAppendSize,
      delayMs: () => this.delayMs + this.#untilWritten(),
      admit: async () => {
        await this.#thawing;
        return this.refusesAll ?? this.#elsewhere(call.metadata);
      },
      refusal: () => this.#refusals.shift(),
      loses: () => this.#losesAnswer(),
    });
  }

  /** Milliseconds until the writer has done what comes now. */
  #untilWritten(): number {
    const now = performance.now();
    this.#writerIsFree = Math.max(now, this.#writerIsFree) + this.appendMs;
    return this.#writerIsFree - now;
  }

  #losesAnswer(): boolean {
    if (this.#answersToLose === 0) return false;
    this.#answersToLose -= 1;
    return true;
  }

  /** Where this is not the leader and the call demands one. */
  #elsewhere(metadata: Metadata): Failure | null {
    if (this.leaderPort === null || metadata.get('requires-leader')[0] !== 'true') return null;
    return failure(status.NOT_FOUND, 'Leader info available', {
      exception: 'not-leader',
      'leader-endpoint-host': '127.0.0.1',
      'leader-endpoint-port': String(this.leaderPort),
    });
  }

  async #read(call: ReadCall): Promise<void> {
    const options = call.request.getOptions() as pb.ReadReq.Options;
    const refused = await this.#admit(options.getAll() !== undefined);
    if (call.cancelled) return;
    if (refused) {
      call.emit('error', refused);
      return;
    }
    if (options.hasSubscription()) {
      await this.#subscribe(call, options);
      return;
    }
    if (this.#silentReads > 0) {
      this.#silentReads -= 1;
      return;
    }
    const elsewhere = this.#elsewhere(call.metadata);
    if (elsewhere) {
      call.emit('error', elsewhere);
      return;
    }
    const isBackwards = options.getReadDirection() === 1;
    let events: readonly Stored[] = this.#log.events;
    const stream = options.getStream();
    if (stream) {
      const name = nameOf(stream.getStreamIdentifier());
      if (this.#log.deleted.has(name)) {
        call.emit('error', streamDeleted(name));
        return;
      }
      events = this.#log.stream(name);
      if (events.length === 0) {
        const missing = new this.#protocol.streams.ReadResp.StreamNotFound();
        missing.setStreamIdentifier(stream.getStreamIdentifier());
        call.write(new this.#protocol.streams.ReadResp().setStreamNotFound(missing));
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
      // It is a place in a file: one where no record begins cannot be read from.
      if (!events.some((event) => event.position === at)) {
        call.emit('error', INVALID_POSITION);
        return;
      }
      // Forwards the event at the position itself is part of the answer.
      events = events.filter((event) => (isBackwards ? event.position < at : event.position >= at));
    }
    if (isBackwards) events = events.toReversed();
    const breakAfter = this.#breakReadAfter;
    this.#breakReadAfter = null;
    for (const [index, event] of events.slice(0, Number(options.getCount())).entries()) {
      if (index === breakAfter) {
        call.emit('error', GOING_DOWN);
        return;
      }
      if (!call.write(eventResponse(this.#protocol, event))) await once(call, 'drain');
    }
    call.end();
  }

  async #subscribe(call: ReadCall, options: pb.ReadReq.Options): Promise<void> {
    this.#subscriptions.add(call);
    const stopping = new AbortController();
    for (const event of ['cancelled', 'close', 'error']) call.on(event, () => stopping.abort());
    const confirmation = new this.#protocol.streams.ReadResp.SubscriptionConfirmation();
    confirmation.setSubscriptionId(crypto.randomUUID());
    call.write(new this.#protocol.streams.ReadResp().setConfirmation(confirmation));
    const wants = wantedBy(options.getFilter());
    const every =
      (options.getFilter()?.getMax() ?? 32) * (options.getFilter()?.getCheckpointintervalmultiplier() ?? 1);
    const from = BigInt(options.getAll()?.getPosition()?.getCommitPosition() ?? -1);
    let next = this.#log.events.findIndex((event) => event.position > from);
    if (next < 0) next = this.#log.events.length;
    let considered = 0;
    let isCaughtUp = false;
    if (this.catchUpMs > 0)
      await wait(this.catchUpMs, undefined, { signal: stopping.signal }).catch(() => undefined);
    while (!stopping.signal.aborted) {
      const event = this.#log.events[next];
      if (!event) {
        if (!isCaughtUp && this.#saysWhenCaughtUp)
          call.write(
            new this.#protocol.streams.ReadResp().setCaughtUp(new this.#protocol.streams.ReadResp.CaughtUp()),
          );
        isCaughtUp = true;
        await once(this.#log.changes, 'change', { signal: stopping.signal }).catch(() => undefined);
        continue;
      }
      next += 1;
      considered += 1;
      if (wants(event) && !call.write(eventResponse(this.#protocol, event)))
        await once(call, 'drain', { signal: stopping.signal }).catch(() => undefined);
      // What is written to a broken call keeps its end from the client.
      if (stopping.signal.aborted) break;
      // Counts what matched as well.
      if (considered % every === 0) {
        const checkpoint = new this.#protocol.streams.ReadResp.Checkpoint();
        checkpoint.setCommitPosition(String(event.position));
        checkpoint.setPreparePosition(String(event.position));
        call.write(new this.#protocol.streams.ReadResp().setCheckpoint(checkpoint));
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
