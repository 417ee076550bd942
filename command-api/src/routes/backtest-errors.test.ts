import { plainDebugData } from '@quantloom/domain/backtest-error/backtest-error';
import type { ErrorSubject } from '@quantloom/domain/backtest-error/events';
import { backtestErrorsProjection } from '@quantloom/domain/backtest-error/projections';
import { BACKTEST_ERROR_STREAM } from '@quantloom/domain/backtest-error/stream';
import type { BatchEvent } from '@quantloom/domain/batch/events';
import { handleCommand, loadState } from '@quantloom/domain/kernel/handle-command';
import { RefusalError, refuse } from '@quantloom/domain/kernel/refusal';
import type { BacktestRunner, RunOptions } from '@quantloom/domain/ports/backtest-runner';
import { created, failed, queued, started } from '@quantloom/domain/testing/batch-builders';
import { ulid } from 'ulid';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { startTestApi, type TestApi } from '../../testing/test-api.ts';

const ERRORS = '/api/v1/backtests/errors';
const request = {
  trading_bot: { id: 'r', node_type: 'root', children: [] },
  start_date: '2010-01-04',
  end_date: '2020-12-31',
} as never;

let api: TestApi;
let runs: RunOptions[];
/** What the engine refuses or breaks with. */
let fault: Error | null;
beforeEach(async () => {
  runs = [];
  fault = null;
  const run = (async (_request, options = {}) => {
    runs.push(options);
    if (fault) throw fault;
    return { calculated_dates: { first_day: '2010-01-04', last_day: '2020-12-31' } };
  }) as BacktestRunner['run'];
  api = await startTestApi({ backtestRunner: { run } as BacktestRunner });
});
afterEach(() => api.close());

const context = (now: string) => ({
  commandId: ulid(),
  correlationId: 'test',
  actor: { kind: 'system', name: 'test' } as const,
  now,
});

/** Records errors, each a day after the one before. @returns their ids */
async function record(subjects: readonly ErrorSubject[]): Promise<string[]> {
  const ids: string[] = [];
  for (const [i, subject] of subjects.entries()) {
    const errorId = `error-${String.fromCharCode(122 - i)}`;
    const debugData = plainDebugData({ message: `fault ${i}`, stack: [] });
    const error = { errorId, userId: 'user-paid', subject, engineVersion: '1', debugData };
    const at = context(`2026-01-0${i + 1}T00:00:00.000Z`);
    await handleCommand(
      api.deps.eventStore,
      BACKTEST_ERROR_STREAM,
      errorId,
      { type: 'RecordBacktestError', error },
      at,
    );
    ids.push(errorId);
  }
  await api.deps.consistency?.whenReached(await api.deps.eventStore.head(), {
    projections: [backtestErrorsProjection],
    timeoutMs: 5_000,
  });
  return ids;
}

async function append(events: readonly BatchEvent[]): Promise<void> {
  const { now: recordedAt, ...by } = context('2026-01-01T00:00:00.000Z');
  const metadata = { ...by, schemaVersion: 1, causationId: by.commandId, recordedAt };
  await api.deps.eventStore.append(
    'batch-b1',
    events.map((event) => ({ ...event, id: ulid(), metadata })),
    'noStream',
  );
}

const broken: BatchEvent = {
  type: 'BatchBacktestFailed',
  data: {
    batchId: 'b1',
    userId: 'u1',
    errorId: 'error-z',
    partition: 0,
    fault: { message: 'no', stack: [] },
  },
};
const single = (dataVersion: string | null): ErrorSubject => ({ kind: 'backtest', request, dataVersion });
const ofBatch: ErrorSubject = { kind: 'batch', batchId: 'b1', partition: 0 };
const replay = async (id: string, headers = {}) =>
  (await api.call('admin', 'POST', `${ERRORS}/${id}/replay`, undefined, headers)).json();
const replaysOf = async (id: string) =>
  (await loadState(api.deps.eventStore, BACKTEST_ERROR_STREAM, id)).state.replays;

it('runs on the data of then, and on those of now where none were known', async () => {
  const [known = '', unknown = ''] = await record([single('v7'), single(null)]);
  expect(await replay(known)).toEqual({
    id: known,
    kind: 'succeeded',
    detail: 'Ran from 2010-01-04 to 2020-12-31',
  });
  await replay(unknown);
  expect(runs).toEqual([{ dataVersion: 'v7' }, {}]);
});

it('tells what is refused now from what fails still, and records both', async () => {
  const [id = ''] = await record([single('v1')]);
  fault = new RefusalError(refuse(400, 'no_common_dates', 'A1 and B1 have no common dates'));
  expect(await replay(id)).toEqual({ id, kind: 'refused', detail: 'A1 and B1 have no common dates' });
  fault = new Error('division by zero');
  // Whatever revision somebody has seen: what has run is recorded.
  expect(await replay(id, { 'if-match': '"0"' })).toEqual({ id, kind: 'failed', detail: 'division by zero' });
  expect(await replaysOf(id)).toBe(2);
  const missing = await api.call('admin', 'POST', `${ERRORS}/nothing/replay`);
  expect([missing.statusCode, missing.json().code]).toEqual([404, 'backtest_error_not_found']);
});

it('runs all that a filter finds, the oldest first, and each is recorded once', async () => {
  const ids = await record([single('v1'), single('v2'), single('v3'), ofBatch]);
  const answer = await api.call('admin', 'POST', `${ERRORS}/replay`, { kind: 'backtest' });
  expect(answer.json().outcomes.map(({ id }: { id: string }) => id)).toEqual(ids.slice(0, 3));
  expect(runs.map(({ dataVersion }) => dataVersion)).toEqual(['v1', 'v2', 'v3']);
  expect(await Promise.all(ids.map(replaysOf))).toEqual([1, 1, 1, 0]);
});

it('lets the failed part of a batch run again, once', async () => {
  const [id = '', other = ''] = await record([ofBatch, ofBatch]);
  await append([created(), queued(0, 1, 2, 3), started(0), failed(0, true), broken]);
  expect(await replay(id)).toEqual({
    id,
    kind: 'requeued',
    detail: 'The failed part of batch b1 runs again',
  });
  expect(await replay(other)).toMatchObject({
    kind: 'refused',
    detail: expect.stringContaining('with an error'),
  });
  expect(runs).toEqual([]);
});

it('lets a batch run again for one of its errors where several are replayed together', async () => {
  const ids = await record([ofBatch, ofBatch]);
  await append([created(), queued(0, 1, 2, 3), started(0), failed(0, true), broken]);
  const { outcomes } = (await api.call('admin', 'POST', `${ERRORS}/replay`, { kind: 'batch' })).json();
  expect(outcomes).toMatchObject([
    { id: ids[0], kind: 'requeued' },
    { id: ids[1], kind: 'refused' },
  ]);
});

it('says of a batch that is gone that it was deleted', async () => {
  const [id = ''] = await record([ofBatch]);
  expect(await replay(id)).toEqual({ id, kind: 'refused', detail: 'Batch b1 was deleted' });
});
