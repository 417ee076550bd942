import type { Actor } from '@quantloom/domain/kernel/event';
import { WrongExpectedRevisionError } from '@quantloom/domain/ports/event-store';
import { treeStreamOf } from '@quantloom/domain/strategy/stored-tree';
import { MemoryEventStore } from '@quantloom/domain/testing/memory-event-store';
import { expect, it, vi } from 'vitest';
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

it('stores a tree once where two write it at the same time, and both go on', async () => {
  const eventStore = new MemoryEventStore();
  const tree = { hash: 'b'.repeat(64), text: '{"id":"root"}' };
  const append = vi.spyOn(eventStore, 'append');
  const stored = ['ann', 'bob'].map((userId) =>
    storeTree(eventStore, tree, { metadata: metadataOf({ kind: 'user', userId }) }),
  );
  await expect(Promise.all(stored)).resolves.toBeDefined();
  expect([append.mock.calls.length, eventStore.events.length]).toEqual([2, 1]);
});

it('goes on where the log says that another one was first, and not where it failed', async () => {
  const eventStore = new MemoryEventStore();
  const tree = { hash: 'c'.repeat(64), text: '{"id":"root"}' };
  const store = () => storeTree(eventStore, tree, { metadata: metadataOf({ kind: 'user', userId: 'ann' }) });
  const append = vi.spyOn(eventStore, 'append');
  append.mockRejectedValueOnce(new WrongExpectedRevisionError(treeStreamOf(tree.hash), 'noStream', 0));
  await expect(store()).resolves.toBeUndefined();
  append.mockRejectedValueOnce(new Error('the disk is full'));
  await expect(store()).rejects.toThrow('the disk is full');
});
