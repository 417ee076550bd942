import { describe, expect, it } from 'vitest';
import { type Added, add, context, counter, countReads, renamedCounter } from '../../testing/counter.ts';
import { MemoryEventStore } from '../../testing/memory-event-store.ts';
import { handleCommand } from './handle-command.ts';
import { contentAt, type HistoryRules, readHistory, stateAt } from './history.ts';

describe('history', () => {
  it('tells what a revision left without reading the stream from its start', async () => {
    const store = new MemoryEventStore();
    for (let amount = 0; amount < 60; amount += 1) await add(store, [amount % 2]);
    const rules = {
      fields: ['even', 'odd'] as const,
      contentOf: ({ data: { amount } }: Added): Partial<{ even: number; odd: number }> =>
        amount === 0 ? { even: amount } : { odd: amount },
    };
    const reads = countReads(store);
    expect(await contentAt(store, counter, '1', rules, 57)).toEqual({ even: 0, odd: 1 });
    expect(reads.events).toBeLessThan(12);
    expect(await contentAt(store, counter, '1', rules, 60)).toBeNull();
    expect(await contentAt(store, counter, '1', rules, 0)).toBeNull();
  });

  it('pages backwards, each entry compared with what was before it', async () => {
    const store = new MemoryEventStore();
    for (let amount = 0; amount < 7; amount += 1) await add(store, [amount]);
    const rules = {
      fields: ['amount'] as const,
      contentOf: (event: Added) => (event.data.amount % 3 === 0 ? { amount: event.data.amount } : {}),
      describe: (event: Added, before: { amount: number } | null) => ({
        summary: `${before?.amount ?? 'nothing'} → ${event.data.amount}`,
        changes: [],
      }),
    };
    const summaries: string[] = [];
    let before: number | undefined;
    for (let page = 0; page < 10; page += 1) {
      const { entries, next } = await readHistory(store, counter, '1', rules, {
        limit: 2,
        ...(before !== undefined && { before }),
      });
      summaries.push(...entries.map(({ summary }) => summary));
      if (next === null) break;
      before = next;
    }
    expect(summaries).toEqual(['3 → 6', '3 → 5', '3 → 4', '0 → 3', '0 → 2', '0 → 1', 'nothing → 0']);
    expect((await stateAt(store, counter, '1', 3))?.state.sum).toBe(6);
    expect(await stateAt(store, counter, '1', 7)).toBeNull();
    expect(await readHistory(store, counter, 'none', rules, { limit: 2 })).toEqual({
      entries: [],
      next: null,
    });
  });
});

/** Even and odd amounts as two fields: each event says one of them. */
type Parities = { readonly even: number; readonly odd: number };
const parities: HistoryRules<Added, Parities> = {
  fields: ['even', 'odd'],
  contentOf: ({ data: { amount } }) => (amount % 2 === 0 ? { even: amount } : { odd: amount }),
  describe: ({ data: { amount } }, before) => ({
    summary: `${amount} after ${before ? `${before.even} and ${before.odd}` : 'nothing'}`,
    changes: [{ kind: 'added', text: String(amount) }],
  }),
};
/** A counter with these amounts, zeros mostly: the sum has a limit. */
async function countedUp(...amounts: readonly number[]): Promise<MemoryEventStore> {
  const store = new MemoryEventStore();
  await add(store, amounts);
  return store;
}
const zeros = (length: number) => Array.from({ length }, () => 0);

describe('a page of history', () => {
  it('names each event, who caused it and what it changed, and lets others come first after each', async () => {
    const store = await countedUp(0, 1, 2);
    let breaths = 0;
    const breath = async () => {
      breaths += 1;
    };
    const { entries } = await readHistory(store, counter, '1', parities, { limit: 2, breath });
    expect(entries).toEqual(
      [2, 1].map((revision) => ({
        revision,
        eventId: store.events[revision]?.id,
        type: 'Added',
        metadata: store.events[revision]?.metadata,
        summary: revision === 2 ? '2 after 0 and 1' : '1 after 0 and undefined',
        changes: [{ kind: 'added', text: String(revision) }],
      })),
    );
    expect(breaths).toBe(2);
    const whole = await readHistory(store, counter, '1', parities, { limit: 3 });
    expect(whole.entries.at(-1)?.summary).toBe('0 after nothing');
  });

  it('says where the next one begins, and nothing where it was the last', async () => {
    const store = await countedUp(0, 1, 2, 3);
    const pages = [1, 3, 4, 5].map((limit) => readHistory(store, counter, '1', parities, { limit }));
    expect((await Promise.all(pages)).map(({ next }) => next)).toEqual([3, 1, null, null]);
    const before = await readHistory(store, counter, '1', parities, { limit: 2, before: 2 });
    expect(before.entries.map(({ revision }) => revision)).toEqual([1, 0]);
    expect(before.next).toBeNull();
    expect(await readHistory(store, counter, '1', parities, { limit: 2, before: 0 })).toEqual({
      entries: [],
      next: null,
    });
  });

  it('reads on until it knows every field of what its oldest entry is compared with, and no further', async () => {
    const store = await countedUp(...zeros(50), 1, ...zeros(10));
    const reads = countReads(store);
    const { entries, next } = await readHistory(store, counter, '1', parities, { limit: 2 });
    expect(entries.map(({ summary }) => summary)).toEqual(['0 after 0 and 1', '0 after 0 and 1']);
    expect(next).toBe(59);
    // The odd one is the eleventh from the end.
    expect(reads.events).toBe(11);
  });

  it('shows what was written in an older shape in that of today', async () => {
    const store = await countedUp(5, 6);
    await handleCommand(store, renamedCounter, '1', { amounts: [7] }, context());
    const rules = {
      fields: ['by'] as const,
      contentOf: ({ data }: { readonly data: { readonly by: number } }) => data,
      describe: ({ data }: { readonly data: { readonly by: number } }, before: { by: number } | null) => ({
        summary: `${before?.by} → ${data.by}`,
        changes: [],
      }),
    };
    const { entries } = await readHistory(store, renamedCounter, '1', rules, { limit: 3 });
    expect(entries.map(({ summary }) => summary)).toEqual(['6 → 7', '5 → 6', 'undefined → 5']);
    expect(await contentAt(store, renamedCounter, '1', rules, 1)).toEqual({ by: 6 });
    expect(await stateAt(store, renamedCounter, '1', 2)).toMatchObject({
      state: { sum: 18, events: 3 },
      event: { revision: 2, data: { by: 7 } },
    });
  });
});

describe('a content that lies far back', () => {
  it('is looked for in reads that grow, up to one that keeps nobody else waiting', async () => {
    const store = await countedUp(1, ...zeros(9_000));
    const reads = countReads(store);
    expect(await contentAt(store, counter, '1', parities, 9_000)).toEqual({ even: 0, odd: 1 });
    expect(reads.asked).toEqual([10, 40, 160, 640, 2_560, 5_000, 5_000]);
    expect(reads.events).toBe(9_001);
  });

  it('is not looked for before the beginning', async () => {
    const store = await countedUp(...zeros(10));
    const reads = countReads(store);
    expect(await contentAt(store, counter, '1', parities, 9)).toBeNull();
    expect(reads.asked).toEqual([10]);
  });

  it('is as the revision left it, not as what came before or after did', async () => {
    const store = await countedUp(2, 1, 4, 3, 6);
    const contents = [0, 1, 2, 3, 4, 5].map((revision) => contentAt(store, counter, '1', parities, revision));
    expect(await Promise.all(contents)).toEqual([
      null,
      { even: 2, odd: 1 },
      { even: 4, odd: 1 },
      { even: 4, odd: 3 },
      { even: 6, odd: 3 },
      null,
    ]);
  });

  it('is that of its own stream', async () => {
    const store = await countedUp(2, 1);
    await handleCommand(store, counter, 'other', { amounts: [8, 9] }, context());
    expect(await contentAt(store, counter, 'other', parities, 1)).toEqual({ even: 8, odd: 9 });
    expect(await stateAt(store, counter, 'other', 1)).toMatchObject({ state: { sum: 17 } });
    expect(await stateAt(store, counter, 'other', 0)).toMatchObject({ state: { sum: 8 } });
  });

  it('needs no more of a stream than the revision that is asked for', async () => {
    const store = await countedUp(...zeros(30));
    const reads = countReads(store);
    await stateAt(store, counter, '1', 9);
    expect(reads).toEqual({ events: 10, asked: [10] });
  });
});
