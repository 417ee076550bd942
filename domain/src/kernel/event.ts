/** Who caused an event. `system` is a process manager or the scheduler. */
export type Actor =
  | { readonly kind: 'user'; readonly userId: string }
  | { readonly kind: 'apiClient'; readonly userId: string; readonly clientId: string }
  | { readonly kind: 'system'; readonly name: string };

export interface EventMetadata {
  /** Version of the shape of `data`; old ones are brought forward by the upcasters of their context. */
  readonly schemaVersion: number;
  readonly commandId: string;
  readonly correlationId: string;
  /** Id of the event or command that this event follows from. */
  readonly causationId: string;
  readonly actor: Actor;
  /** ISO 8601, UTC; taken from the command, never from a clock inside `domain`. */
  readonly recordedAt: string;
}

/** What a decider answers with: the fact alone. The command handler adds id and metadata. */
export interface DomainEvent<Type extends string = string, Data = unknown> {
  readonly type: Type;
  readonly data: Data;
}

/**
 * An event ready to be appended. `id` is derived from the command id and the index, so a repeated command
 * appends once.
 */
export interface NewEvent extends DomainEvent {
  readonly id: string;
  readonly metadata: EventMetadata;
}

/** An event as the log holds it. */
export interface RecordedEvent<Event extends DomainEvent = DomainEvent> {
  readonly id: string;
  readonly type: Event['type'];
  readonly data: Event['data'];
  readonly metadata: EventMetadata;
  readonly stream: string;
  /** 0-based place in its stream. */
  readonly revision: number;
  /** Place in the whole log; grows, but not by one. */
  readonly position: bigint;
  /**
   * The event's link in the chain of the whole log (`event-chain.ts`), lower-case hex: in `readAll`, where
   * the store keeps it.
   */
  readonly link?: string;
  /**
   * The event's link in the chain of its stream, lower-case hex: in `readAll` of a store that keeps no chain
   * of the whole log.
   */
  readonly streamLink?: string;
}
