/**
 * What a step of the dispatch costs by the number of batches that wait: it must not grow with it.
 *
 *   node bench/fairness/dispatch.ts [--waiting 100,1000,10000] [--users 1,100] [--steps 200]
 *
 * On the embedded log and read models. A step is what follows when a partition finishes: the next one goes
 * onto the bus. The sweep looks at everybody.
 */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { BATCH_CONTEXT_PROJECTIONS } from '@quantloom/domain/batch/context';
import { BATCH_STREAM } from '@quantloom/domain/batch/stream';
import { TOPICS } from '@quantloom/domain/contracts/messages/topics';
import { EVENT_CATALOGUE } from '@quantloom/domain/event-catalogue';
import { handleCommand } from '@quantloom/domain/kernel/handle-command';
import { NO_LOG } from '@quantloom/domain/ports/log';
import { BatchSteps } from '@quantloom/projectors/processes/batch-steps';
import { createProjectors } from '@quantloom/projectors/projectors';
import { batchOf, clock, commandOf, mustWork, openStores } from '@quantloom/projectors/testing/batch-stack';
import { ulid } from 'ulid';
import { elapsed, report } from '../adapters/measure.ts';
import { percentile } from '../results/percentile.ts';

const { values: options } = parseArgs({
  options: {
    waiting: { type: 'string', default: '100,1000,10000' },
    users: { type: 'string', default: '1,100' },
    steps: { type: 'string', default: '200' },
  },
});
const list = (text: string) => text.split(',').map(Number);

for (const users of list(options.users))
  for (const waiting of list(options.waiting)) await measure(waiting, users);

async function measure(waiting: number, users: number): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), 'bench-dispatch-'));
  const stores = await openStores(folder);
  const projectors = createProjectors({
    ...stores,
    projections: BATCH_CONTEXT_PROJECTIONS,
    catalogue: EVENT_CATALOGUE,
    clock,
  });
  try {
    await stores.bus.ensureTopics(Object.values(TOPICS));
    await projectors.start();
    const ids: string[] = [];
    for (let i = 0; i < waiting; i += 1) {
      const id = ulid();
      ids.push(id);
      const batch = batchOf(id, { a: 10, b: 10, partitions: 2, userId: `user-${i % users}` });
      await mustWork(
        handleCommand(
          stores.eventStore,
          BATCH_STREAM,
          id,
          { type: 'CreateBatchBacktest', batch },
          commandOf(),
        ),
      );
    }
    await projectors.whenReached(await stores.eventStore.head(), { timeoutMs: 600_000 });
    const steps = new BatchSteps({ ...stores, clock, ids: ulid, log: NO_LOG });
    const cause = () => ({ id: ulid(), correlationId: 'bench', at: clock.now().toISOString() });
    const first = await elapsed(() => steps.schedule(cause(), null));
    const times: number[] = [];
    for (let i = 0; i < Number(options.steps) && i < 2 * waiting; i += 1) {
      const [batchId, partition] = [ids[Math.floor(i / 2)] ?? '', i % 2];
      const about = { node: 'bench', now: clock.now().toISOString() };
      for (const command of [
        { type: 'StartPartition', partition, stored: 0, ...about },
        { type: 'FinishPartition', partition, seconds: 1, ...about },
      ] as const)
        await handleCommand(stores.eventStore, BATCH_STREAM, batchId, command, commandOf());
      times.push(await elapsed(() => steps.schedule(cause(), batchId)));
    }
    const again = await elapsed(() => steps.schedule(cause(), null));
    report(`${waiting} waiting batches of ${users} users`, {
      step_p50_ms: percentile(times, 0.5),
      step_p95_ms: percentile(times, 0.95),
      first_look_ms: first,
      sweep_ms: again,
    });
  } finally {
    await projectors.stop();
    await stores.close();
    await rm(folder, { recursive: true, force: true });
  }
}
