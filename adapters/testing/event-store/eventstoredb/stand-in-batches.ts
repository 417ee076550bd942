import type pb from '@eventstore/db-client/generated/streams_pb.js';
import type { ServerDuplexStream } from '@grpc/grpc-js';
import {
  batchFailure,
  batchSuccess,
  type Failure,
  nameOf,
  type Proposed,
  sizeOnDisk,
} from './stand-in-answers.ts';
import type { StandInLog } from './stand-in-log.ts';
import type { Protocol } from './stand-in-protocol.ts';

export type BatchCall = ServerDuplexStream<pb.BatchAppendReq, pb.BatchAppendResp>;

/** What the server has to say about it. */
export interface BatchRules {
  readonly log: StandInLog;
  maxAppendSize(): number;
  /** How long, in ms, the answer to this request takes; asked once for each. The next one is not kept waiting for it. */
  delayMs(): number;
  /** What comes before every request; a failure ends the call. */
  admit(): Promise<Failure | null>;
  /** What the next append is refused with. */
  refusal(): Failure | undefined;
  /** Whether the answer is lost. */
  loses(): boolean;
}

/** As the real one: committed in the order of the requests, each answered for itself. */
export async function answerBatches(call: BatchCall, protocol: Protocol, rules: BatchRules): Promise<void> {
  call.on('error', () => {});
  const parts = new Map<string, { options: pb.BatchAppendReq.Options; events: Proposed[] }>();
  try {
    for await (const request of call as AsyncIterable<pb.BatchAppendReq>) {
      const id = request.getCorrelationId()?.getString() ?? '';
      const options = request.getOptions() ?? parts.get(id)?.options;
      if (!options) continue;
      const part = parts.get(id) ?? { options, events: [] };
      part.events.push(...request.getProposedMessagesList());
      parts.set(id, part);
      if (!request.getIsFinal()) continue;
      parts.delete(id);
      const refused = await rules.admit();
      if (refused) {
        call.emit('error', refused);
        return;
      }
      const answer = answerTo(id, part, protocol, rules);
      const delayMs = rules.delayMs();
      if (answer && delayMs > 0) setTimeout(() => call.write(answer), delayMs);
      else if (answer) call.write(answer);
    }
  } catch {
    // The client is gone.
    return;
  }
  call.end();
}

function answerTo(
  id: string,
  { options, events }: { options: pb.BatchAppendReq.Options; events: readonly Proposed[] },
  protocol: Protocol,
  { log, maxAppendSize, refusal, loses }: BatchRules,
): pb.BatchAppendResp | null {
  const fail = (name: string, text = '') => batchFailure(protocol, id, name, text);
  const stream = nameOf(options.getStreamIdentifier());
  const position = options.hasNoStream() ? -1 : Number(options.getStreamPosition());
  const refused = refusal();
  if (refused) return fail('google.protobuf.Empty', refused.details);
  if (events.reduce((sum, event) => sum + sizeOnDisk(event), 0) > maxAppendSize())
    return fail('event_store.client.MaximumAppendSizeExceeded');
  if (log.deleted.has(stream)) return fail('event_store.client.StreamDeleted');
  const result = log.append(stream, options.hasAny() ? 'any' : position, events);
  if (loses()) return null;
  return 'current' in result
    ? fail('event_store.client.WrongExpectedVersion')
    : batchSuccess(protocol, id, result);
}
