import type { DomainEvent } from '../kernel/event.ts';
import {
  type CommandContext,
  type CommandResult,
  handleCommand,
  type StreamKind,
} from '../kernel/handle-command.ts';
import { isRefusal, type Refusal } from '../kernel/refusal.ts';
import type { StateCache } from '../kernel/state-cache.ts';
import type { EventStore } from '../ports/event-store.ts';

const PATIENCE = 50;

/**
 * Carries out a command of the system on a stream that many write to at once (every partition of a batch
 * reports to the same one): unlike a person's command it is not refused because others were faster, but
 * decided again. Somebody wins every round, so it comes to an end.
 */
export async function systemCommand<Command, State, Event extends DomainEvent>(
  eventStore: EventStore,
  kind: StreamKind<Command, State, Event>,
  id: string,
  command: Command,
  context: CommandContext,
  cache?: StateCache,
): Promise<CommandResult<State> | Refusal> {
  for (let round = 1; ; round += 1) {
    const result = await handleCommand(eventStore, kind, id, command, context, cache);
    if (!isRefusal(result) || result.code !== 'too_many_changes' || round === PATIENCE) return result;
  }
}
