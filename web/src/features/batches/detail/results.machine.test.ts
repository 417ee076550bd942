import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createActor, fromPromise } from 'xstate';
import { ApiError } from '../../../lib/api.ts';
import type { ResultRows } from '../model/results.ts';
import { MAX_PICKED, type PageRequest, type ResultsInput, resultsMachine } from './results.machine.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

const PAGE: ResultRows = { columns: ['x'], rows: [[1]], total: 2500, nextCursor: 'o1000' };

function start(
  fetchPage: (request: PageRequest) => Promise<ResultRows> = () => Promise.resolve(PAGE),
  begin?: ResultsInput['start'],
) {
  const asked: PageRequest[] = [];
  const actor = createActor(
    resultsMachine.provide({
      actors: {
        fetchPage: fromPromise(({ input }) => {
          asked.push(input);
          return fetchPage(input);
        }),
      },
    }),
    { input: { batchId: 'b1', variables: ['$A', '$B'], ...(begin && { start: begin }) } },
  ).start();
  const settle = () => vi.advanceTimersByTimeAsync(0);
  return { actor, asked, settle, data: () => (actor.getSnapshot().value as { data: string }).data };
}

test('nothing is asked for before the batch has finished', async () => {
  const { actor, asked, settle, data } = start();
  await settle();
  expect([data(), asked.length]).toEqual(['waiting', 0]);
  actor.send({ type: 'batch.finished' });
  await settle();
  expect(data()).toBe('shown');
  // Two dates and two variables come first.
  expect(asked[0]?.order).toEqual({ by: 'column', sort: { column: 'cumulative_return', direction: 'desc' } });
  // Told again, it stays.
  actor.send({ type: 'batch.finished' });
  expect(asked).toHaveLength(1);
});

test('a new order begins at the first page and keeps the old rows until the new ones are there', async () => {
  const { actor, asked, settle, data } = start();
  actor.send({ type: 'batch.finished' });
  await settle();
  actor.send({ type: 'user.nextPage' });
  await settle();
  expect(asked.at(-1)?.cursor).toBe('o1000');
  actor.send({ type: 'user.sort', column: 'cumulative_return' });
  expect([data(), actor.getSnapshot().context.page]).toEqual(['loading', PAGE]);
  await settle();
  expect(asked.at(-1)).toMatchObject({
    cursor: null,
    order: { sort: { column: 'cumulative_return', direction: 'asc' } },
  });
});

test('pages are asked for one behind the other, and back again', async () => {
  const { actor, asked, settle } = start(({ cursor }) =>
    Promise.resolve({ ...PAGE, nextCursor: `o${Number(cursor?.slice(1) ?? 0) + 1000}` }),
  );
  actor.send({ type: 'batch.finished' });
  await settle();
  for (const type of ['user.nextPage', 'user.nextPage', 'user.previousPage', 'user.previousPage'] as const) {
    actor.send({ type });
    await settle();
  }
  expect(asked.map(({ cursor }) => cursor)).toEqual([null, 'o1000', 'o2000', 'o1000', null]);
});

test('pages end where there is no cursor and no page before', async () => {
  const { actor, asked, settle } = start(() => Promise.resolve({ ...PAGE, nextCursor: null }));
  actor.send({ type: 'batch.finished' });
  await settle();
  actor.send({ type: 'user.nextPage' });
  actor.send({ type: 'user.previousPage' });
  await settle();
  expect(asked).toHaveLength(1);
});

test('a failure shows, and a refresh asks the server afresh', async () => {
  let isBroken = true;
  const { actor, asked, settle, data } = start(() =>
    isBroken ? Promise.reject(new Error('away')) : Promise.resolve(PAGE),
  );
  actor.send({ type: 'batch.finished' });
  await settle();
  expect(data()).toBe('failed');
  isBroken = false;
  actor.send({ type: 'user.refresh' });
  await settle();
  expect([data(), asked.at(-1)?.isFresh]).toEqual(['shown', true]);
  expect(actor.getSnapshot().context.error).toBeNull();
  actor.send({ type: 'user.nextPage' });
  await settle();
  expect(asked.at(-1)).toMatchObject({ cursor: 'o1000', isFresh: false });
  actor.send({ type: 'user.sort', column: 'x' });
  await settle();
  expect(asked.at(-1)?.isFresh).toBe(false);
});

test('an answer that comes after a newer question is dropped', async () => {
  const answers: ((rows: ResultRows) => void)[] = [];
  const { actor, settle } = start(() => new Promise((resolve) => answers.push(resolve)));
  actor.send({ type: 'batch.finished' });
  actor.send({ type: 'user.sort', column: 'x' });
  answers[1]?.({ ...PAGE, total: 2 });
  await settle();
  answers[0]?.({ ...PAGE, total: 1 });
  await settle();
  expect(actor.getSnapshot().context.page?.total).toBe(2);
});

test('a filter leaves the order by neighbourhood, which is of the whole batch', async () => {
  const { actor, asked, settle } = start();
  actor.send({ type: 'batch.finished' });
  actor.send({ type: 'user.orderByNeighbourhood', metric: 'sharpe_ratio' });
  await settle();
  expect(asked.at(-1)?.order).toEqual({ by: 'neighbourhood', metric: 'sharpe_ratio' });
  actor.send({ type: 'user.addFilter', filter: { column: '$A', op: 'in', text: 'SPY' } });
  await settle();
  expect(asked.at(-1)).toMatchObject({ order: { by: 'column' }, filters: [{ column: '$A' }] });
});

test('other filters and other orders begin at the first page', async () => {
  const { actor, asked, settle } = start();
  const filters = [{ column: '$A', op: 'in', text: 'SPY' }] as const;
  actor.send({ type: 'batch.finished' });
  for (const [event, request] of [
    [
      { type: 'user.setFilters', filters },
      { filters, order: { by: 'column' } },
    ],
    [
      { type: 'user.orderByNeighbourhood', metric: 'sharpe_ratio' },
      // Which is of the whole batch.
      { filters: [], order: { by: 'neighbourhood', metric: 'sharpe_ratio' } },
    ],
    [
      { type: 'user.setFilters', filters },
      { filters, order: { by: 'column' } },
    ],
    [
      { type: 'user.orderByColumn' },
      { filters, order: { by: 'column', sort: { column: 'cumulative_return', direction: 'desc' } } },
    ],
    [
      { type: 'user.addFilter', filter: { column: '$B', op: 'in', text: 'TLT' } },
      { order: { by: 'column' } },
    ],
  ] as const) {
    await settle();
    actor.send({ type: 'user.nextPage' });
    await settle();
    expect(asked.at(-1)?.cursor).toBe('o1000');
    actor.send(event);
    expect(asked.at(-1)).toMatchObject({ ...request, cursor: null });
  }
});

test('a view is shown from its first page, at once or when it is chosen, and no filter goes with the order by neighbourhood', async () => {
  const filters = [{ column: '$A', op: 'in', text: 'SPY' }] as const;
  const order = { by: 'column', sort: { column: 'trades', direction: 'asc' } } as const;
  const { actor, asked, settle } = start(undefined, { order, filters });
  actor.send({ type: 'batch.finished' });
  await settle();
  expect(asked.at(-1)).toMatchObject({ order, filters });
  actor.send({ type: 'user.nextPage' });
  await settle();
  const byNeighbours = { by: 'neighbourhood', metric: 'sharpe_ratio' } as const;
  actor.send({ type: 'user.applyView', order: byNeighbours, filters });
  await settle();
  expect(asked.at(-1)).toMatchObject({ order: byNeighbours, filters: [], cursor: null });
  actor.send({ type: 'user.applyView', order: null, filters });
  await settle();
  expect(asked.at(-1)).toMatchObject({ order: { sort: { column: 'cumulative_return' } }, filters });
  const other = start(undefined, { order: byNeighbours, filters });
  other.actor.send({ type: 'batch.finished' });
  expect(other.asked).toMatchObject([{ order: byNeighbours, filters: [] }]);
});

test('the confirmation of a copy lasts two seconds from the last one and leaves the rows alone', async () => {
  const { actor, settle, data } = start();
  actor.send({ type: 'batch.finished' });
  await settle();
  actor.send({ type: 'user.copied', combination: 4 });
  vi.advanceTimersByTime(1500);
  actor.send({ type: 'user.copied', combination: 5 });
  vi.advanceTimersByTime(1999);
  expect(actor.getSnapshot().context.copied).toBe(5);
  vi.advanceTimersByTime(1);
  expect(actor.getSnapshot().context.copied).toBeNull();
  expect(data()).toBe('shown');
});

test('rows are picked and dropped again, at most as many as can be simulated at once', () => {
  const { actor } = start();
  for (let combination = 0; combination <= MAX_PICKED; combination++)
    actor.send({ type: 'user.pick', combination });
  // The first of them makes room for the last.
  const picked = Array.from({ length: MAX_PICKED }, (_, i) => i + 1);
  expect(actor.getSnapshot().context.picked).toEqual(picked);
  actor.send({ type: 'user.pick', combination: 5 });
  expect(actor.getSnapshot().context.picked).toEqual(picked.filter((one) => one !== 5));
  actor.send({ type: 'user.clearPicks' });
  expect(actor.getSnapshot().context.picked).toEqual([]);
});

describe('while the batch runs', () => {
  const NOT_READY = new ApiError(409, { error: 'still running', code: 'results_not_ready' });

  test('its rows so far are shown, refreshed in place, and become all rows without losing order or page', async () => {
    let answer: ResultRows = { ...PAGE, rowsSoFar: 2500 };
    const { actor, asked, settle, data } = start(() => Promise.resolve(answer));
    actor.send({ type: 'batch.hasMoreRows' });
    await settle();
    expect([data(), asked.at(-1)?.isPartial]).toEqual(['shown', true]);
    actor.send({ type: 'user.sort', column: 'x' });
    await settle();
    actor.send({ type: 'user.nextPage' });
    await settle();
    answer = { ...PAGE, total: 4000, rowsSoFar: 4000 };
    actor.send({ type: 'batch.hasMoreRows' });
    // What is shown stays until the new rows are there.
    expect(actor.getSnapshot().context.page?.total).toBe(2500);
    await settle();
    expect(actor.getSnapshot().context.page?.total).toBe(4000);
    answer = { ...PAGE, total: 9000 };
    actor.send({ type: 'batch.finished' });
    expect(actor.getSnapshot().context.page?.total).toBe(4000);
    await settle();
    expect(asked.at(-1)).toMatchObject({
      isPartial: false,
      isFresh: true,
      cursor: 'o1000',
      order: { sort: { column: 'x', direction: 'asc' } },
    });
    expect(actor.getSnapshot().context.page).toEqual(answer);
    const before = asked.length;
    actor.send({ type: 'batch.finished' });
    expect(asked).toHaveLength(before);
  });

  test('it waits again where no row can be read yet', async () => {
    let isReady = false;
    const { actor, settle, data } = start(() =>
      isReady ? Promise.resolve(PAGE) : Promise.reject(NOT_READY),
    );
    actor.send({ type: 'batch.hasMoreRows' });
    await settle();
    expect(data()).toBe('waiting');
    isReady = true;
    actor.send({ type: 'batch.hasMoreRows' });
    await settle();
    expect(data()).toBe('shown');
  });

  test('it begins at the first page where it has begun anew', async () => {
    let isReady = true;
    const { actor, asked, settle, data } = start(() =>
      isReady ? Promise.resolve(PAGE) : Promise.reject(NOT_READY),
    );
    actor.send({ type: 'batch.hasMoreRows' });
    await settle();
    isReady = false;
    actor.send({ type: 'user.nextPage' });
    await settle();
    expect([data(), actor.getSnapshot().context.page]).toEqual(['waiting', null]);
    isReady = true;
    actor.send({ type: 'batch.hasMoreRows' });
    await settle();
    expect(asked.at(-1)?.cursor).toBeNull();
  });

  test('and only then it waits: a finished batch without rows says so', async () => {
    const { actor, settle, data } = start(() => Promise.reject(NOT_READY));
    actor.send({ type: 'batch.finished' });
    await settle();
    expect([data(), actor.getSnapshot().context.error]).toEqual(['failed', NOT_READY]);
  });

  test('a refresh that fails leaves the rows; a question that fails says so, until more rows are there', async () => {
    let isBroken = false;
    const { actor, settle, data } = start(() =>
      isBroken ? Promise.reject(new Error('away')) : Promise.resolve(PAGE),
    );
    actor.send({ type: 'batch.hasMoreRows' });
    await settle();
    isBroken = true;
    actor.send({ type: 'batch.hasMoreRows' });
    await settle();
    expect([data(), actor.getSnapshot().context.page]).toEqual(['shown', PAGE]);
    actor.send({ type: 'user.sort', column: 'x' });
    await settle();
    expect(data()).toBe('failed');
    isBroken = false;
    actor.send({ type: 'batch.hasMoreRows' });
    await settle();
    expect(data()).toBe('shown');
  });

  test('rows of a batch that fails are not shown any more', async () => {
    const { actor, settle, data } = start();
    actor.send({ type: 'batch.hasMoreRows' });
    await settle();
    actor.send({ type: 'batch.failed' });
    expect([data(), actor.getSnapshot().context.page]).toEqual(['waiting', null]);
  });
});
