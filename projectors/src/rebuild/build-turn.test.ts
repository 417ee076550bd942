import { afterEach, beforeEach, expect, it } from 'vitest';
import {
  added,
  COUNTER_CATALOGUE,
  clock,
  counters,
  type EmbeddedLog,
  openEmbeddedLog,
} from '../../testing/embedded-log.ts';
import { isSound, verifyLog } from '../log/verify-log.ts';
import { createProjectors } from '../projectors.ts';
import { BuildTurn } from './build-turn.ts';

let log: EmbeddedLog;
beforeEach(async () => {
  log = await openEmbeddedLog();
  for (const stream of ['c-1', 'c-2', 'c-3'])
    await log.eventStore.append(stream, [added(stream, 1)], 'noStream');
});
afterEach(() => log.close());

const process = () =>
  createProjectors({ ...log, projections: [counters()], catalogue: COUNTER_CATALOGUE, clock });
const verify = () =>
  verifyLog({
    eventStore: log.eventStore,
    readModels: log.readModels,
    catalogue: COUNTER_CATALOGUE,
    projections: [counters()],
    clock,
  });

it('lets several processes build the same read model, one after the other, and compare it meanwhile', async () => {
  await process().rebuild('counters');
  const reports = await Promise.all([
    verify(),
    process().rebuild('counters'),
    verify(),
    process().rebuild('counters'),
    process().rebuild('counters'),
  ]);
  expect(reports.filter((report) => 'head' in report).map(isSound)).toEqual([true, true]);
  expect(await verify()).toMatchObject({ projections: [{ result: 'equal', documents: 3 }] });
});

const times = { beatMs: 20, silenceMs: 400, lookMs: 5 };

it('waits for whoever builds, however long that takes', async () => {
  const first = await BuildTurn.take(log.readModels, 'counters', times);
  let isTaken = false;
  const second = BuildTurn.take(log.readModels, 'counters', times).then((turn) => {
    isTaken = true;
    return turn;
  });
  await new Promise((resolve) => setTimeout(resolve, 3 * times.silenceMs));
  expect(isTaken).toBe(false);
  await first.confirm();
  await first.end();
  await (await second).end();
});

it('goes to the next one where nothing is heard of a process, which can replace nothing any more', async () => {
  const silent = await BuildTurn.take(log.readModels, 'counters', { ...times, beatMs: 60_000 });
  const next = await BuildTurn.take(log.readModels, 'counters', times);
  await expect(silent.confirm()).rejects.toThrow('is built by somebody else');
  await silent.end();
  await next.confirm();
  await next.end();
});
