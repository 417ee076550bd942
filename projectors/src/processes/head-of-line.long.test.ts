import { QUICK_COMPILE_ROWS } from '@quantloom/domain/batch/partitioning';
import { DependencyAwayError } from '@quantloom/domain/ports/outages';
import { ulid } from 'ulid';
import { afterEach, beforeEach, expect, it } from 'vitest';
import {
  batchOf,
  createBatch,
  fakeRunner,
  openStores,
  type Stores,
  startStack,
  untilStatus,
} from '../../testing/batch-stack.ts';

let stores: Stores;
beforeEach(async () => {
  stores = await openStores();
});
afterEach(async () => {
  await stores.close();
  stores.remove();
});

/** The stores, whose sums over a batch (or what else is named) are held up, or fail, as `how` says. */
const withSums = (how: (batchId: string) => Promise<void>, method = 'medians'): Stores => ({
  ...stores,
  results: new Proxy(stores.results, {
    get: (target, name) => {
      const value = Reflect.get(target, name) as unknown;
      if (typeof value !== 'function') return value;
      return async (...parameters: unknown[]) => {
        if (name === method) await how(String(parameters[0]));
        return Reflect.apply(value, target, parameters) as unknown;
      };
    },
  }),
});

it('lets batches of all users run and finish while results are summed up', async () => {
  const gate = Promise.withResolvers<void>();
  const [held, own, others] = [ulid(), ulid(), ulid()];
  const stack = await startStack(
    withSums((id) => (id === held ? gate.promise : Promise.resolve())),
    fakeRunner(),
  );
  // A large one: what is summed up in moments goes another way, and there waits for others of its partition only.
  await createBatch(stores, batchOf(held, { a: 250, b: QUICK_COMPILE_ROWS / 250, partitions: 4 }));
  await untilStatus(stores, held, 'CompilingResults');
  await createBatch(stores, batchOf(own, { a: 4, b: 1, partitions: 1, isQuick: true }));
  await createBatch(stores, batchOf(others, { a: 4, b: 1, partitions: 1, isQuick: true, userId: 'user-2' }));
  await untilStatus(stores, own, 'Finished');
  await untilStatus(stores, others, 'Finished');
  expect((await untilStatus(stores, held, 'CompilingResults')).status).toBe('CompilingResults');
  gate.resolve();
  await untilStatus(stores, held, 'Finished');
  await stack.stop();
});

it('reads on for all others while something of one user takes long, however much he does meanwhile', async () => {
  const gate = Promise.withResolvers<void>();
  const [held, others] = [ulid(), ulid()];
  const stack = await startStack(
    withSums((id) => (id === held ? gate.promise : Promise.resolve()), 'createBatch'),
    fakeRunner(),
  );
  await createBatch(stores, batchOf(held, { a: 4, b: 1, partitions: 1, isQuick: true }));
  const own = Array.from({ length: 70 }, () => ulid());
  for (const id of own) await createBatch(stores, batchOf(id, { a: 2, b: 1, partitions: 1, isQuick: true }));
  await createBatch(stores, batchOf(others, { a: 4, b: 1, partitions: 1, isQuick: true, userId: 'user-2' }));
  await untilStatus(stores, others, 'Finished');
  gate.resolve();
  for (const id of [held, ...own]) await untilStatus(stores, id, 'Finished');
  await stack.stop();
}, 120_000);

it('sums up after its death what it had begun to sum up, although its place is behind that', async () => {
  const id = ulid();
  const cut = new AbortController();
  const first = await startStack(
    withSums(async () => {
      // As in a process that is killed: nothing comes after this. The job may be handed over once more while
      // the process ends.
      await new Promise((_, reject) => {
        const die = () => reject(new Error('killed'));
        if (cut.signal.aborted) die();
        cut.signal.addEventListener('abort', die);
      });
    }),
    fakeRunner(),
  );
  await createBatch(stores, batchOf(id, { a: 10, b: 10, partitions: 1 }));
  await untilStatus(stores, id, 'CompilingResults');
  const stopping = first.stop();
  cut.abort();
  await stopping;
  expect((await untilStatus(stores, id, 'CompilingResults')).status).toBe('CompilingResults');
  const second = await startStack(stores, fakeRunner());
  await untilStatus(stores, id, 'Finished');
  await second.stop();
});

it('waits for a store that is away for as long as it takes, and fails no batch for it', async () => {
  const id = ulid();
  let refusals = 0;
  const away = withSums(async () => {
    refusals += 1;
    // More often than any number of tries.
    if (refusals < 12) throw new DependencyAwayError('results', 'not reached');
  });
  const stack = await startStack(away, fakeRunner());
  await createBatch(stores, batchOf(id, { a: 10, b: 1, partitions: 1 }));
  expect((await untilStatus(stores, id, 'Finished', 'Error')).status).toBe('Finished');
  expect(refusals).toBe(12);
  await stack.stop();
}, 120_000);
