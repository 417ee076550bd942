import type { TradingBot } from '@quantloom/domain/contracts/http/strategies';
import type { Feature } from '@quantloom/domain/identity/plans';
import type { NewEvent } from '@quantloom/domain/kernel/event';
import { derivedId, eventId } from '@quantloom/domain/kernel/ids';
import { isRefusal, type Refusal } from '@quantloom/domain/kernel/refusal';
import { type EventStore, isWrongExpectedRevision } from '@quantloom/domain/ports/event-store';
import {
  type HeldTree,
  LARGE_TREE,
  ReadTree,
  TREE_EVENTS,
  type TreeStored,
  treeStreamOf,
} from '@quantloom/domain/strategy/stored-tree';
import type { BotWithHeldTree } from '@quantloom/domain/strategy/view';
import { RawJson } from '../routes.ts';
import { bytesOfTree } from './kept-trees.ts';
import type { PaidJobs } from './paid-jobs.ts';

/** The text of a stored tree. Throws where the log does not hold it, which no command leaves. */
export async function textOfTree(eventStore: EventStore, hash: string): Promise<string> {
  return (await bytesOfTree(eventStore, hash)).toString();
}

/** A tree as JSON. */
export async function textOf(eventStore: EventStore, held: HeldTree): Promise<string> {
  return held.tree ? await textOfTree(eventStore, held.tree.hash) : JSON.stringify(held.algorithm);
}

/**
 * Stores the text of a tree, unless the log has it already. The same tree always makes the same event,
 * whoever saves it.
 *
 * @param cause the event or command that refers to it
 */
export async function storeTree(
  eventStore: EventStore,
  { hash, text }: TreeStored['data'],
  { metadata }: Pick<NewEvent, 'metadata'>,
): Promise<void> {
  const event: NewEvent = {
    id: eventId(derivedId(0, TREE_EVENTS.category, hash), 0),
    type: 'TreeStored',
    data: { hash, text },
    // Of nobody's account: others may come to refer to it.
    metadata: { ...metadata, schemaVersion: 1, actor: { kind: 'system', name: 'trees' } },
  };
  for await (const _ of eventStore.readStream(treeStreamOf(hash), { maxCount: 1 })) return;
  try {
    await eventStore.append(treeStreamOf(hash), [event], 'noStream');
  } catch (error) {
    if (!isWrongExpectedRevision(error)) throw error;
  }
}

/** A strategy as the API answers it; one whose tree is stored by itself as bytes that nobody has parsed. */
export async function botAnswer(
  eventStore: EventStore,
  { bot, held }: BotWithHeldTree,
): Promise<TradingBot | RawJson> {
  if (!held.tree) return { ...bot, algorithm: held.algorithm };
  const tree = await bytesOfTree(eventStore, held.tree.hash);
  const head = `${JSON.stringify(bot).slice(0, -1)},"algorithm":`;
  return new RawJson(Buffer.concat([Buffer.from(head), tree, Buffer.from('}')]));
}

/**
 * A tree that is in the log, read again: for a copy or an earlier revision. Large ones are read by another
 * thread, also those that events of before 2027 hold themselves.
 *
 * @param run who asks pays for what the reading takes (`paidJobs`)
 */
export async function readAgain(
  eventStore: EventStore,
  run: PaidJobs,
  held: HeldTree,
  features: readonly Feature[] | null,
): Promise<ReadTree | Refusal> {
  const text = await textOf(eventStore, held);
  const found = await run('tree', { text, features });
  return isRefusal(found) ? found : new ReadTree(found);
}

/** Whether a tree that an event holds itself would be stored by itself today. */
export function isLargeInline(held: HeldTree): boolean {
  return !held.tree && JSON.stringify(held.algorithm).length >= LARGE_TREE;
}
