import { NO_LOG } from '@quantloom/domain/ports/log';
import type { ReadModels } from '@quantloom/domain/ports/read-models';
import { afterEach, beforeEach, expect, it } from 'vitest';
import {
  added,
  COUNTER_CATALOGUE,
  type Counter,
  clock,
  counters,
  type EmbeddedLog,
  openEmbeddedLog,
} from '../../testing/embedded-log.ts';
import { createProjectors } from '../projectors.ts';
import { buildBeside, rebuildProjection } from './rebuild-projection.ts';

const projection = counters();
let log: EmbeddedLog;
const deps = () => ({ ...log, catalogue: COUNTER_CATALOGUE, clock, log: NO_LOG });
/** The same read models, but for some methods. */
const having = (readModels: ReadModels, methods: Partial<ReadModels>): ReadModels =>
  new Proxy(readModels, {
    get: (target, key) => {
      const method = Reflect.get(methods, key) ?? Reflect.get(target, key);
      return typeof method === 'function' ? method.bind(target) : method;
    },
  });
const append = (amount: number, before: number) =>
  log.eventStore.append('counter-a', [added('a', amount)], before < 0 ? 'noStream' : before);

beforeEach(async () => {
  log = await openEmbeddedLog();
});
afterEach(async () => {
  await log.close();
});

it('takes over with what was appended until its runner stood still, so that no reader goes back in time', async () => {
  await append(1, -1);
  const { events } = await rebuildProjection(projection, deps(), async (work) => {
    await append(2, 0);
    return await work();
  });
  expect(events).toBe(2);
  expect(await log.readModels.get<Counter>(projection.collection.name, 'a')).toMatchObject({ sum: 3 });
});

it('is not undone by a runner elsewhere that had read a document when its place was taken', async () => {
  const { name } = projection.collection;
  const isRead = Promise.withResolvers<void>();
  const isReplaced = Promise.withResolvers<void>();
  let reads = 0;
  const elsewhere = createProjectors({
    ...deps(),
    projections: [projection],
    readModels: having(log.readModels, {
      getMany: async (collection, ids) => {
        const found = await log.readModels.getMany(collection, ids);
        reads += 1;
        if (reads !== 2) return found;
        isRead.resolve();
        await isReplaced.promise;
        return found;
      },
    }),
  });
  await elsewhere.start();
  const { position } = await append(1, -1);
  expect(await elsewhere.whenReached(position, { timeoutMs: 30_000 })).toBe(true);
  const wrong: Counter = { id: 'a', sum: 100, amounts: [100], _revision: 0, _position: String(position) };
  await log.readModels.put(name, wrong);

  let last = position;
  const readModels = having(log.readModels, {
    replace: async (change) => {
      last = (await append(2, 0)).position;
      await isRead.promise;
      await log.readModels.replace(change);
      isReplaced.resolve();
    },
  });
  await rebuildProjection(projection, { ...deps(), readModels }, (work) => work());
  expect(await elsewhere.whenReached(last, { timeoutMs: 30_000 })).toBe(true);
  await elsewhere.stop();
  expect(await log.readModels.get<Counter>(name, 'a')).toMatchObject({ sum: 3, amounts: [1, 2] });
});

it('builds up to a position and not beyond it, however the log goes on', async () => {
  const { position } = await append(1, -1);
  await append(2, 0);
  const { collection, drop } = await buildBeside(projection, deps(), position);
  expect(await log.readModels.get<Counter>(collection, 'a')).toMatchObject({ sum: 1 });
  await drop();
});
