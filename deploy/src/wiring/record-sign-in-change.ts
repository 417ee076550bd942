import type { ToldChange } from '@quantloom/adapters/identity/embedded/sign-in-changes';
import { handleCommand } from '@quantloom/domain/kernel/handle-command';
import { derivedId } from '@quantloom/domain/kernel/ids';
import { isRefusal } from '@quantloom/domain/kernel/refusal';
import type { EventStore } from '@quantloom/domain/ports/event-store';
import { signInStream, signInStreamId } from '@quantloom/domain/sign-in/sign-in';

/**
 * Writes what somebody changed about how he signs in into the log, once however often it is told; rejects
 * while the log is away.
 */
export async function recordSignInChange(
  eventStore: EventStore,
  { id, change, userId, at }: ToldChange,
): Promise<void> {
  const commandId = derivedId(Date.parse(at), 'sign-in change', id);
  const recorded = await handleCommand(
    eventStore,
    signInStream,
    signInStreamId(userId, at),
    { type: 'RecordSignInChange', change, userId },
    { commandId, correlationId: commandId, actor: { kind: 'user', userId }, now: at },
  );
  if (isRefusal(recorded)) throw new Error(recorded.detail);
}
