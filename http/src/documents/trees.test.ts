import type { Actor } from '@quantloom/domain/kernel/event';
import { treeStreamOf } from '@quantloom/domain/strategy/stored-tree';
import { MemoryEventStore } from '@quantloom/domain/testing/memory-event-store';
import { expect, it } from 'vitest';
import { storeTree, textOfTree } from './trees.ts';

const metadataOf = (actor: Actor) => ({
  schemaVersion: 3,
  commandId: 'c',
  correlationId: 'k',
  causationId: 'c',
  actor,
  recordedAt: '2026-11-20T10:00:00.000Z',
});

it('stores a tree once, of nobody’s account: others may come to refer to it', async () => {
  const eventStore = new MemoryEventStore();
  const tree = { hash: 'a'.repeat(64), text: '{"id":"root"}' };
  for (const userId of ['ann', 'bob'])
    await storeTree(eventStore, tree, { metadata: metadataOf({ kind: 'user', userId }) });
  const events = [];
  for await (const event of eventStore.readStream(treeStreamOf(tree.hash))) events.push(event);
  expect(events).toHaveLength(1);
  expect(events[0]).toMatchObject({
    type: 'TreeStored',
    data: tree,
    metadata: { schemaVersion: 1, actor: { kind: 'system', name: 'trees' } },
  });
  expect(await textOfTree(eventStore, tree.hash)).toBe(tree.text);
});
