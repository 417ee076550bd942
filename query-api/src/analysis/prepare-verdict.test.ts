import type { BatchBacktestCreated } from '@quantloom/domain/batch/events';
import { DependencyAwayError } from '@quantloom/domain/ports/outages';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openVerdictPreparation, type VerdictPreparation } from './prepare-verdict.ts';

/** Rows of more batches than these are not run again beforehand. */
const MOST_WAITING = 100;
const batchOf = (batchId: string) =>
  ({
    batchId,
    combinations: 10,
    variables: [],
    template: {},
    config: {},
  }) as unknown as BatchBacktestCreated['data'];

let preparation: VerdictPreparation;
let error: ReturnType<typeof vi.fn>;
/** Batches whose rows were run again, in their order. */
let judged: string[];
/** What running rows again waits for. */
let held: Promise<void>;
beforeEach(() => {
  error = vi.fn();
  judged = [];
  held = Promise.resolve();
  preparation = openVerdictPreparation({ log: { error } } as never);
  vi.spyOn(preparation.cores, 'core').mockResolvedValue({} as never);
  vi.spyOn(preparation.cores, 'judged').mockImplementation(async ({ id }) => {
    await held;
    judged.push(id);
    if (id === 'away') throw new DependencyAwayError('results', 'it has not answered');
    if (id === 'broken') throw new Error('no prices');
    return {} as never;
  });
});
afterEach(() => preparation.close());

describe('the preparation of verdicts', () => {
  it('goes on with the next batch where one cannot be prepared, and says which one', async () => {
    for (const id of ['broken', 'whole']) await preparation.prepare(batchOf(id));
    await preparation.idle();
    expect(judged).toEqual(['broken', 'whole']);
    expect(error.mock.calls).toEqual([
      [{ err: new Error('no prices'), batchId: 'broken' }, 'a verdict could not be prepared'],
    ]);
  });

  it('says nothing of a batch that a server away has kept from it', async () => {
    for (const id of ['away', 'whole']) await preparation.prepare(batchOf(id));
    await preparation.idle();
    expect(judged).toEqual(['away', 'whole']);
    expect(error).not.toHaveBeenCalled();
  });

  it('leaves to the first look what comes while too many wait, and begins anew when they are done', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    held = promise;
    const ids = Array.from({ length: MOST_WAITING + 9 }, (_, i) => `b${i}`);
    for (const id of ids) await preparation.prepare(batchOf(id));
    resolve();
    await preparation.idle();
    // One is at work while so many wait.
    expect(judged).toEqual(ids.slice(0, MOST_WAITING + 1));
    expect(preparation.cores.core).toHaveBeenCalledTimes(ids.length);
    await preparation.prepare(batchOf('later'));
    await preparation.idle();
    expect(judged.at(-1)).toBe('later');
  });

  it('is told of no failure by what is left where it is closed, and begins none of what waits', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    held = promise;
    for (const id of ['broken', 'waiting']) await preparation.prepare(batchOf(id));
    const closed = preparation.close();
    resolve();
    await closed;
    expect([judged, error.mock.calls]).toEqual([['broken'], []]);
  });
});
