import type { BatchEvent } from '@quantloom/domain/batch/events';
import { PLANS } from '@quantloom/domain/identity/plans';
import { handleCommand, loadState } from '@quantloom/domain/kernel/handle-command';
import { exchangeMonth } from '@quantloom/domain/market-data/exchange-day';
import { USAGE_STREAM, usageId } from '@quantloom/domain/usage/stream';
import { ulid } from 'ulid';
import type { TestApi } from './test-api.ts';

/** Of a command that the system gives. */
export const systemContext = (api: TestApi) => ({
  commandId: ulid(),
  correlationId: 'test',
  actor: { kind: 'system', name: 'test' } as const,
  now: api.deps.clock.now().toISOString(),
});

const monthOf = (api: TestApi) => exchangeMonth(api.deps.clock.now());

/** Writes what happens to a batch elsewhere. */
export async function appendToBatch(
  api: TestApi,
  id: string,
  events: readonly BatchEvent[],
  after: number,
): Promise<void> {
  const { now: recordedAt, ...by } = systemContext(api);
  const metadata = { ...by, schemaVersion: 1, causationId: by.commandId, recordedAt };
  const stored = events.map((event) => ({ ...event, id: ulid(), metadata }));
  await api.deps.eventStore.append(`batch-${id}`, stored, after);
}

/** Combinations that a user's batches have taken from the month. */
export async function usedOfMonth(api: TestApi, userId: string): Promise<number> {
  return (await loadState(api.deps.eventStore, USAGE_STREAM, usageId(userId, monthOf(api)))).state.used;
}

/** Takes from the month of somebody with the largest plan, as batches do, until so many combinations are left. */
export async function leaveOfMonth(api: TestApi, userId: string, combinations: number): Promise<void> {
  const monthlyLimit = PLANS.api.monthlyBacktests;
  const month = monthOf(api);
  const taken = monthlyLimit - combinations - (await usedOfMonth(api, userId));
  await handleCommand(
    api.deps.eventStore,
    USAGE_STREAM,
    usageId(userId, month),
    { type: 'ReserveQuota', userId, month, batchId: ulid(), combinations: taken, monthlyLimit },
    systemContext(api),
  );
}
