import { NO_LOG } from '@quantloom/domain/ports/log';
import { expect, it } from 'vitest';
import { startComputeNode } from './compute-node.ts';
import type { ComputeNodeDeps } from './compute-node-deps.ts';

it('takes no more jobs and leaves its groups while it still says that it goes: the bus may be slow', async () => {
  const done: string[] = [];
  const said = Promise.withResolvers<void>();
  const node = await startComputeNode({
    bus: {
      ensureTopics: async () => undefined,
      publish: (_: string, [{ value }]: [{ value: { slots: number } }]) =>
        value.slots === 0 ? said.promise : Promise.resolve(),
      subscribe: async ({ group }: { group: string }) => ({
        pause: () => done.push(`pause ${group}`),
        close: async () => done.push(`close ${group}`),
      }),
    },
    runner: { capacity: 1 },
    nodeId: 'n1',
    log: NO_LOG,
  } as unknown as ComputeNodeDeps);
  const closing = node.close();
  const groups = done.filter((one) => one.startsWith('pause')).map((one) => one.replace('pause ', ''));
  expect(groups).toHaveLength(4);
  // All are paused before the first is closed, so that no job moves from one to the next.
  expect(done.slice(4)).toEqual([...groups, 'compute.cancellations.n1'].map((group) => `close ${group}`));
  said.resolve();
  await closing;
});
