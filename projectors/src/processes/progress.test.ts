import type { BatchProgressDocument } from '@quantloom/domain/batch/projections';
import type { ProgressMessage } from '@quantloom/domain/contracts/messages/jobs';
import { expect, it } from 'vitest';
import { startProgress } from './progress.ts';

type Deps = Parameters<typeof startProgress>[0];

/** What is known of the batch after the messages, one after the other. */
async function after(...messages: readonly Partial<ProgressMessage>[]) {
  const documents = new Map<string, BatchProgressDocument>();
  let handle: (message: { value: unknown }) => Promise<void> = async () => {};
  await startProgress({
    bus: {
      subscribe: async (_: unknown, handler: typeof handle) => {
        handle = handler;
        return { close: async () => {} };
      },
    },
    readModels: {
      get: async (_: string, id: string) => documents.get(id) ?? null,
      put: async (_: string, document: BatchProgressDocument) => documents.set(document.id, document),
    },
    log: { warn: (_: unknown, text: string) => expect.unreachable(text) },
  } as unknown as Deps);
  for (const [second, message] of messages.entries())
    await handle({
      value: {
        batchId: 'b1',
        partition: 0,
        node: 'n1',
        done: 0,
        total: 10,
        rate: 0,
        at: new Date(1_000 * second).toISOString(),
        state: 'running',
        ...message,
      },
    });
  return documents.get('b1');
}

it('gives a partition that has just begun the rate of the one that its node finished last', async () => {
  const progress = await after(
    { partition: 0 },
    { partition: 0, done: 10, rate: 40, state: 'finished' },
    { partition: 1 },
    { partition: 2, node: 'n2' },
  );
  expect(progress?.running).toMatchObject({
    '1': { node: 'n1', done: 0, rate: 40 },
    '2': { node: 'n2', done: 0, rate: 0 },
  });
});

it('doubts that rate when the partition takes longer than it would', async () => {
  const finished = { partition: 0, done: 10, rate: 10, state: 'finished' } as const;
  const waiting = Array.from({ length: 5 }, () => ({ partition: 1 }));
  // Begun in second 2: in second 3 it may still be true, in second 6 four seconds were not enough for ten rows.
  expect((await after({}, finished, ...waiting.slice(0, 2)))?.running['1']?.rate).toBe(10);
  expect((await after({}, finished, ...waiting))?.running['1']?.rate).toBe(2.5);
  // On another node it begins anew.
  expect((await after({}, finished, ...waiting, { partition: 1, node: 'n2' }))?.running['1']?.since).toBe(
    new Date(7_000).toISOString(),
  );
});

it('believes what a partition says of itself, and forgets it when it ends', async () => {
  const progress = await after(
    { partition: 0 },
    { partition: 0, done: 10, rate: 40, state: 'finished' },
    { partition: 1, done: 5, rate: 20 },
    { partition: 2 },
    { partition: 2, rate: 0, state: 'cancelled' },
  );
  expect(progress?.running).toEqual({ '1': expect.objectContaining({ done: 5, rate: 20 }) });
  expect(progress?.rates).toEqual({ n1: 40 });
});

it('does not go back to what a node says late whose partition another one has', async () => {
  const late = { partition: 1, node: 'n1', done: 3, at: new Date(500).toISOString() };
  const progress = await after({ partition: 0 }, { partition: 1, node: 'n2', done: 6, rate: 9 }, late);
  expect(progress?.running['1']).toMatchObject({ node: 'n2', done: 6, rate: 9 });
});

it('does not forget a partition that another node has taken over when the first one says that it has ended', async () => {
  const taken = [{ partition: 1 }, { partition: 1, node: 'n2', done: 6, rate: 9 }];
  for (const state of ['failed', 'cancelled', 'finished'] as const) {
    const progress = await after(...taken, { partition: 1, node: 'n1', done: 3, state });
    expect(progress?.running['1']).toMatchObject({ node: 'n2', done: 6, rate: 9 });
  }
});

it('learns no rate from a partition that did not come to its end', async () => {
  const ended = async (state: ProgressMessage['state']) =>
    (await after({ partition: 0 }, { partition: 0, done: 5, rate: 40, state }))?.rates;
  expect(await ended('finished')).toEqual({ n1: 40 });
  expect(await ended('cancelled')).toEqual({});
  expect(await ended('failed')).toEqual({});
});

it('takes the later one of two messages of the same instant', async () => {
  const at = new Date(500).toISOString();
  const progress = await after(
    { partition: 0, done: 3, rate: 9, at },
    { partition: 0, done: 6, rate: 9, at },
  );
  expect(progress?.running['0']?.done).toBe(6);
});

it('counts what is left of a partition, and not all of it', async () => {
  const finished = { partition: 0, done: 10, rate: 10, state: 'finished' } as const;
  const half = Array.from({ length: 5 }, () => ({ partition: 1, done: 5 }));
  // In the fifth second since it began: five rows in four seconds.
  expect((await after({}, finished, ...half))?.running['1']?.rate).toBe(1.25);
});

it('keeps the rate of a node whose last partition was too short to have one', async () => {
  const progress = await after(
    { partition: 0 },
    { partition: 0, done: 10, rate: 40, state: 'finished' },
    { partition: 1, done: 10, rate: 0, state: 'finished' },
    { partition: 2 },
  );
  expect(progress?.running['2']?.rate).toBe(40);
});

it('makes nothing of an end where nothing is known of the batch: it may be gone', async () => {
  expect(await after({ done: 10, rate: 40, state: 'finished' })).toBeUndefined();
  expect(await after({ state: 'cancelled' })).toBeUndefined();
});
