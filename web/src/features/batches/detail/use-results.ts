import type { BatchDetail } from '@quantloom/domain/contracts/http/batches';
import { getRobustOrder } from '@quantloom/domain/contracts/http/calls';
import { METRIC_COLUMNS } from '@quantloom/domain/contracts/result-block';
import { useMachine } from '@xstate/react';
import { useEffect, useMemo, useRef } from 'react';
import { fromPromise } from 'xstate';
import { api, queryClient } from '../../../lib/api.ts';
import { FURTHER_COLUMNS, OUT_OF_SAMPLE_COLUMNS, resultColumns } from '../model/columns.ts';
import { filterQueries } from '../model/filters.ts';
import { COMBINATION, fetchRows, type ResultRows, readableRows } from '../model/results.ts';
import { type PageRequest, type ResultsInput, resultsMachine } from './results.machine.ts';

/** Column of the neighbourhood's median in the order by neighbourhood. */
export const NEIGHBOURHOOD = 'neighbourhood_median';
const ROBUST_ROWS = 1000;

async function fetchByNeighbourhood(
  { batchId, variables }: PageRequest,
  metric: (typeof METRIC_COLUMNS)[number],
): Promise<ResultRows> {
  const { rows } = await api().call(getRobustOrder, {
    params: { id: batchId },
    query: { metric, limit: ROBUST_ROWS },
  });
  return {
    columns: [COMBINATION, ...variables, NEIGHBOURHOOD, ...METRIC_COLUMNS],
    rows: rows.map((row) => [
      row.combination,
      ...variables.map((name) => row.values[name] ?? null),
      row.neighbourhood_median,
      ...METRIC_COLUMNS.map((name) => row.metrics[name] ?? null),
    ]),
    total: rows.length,
    nextCursor: null,
  };
}

/**
 * The columns of a batch that may be read. With an out-of-sample date, those of the whole period only once
 * that part is opened.
 */
export function readableColumns(
  batch: Pick<BatchDetail, 'variable_names' | 'out_of_sample' | 'backtest_config'>,
): readonly string[] {
  const isOpened = Boolean(batch.out_of_sample?.opened);
  return [
    ...resultColumns(batch.variable_names, batch.backtest_config.both_fills),
    ...(isOpened ? OUT_OF_SAMPLE_COLUMNS : []),
    ...(isOpened || batch.out_of_sample === null ? FURTHER_COLUMNS : []),
  ];
}

/**
 * One page, from the cache unless asked for afresh: the results of a finished batch do not change, those of a
 * running one do.
 */
async function fetchPage(request: PageRequest, columns: readonly string[]): Promise<ResultRows> {
  const { batchId, order, cursor, isFresh, isPartial } = request;
  const filters = filterQueries(request.filters);
  return await queryClient.fetchQuery({
    queryKey: ['batch-backtests', batchId, 'results', order, filters, cursor, columns.length, isPartial],
    queryFn: () =>
      order.by === 'neighbourhood'
        ? fetchByNeighbourhood(request, order.metric)
        : fetchRows(batchId, {
            sort: order.sort,
            filters,
            cursor,
            columns: [COMBINATION, ...columns],
            isPartial,
          }),
    staleTime: isFresh || isPartial ? 0 : Number.POSITIVE_INFINITY,
  });
}

/**
 * The shortest time between two looks at the rows so far. All of them are sorted for each: for every 100,000
 * it is a second more.
 */
const LOOK_EVERY_MS = 4_000;
const PAUSE_MS_PER_ROW = 0.01;

/**
 * Tells when more rows of a running batch may be read: soon after one of its parts has finished, but not at
 * every part.
 */
function useRowsSoFar(batch: BatchDetail, send: (event: { type: 'batch.hasMoreRows' }) => void): void {
  const rows = readableRows(batch);
  const lastLook = useRef(0);
  useEffect(() => {
    if (rows === 0) return;
    const next = lastLook.current + LOOK_EVERY_MS + rows * PAUSE_MS_PER_ROW;
    const timer = setTimeout(
      () => {
        lastLook.current = Date.now();
        send({ type: 'batch.hasMoreRows' });
      },
      Math.max(0, next - Date.now()),
    );
    return () => clearTimeout(timer);
  }, [rows, send]);
}

/** The results machine of a batch; it lives as long as the page, so that tabs may come and go. */
export function useResults(batch: BatchDetail, start: NonNullable<ResultsInput['start']>) {
  const isOpened = Boolean(batch.out_of_sample?.opened);
  const opened = useRef(isOpened);
  const columns = readableColumns(batch);
  const readable = useRef(columns);
  const machine = useMemo(
    () =>
      resultsMachine.provide({
        actors: { fetchPage: fromPromise(({ input }) => fetchPage(input, readable.current)) },
      }),
    [],
  );
  const [state, send] = useMachine(machine, {
    input: { batchId: batch.id, variables: batch.variable_names, start },
  });
  useEffect(() => {
    // All rows are there before they are ranked and judged.
    if (batch.status === 'Finished' || batch.status === 'CompilingResults') send({ type: 'batch.finished' });
    if (batch.status === 'Stopped') send({ type: 'batch.hasMoreRows' });
    if (batch.status === 'Error') send({ type: 'batch.failed' });
  }, [batch.status, send]);
  useRowsSoFar(batch, send);
  const { filters } = state.context;
  useEffect(() => {
    if (opened.current === isOpened) return;
    opened.current = isOpened;
    readable.current = columns;
    // The same rows, with the columns of the other part.
    send({ type: 'user.setFilters', filters });
  }, [isOpened, columns, filters, send]);
  return [state, send] as const;
}
export type Results = ReturnType<typeof useResults>;
