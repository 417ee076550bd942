import type { DomainEvent, EventMetadata } from './event.ts';
import type { Refusal } from './refusal.ts';

/**
 * The rules of one kind of stream, as three pure functions. Time, ids and looked-up facts reach `decide`
 * inside the command; an expected "no" is a `Refusal` value, an exception is a bug.
 */
export interface Decider<Command, State, Event extends DomainEvent> {
  readonly initialState: State;
  readonly decide: (command: Command, state: State) => readonly Event[] | Refusal;
  /** `metadata` is there except in tests of the bare rules; whoever needs the time of an event reads it there. */
  readonly evolve: (state: State, event: Event & { readonly metadata?: EventMetadata }) => State;
}
