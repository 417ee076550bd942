import { Type } from 'typebox';
import { expect, it } from 'vitest';
import { MemoryEventStore } from '../../testing/memory-event-store.ts';
import type { DomainEvent } from './event.ts';
import { FoldedRevisions } from './folded-revisions.ts';
import { handleCommand, type StreamKind } from './handle-command.ts';
import { derivedId } from './ids.ts';

type Added = DomainEvent<'Added', { amount: number }>;
const counter: StreamKind<readonly number[], number, Added> = {
  category: 'counter',
  decider: {
    initialState: 0,
    decide: (amounts) => amounts.map((amount) => ({ type: 'Added', data: { amount } })),
    evolve: (sum, { data }) => sum + data.amount,
  },
  events: [{ type: 'Added', version: 1, schema: Type.Object({ amount: Type.Number() }) }],
};
const EVENTS = 1_700;
const sumUntil = (revision: number) => ((revision + 1) * (revision + 2)) / 2;

async function counted() {
  const log = new MemoryEventStore();
  for (const id of ['one', 'other'])
    await handleCommand(
      log,
      counter,
      id,
      Array.from({ length: EVENTS }, (_, i) => (id === 'one' ? i + 1 : 0)),
      {
        commandId: derivedId(1, id),
        correlationId: 'c',
        actor: { kind: 'system', name: 'test' },
        now: '2026-01-01T00:00:00.000Z',
      },
    );
  const reads = { events: 0, asked: 0 };
  const store = {
    readStream: async function* (...given: Parameters<MemoryEventStore['readStream']>) {
      reads.asked = given[1]?.maxCount ?? Number.POSITIVE_INFINITY;
      for await (const event of log.readStream(...given)) {
        reads.events += 1;
        yield event;
      }
    },
  };
  return { store, reads };
}

it('tells what each revision left, and reads a long stream from its start once', async () => {
  const { store, reads } = await counted();
  const revisions = new FoldedRevisions(counter);
  expect(revisions.distance('one', EVENTS - 1)).toBe(EVENTS);
  for (const revision of [EVENTS - 1, 0, 1, 498, 499, 500, 501, 999, 1_000, 1_234]) {
    const before = reads.events;
    const distance = revisions.distance('one', revision);
    const found = await revisions.at(store, 'one', revision);
    expect(found?.state, `of revision ${revision}`).toBe(sumUntil(revision));
    expect(found?.event.revision).toBe(revision);
    expect(reads.events - before).toBe(distance);
    expect(reads.asked).toBe(distance);
    if (revision !== EVENTS - 1) expect(distance).toBeLessThanOrEqual(500);
  }
  expect((await revisions.at(store, 'other', 1_000))?.state).toBe(0);
});

it('knows of none beyond the last one, and of none in a stream that is not there', async () => {
  const { store } = await counted();
  const revisions = new FoldedRevisions(counter);
  expect(await revisions.at(store, 'one', EVENTS)).toBeNull();
  expect(await revisions.at(store, 'one', 999_999_999)).toBeNull();
  expect(await revisions.at(store, 'none', 0)).toBeNull();
});

it('keeps as many states as it may', async () => {
  const { store } = await counted();
  const revisions = new FoldedRevisions(counter, 2);
  await revisions.at(store, 'one', EVENTS - 1);
  // Those after 1,000 and 1,500 events.
  expect([499, 999, 1_499, 1_699].map((revision) => revisions.distance('one', revision))).toEqual([
    500, 1_000, 500, 200,
  ]);
});

it('looks for a kept state no further back than a long stream goes', async () => {
  const { store } = await counted();
  const revisions = new FoldedRevisions(counter);
  await revisions.at(store, 'one', 600);
  expect(revisions.distance('one', 100_499)).toBe(100_000);
  expect(revisions.distance('one', 100_500)).toBe(100_501);
});

it('reads what was written in an older shape', async () => {
  const { store } = await counted();
  const renamed: StreamKind<null, number, DomainEvent<'Added', { by: number }>> = {
    category: 'counter',
    decider: { initialState: 0, decide: () => [], evolve: (sum, { data }) => sum + data.by },
    events: [
      {
        type: 'Added',
        version: 2,
        schema: Type.Object({ by: Type.Number() }),
        upcasters: [(data) => ({ by: (data as Added['data']).amount })],
      },
    ],
  };
  expect(await new FoldedRevisions(renamed).at(store, 'one', 2)).toMatchObject({
    state: 6,
    event: { data: { by: 3 } },
  });
});
