import { NO_LOG } from '@quantloom/domain/ports/log';
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
import { buildBeside, rebuildProjection } from './rebuild-projection.ts';

const projection = counters();
let log: EmbeddedLog;
const deps = () => ({ ...log, catalogue: COUNTER_CATALOGUE, clock, log: NO_LOG });
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

it('builds up to a position and not beyond it, however the log goes on', async () => {
  const { position } = await append(1, -1);
  await append(2, 0);
  const { collection, drop } = await buildBeside(projection, deps(), position);
  expect(await log.readModels.get<Counter>(collection, 'a')).toMatchObject({ sum: 1 });
  await drop();
});
