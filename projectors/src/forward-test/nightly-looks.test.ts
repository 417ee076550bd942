import type { EvaluationMessage } from '@quantloom/domain/contracts/messages/jobs';
import { followId } from '@quantloom/domain/forward-test/follow';
import { followsProjection, forwardRecordsProjection } from '@quantloom/domain/forward-test/projections';
import { NO_LOG } from '@quantloom/domain/ports/log';
import { strategySummariesProjection } from '@quantloom/domain/strategy/projection';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type EmbeddedLog, openEmbeddedLog } from '../../testing/embedded-log.ts';
import { attemptOf } from './evaluation.ts';
import { COMPARED, SETTLED } from './evaluations.ts';
import { type NightlyEvaluation, startNightlyEvaluation } from './nightly.ts';

const [YESTERDAY, TODAY] = ['2020-06-08', '2020-06-09'];
const START = '2020-06-01';

let log: EmbeddedLog;
let version: string;
let asked: EvaluationMessage[];
let isBusy: boolean;
/** Why there are no prices. */
let fault: string | null;
let begun: NightlyEvaluation[];
beforeEach(async () => {
  log = await openEmbeddedLog();
  [version, asked, isBusy, begun, fault] = ['v1', [], false, [], null];
});
afterEach(async () => {
  for (const one of begun) await one.close();
  await log.close();
});

/** A process that looks for what is to be evaluated, and has done so once. */
async function looker(askAgainMs = 0): Promise<NightlyEvaluation> {
  asked = [];
  const one = await startNightlyEvaluation({
    ...log,
    marketData: {
      current: async () => {
        if (fault) throw Object.assign(new Error(fault), { code: fault });
        return { version, lastDay: TODAY };
      },
    },
    clock: { now: () => new Date('2020-06-09T23:00:00Z') },
    log: NO_LOG,
    lookEveryMs: 1e9,
    askAgainMs,
    evaluators: {
      ask: async (evaluations: readonly EvaluationMessage[]) => void asked.push(...evaluations),
      areBusy: async () => isBusy,
    },
  } as never);
  begun.push(one);
  await one.pass().catch(() => undefined);
  return one;
}
const put = (collection: string, id: string, document: object) =>
  log.readModels.put(collection, { id, _revision: 0, _position: '0', ...document } as never);

/** A strategy that somebody follows. */
async function followed(id: string, record: object = {}, strategy: object = {}): Promise<void> {
  const { name: records } = forwardRecordsProjection.collection;
  await put(records, id, { followers: 1, startDay: START, decidedDay: YESTERDAY, ...record });
  const about = { ownerId: 'ann', isPublic: true, isDeleted: false, ...strategy };
  await put(strategySummariesProjection.collection.name, id, about);
}
/** What this look asks for: strategy and round. */
async function asks(one: NightlyEvaluation): Promise<string[]> {
  asked = [];
  await one.pass();
  return rounds();
}
const rounds = () => asked.map(({ strategyId, round }) => `${strategyId} ${round}`);
const settled = (id: string, outcome: object) =>
  put(SETTLED.name, id, {
    attempt: attemptOf(version, 0, { startDay: START }),
    isFailed: false,
    missing: null,
    ...outcome,
  });

describe('what is evaluated in a night', () => {
  it('is what somebody follows and may see, and none that is gone', async () => {
    const one = await looker();
    await followed('public');
    await followed('nobody', { followers: 0 });
    await followed('deleted', {}, { isDeleted: true });
    await followed('private', {}, { isPublic: false });
    await followed('own', {}, { isPublic: false });
    const follow = followId({ userId: 'ann', strategyId: 'own' });
    await put(followsProjection.collection.name, follow, { userId: 'ann', strategyId: 'own' });
    expect((await asks(one)).toSorted()).toEqual(['own 1', 'public 1']);
    expect(asked[0]?.dataVersion).toBe('v1');
  });

  it('is what is not decided up to the last day, or not compared with these prices', async () => {
    const one = await looker();
    await followed('decided', { decidedDay: TODAY });
    await put(COMPARED.name, 'decided', { version: 'v1' });
    await followed('behind');
    await put(COMPARED.name, 'behind', { version: 'v1' });
    await followed('never', { decidedDay: '' });
    await followed('uncompared', { decidedDay: TODAY });
    await put(COMPARED.name, 'uncompared', { version: 'v0' });
    expect((await asks(one)).toSorted()).toEqual(['behind 1', 'never 1', 'uncompared 1']);
    // Closes of the same days that were corrected.
    version = 'v2';
    expect((await asks(one)).toSorted()).toEqual(['behind 1', 'decided 1', 'never 1', 'uncompared 1']);
  });

  it('is asked for from the quick ones to the slow ones, each once however many they are', async () => {
    const one = await looker();
    const names = Array.from({ length: 201 }, (_, i) => `s${String(i).padStart(3, '0')}`);
    for (const [i, id] of names.entries()) {
      await followed(id);
      await settled(id, { attempt: 'an earlier one', milliseconds: 1_000 - i });
    }
    expect(await asks(one)).toEqual(names.toReversed().map((id) => `${id} 1`));
  });

  it('is nothing before there are prices, which is no fault; what else goes wrong is told', async () => {
    fault = 'no_data_set';
    const one = await looker();
    await followed('a');
    expect(await asks(one)).toEqual([]);
    fault = 'data_set_damaged';
    await expect(one.pass()).rejects.toThrow('data_set_damaged');
  });
});

describe('an evaluation that was asked for', () => {
  it('is asked for again where it has not come and nothing waits', async () => {
    const one = await looker();
    await followed('a');
    expect(await asks(one)).toEqual(['a 1']);
    isBusy = true;
    await followed('b');
    // What is new does not wait for what is repeated.
    expect(await asks(one)).toEqual(['b 1']);
    isBusy = false;
    expect((await asks(one)).toSorted()).toEqual(['a 2', 'b 2']);
    expect((await asks(one)).toSorted()).toEqual(['a 3', 'b 3']);
  });

  it('is not asked for again before its time', async () => {
    const one = await looker(1e9);
    await followed('a');
    expect(await asks(one)).toEqual(['a 1']);
    expect(await asks(one)).toEqual([]);
    // With another revision or other prices it is another one.
    await followed('a', {}, { _revision: 1 });
    expect(await asks(one)).toEqual(['a 1']);
    version = 'v2';
    expect(await asks(one)).toEqual(['a 1']);
  });

  it('is done with once it came to something; one that failed is tried by the next process', async () => {
    const one = await looker();
    await followed('well');
    await followed('failed');
    await settled('well', {});
    await settled('failed', { isFailed: true });
    expect(await asks(one)).toEqual(['failed 1']);
    expect(await asks(one)).toEqual([]);
    await looker();
    expect(rounds()).toEqual(['failed 1']);
  });
});
