import { expect } from 'vitest';
import type { DomainEvent } from '../src/kernel/event.ts';
import type { StreamKind } from '../src/kernel/handle-command.ts';
import { isRefusal, type Refusal } from '../src/kernel/refusal.ts';

/**
 * Given/when/then for one kind of stream:
 * `given(strategyStream, created).when(command).thenEvents(saved)`, or `.thenRefused(404, 'strategy_not_found')`.
 */
export function given<Command, State, Event extends DomainEvent>(
  { decider }: StreamKind<Command, State, Event>,
  ...past: readonly NoInfer<Event>[]
) {
  const state = past.reduce<State>((folded, event) => decider.evolve(folded, event), decider.initialState);
  return {
    when: (command: Command) => {
      const decided = decider.decide(command, state);
      return {
        thenEvents: (...expected: readonly Event[]) => {
          expect(decided).toEqual(expected);
          // What was decided can be folded.
          const next = expected.reduce<State>((folded, event) => decider.evolve(folded, event), state);
          expect(next).toBeDefined();
        },
        /** Events of these types, whatever they carry. */
        thenTypes: (...types: readonly Event['type'][]) => {
          expect(isRefusal(decided) ? decided : decided.map(({ type }) => type)).toEqual(types);
        },
        thenRefused: (status: Refusal['status'], code: string) => {
          expect(decided).toMatchObject({ refusal: true, status, code });
          expect((decided as Refusal).detail).toMatch(/^\S.*\S$/s);
        },
        decided,
      };
    },
  };
}
