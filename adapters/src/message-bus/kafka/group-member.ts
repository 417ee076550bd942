import type { Claims } from './sticky-assigner.ts';

export interface TopicPartition {
  readonly topic: string;
  readonly partition: number;
}

/** A message as it was stored: what its value means is not known yet. */
export interface FetchedMessage {
  readonly offset: bigint;
  readonly key: string;
  /** UTF-8; null: a message without a value. */
  readonly value: string | null;
  readonly headers: Readonly<Record<string, string>>;
}

export interface GroupMemberEvents {
  /** All that this member holds from now on; what it does not name is somebody else's. */
  assigned(assignment: Claims): void;
  /** It is in the group no more, and holds nothing until it has joined again. */
  lost(): void;
  /** In the order of their offsets; some may have come before. Must not take long: the client waits for it. */
  received(at: TopicPartition, messages: readonly FetchedMessage[]): void;
  /** Something went wrong that the client tries again. */
  failed(error: unknown): void;
}

/**
 * What a client does for one member of a consumer group: joins, heartbeats, fetches what is not paused,
 * commits what it is told, and joins again by itself where it was put out. What is done with the messages is
 * `KafkaSubscription`'s.
 */
export interface GroupMember {
  /** Resolves when the group has taken it in; rejects where that is not to be had. */
  start(events: GroupMemberEvents): Promise<void>;
  pauseAll(): void;
  /** Fetches everything again, also what was paused by itself. */
  resumeAll(): void;
  pause(at: TopicPartition): void;
  resume(at: TopicPartition): void;
  commit(offsets: readonly (TopicPartition & { readonly offset: bigint })[]): Promise<void>;
  /** Whether a commit was refused because a rebalance is under way, or has been. */
  isRebalance(error: unknown): boolean;
  leave(): Promise<void>;
}
