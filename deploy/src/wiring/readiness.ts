import { batchesProjection, UNFINISHED_STATUSES } from '@quantloom/domain/batch/projections';
import type { MessageBus } from '@quantloom/domain/ports/message-bus';
import { type Outages, outageWords } from '@quantloom/domain/ports/outages';
import type { ReadModels } from '@quantloom/domain/ports/read-models';
import type { Projectors } from '@quantloom/projectors/projectors';

/**
 * What is away and what waits for it: "Results store away since 14:03:22 UTC, 14 batches wait (ClickHouse is
 * not reached)". null: nothing is away.
 */
export async function outageSentence(
  outages: Outages & { look(): Promise<void> },
  readModels?: Pick<ReadModels, 'count'>,
): Promise<string | null> {
  await outages.look();
  const current = outages.current();
  if (current.length === 0) return null;
  const words = current.map(outageWords).join(', ');
  const batches = await waiting(outages, readModels);
  const tail = batches === null ? '' : `, ${batches} ${batches === 1 ? 'batch waits' : 'batches wait'}`;
  const reasons = [...new Set(current.map(({ reason }) => reason))].join('; ');
  return `${words[0]?.toUpperCase()}${words.slice(1)}${tail} (${reasons})`;
}

/** Which side of the API has no process that answers: pages and sign-ins are there all the same. */
export function silentSide(sides: readonly (readonly [string, { areThere(): boolean }])[]): string | null {
  const [silent] = sides.find(([, upstreams]) => !upstreams.areThere()) ?? [];
  return silent === undefined ? null : `No process of the ${silent} API is ready`;
}

/** Of several processes one works each projection; those that stand by for it are as ready as that one. */
export function areAtWork({ status }: Pick<Projectors, 'status'>): boolean {
  return status().every(({ state }) => state === 'running' || state === 'standby');
}

/** Where a process is no member of a group whose work it is to share, as a sentence; null: it is one of all. */
export function outsideSentence(bus: Pick<MessageBus, 'outside'>): string | null {
  const groups = [...new Set(bus.outside())];
  if (groups.length === 0) return null;
  return `This process has not joined the message bus (${groups.join(', ')}): work for it waits or goes to others`;
}

async function waiting(outages: Outages, readModels?: Pick<ReadModels, 'count'>): Promise<number | null> {
  const isKnown = !outages.current().some(({ dependency }) => dependency === 'readModels');
  if (!readModels || !isKnown) return null;
  try {
    return await readModels.count(batchesProjection.collection.name, {
      status: { in: UNFINISHED_STATUSES },
    });
  } catch {
    // Not known before the first batch, or gone away meanwhile: the sentence is true without it.
    return null;
  }
}
