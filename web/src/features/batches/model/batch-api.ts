import type { BatchDetail, BatchListItem } from '@quantloom/domain/contracts/http/batches';
import {
  createBatchBacktest,
  deleteBatchBacktest,
  estimateBatchBacktest,
  getBatchBacktest,
  getBatchQuota,
  getOutOfSample,
  getTradingBot,
  listBatchBacktests,
  listTemplates,
  listVariableLists,
  openOutOfSample,
  stopBatchBacktest,
  updateBatchBacktest,
} from '@quantloom/domain/contracts/http/calls';
import type { QueryOf } from '@quantloom/domain/contracts/http/route';
import type { VariableList } from '@quantloom/domain/contracts/http/variable-lists';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api, queryClient } from '../../../lib/api.ts';
import type { ListPage } from '../../../lib/paged-list.ts';
import { pageOf } from '../../../lib/resources.ts';
import { type BatchForm, requestOf, withDefaultName } from './batch-form.ts';

/** One page of the caller's batches. */
export async function fetchBatches(
  query: NonNullable<QueryOf<typeof listBatchBacktests>>,
  signal: AbortSignal,
): Promise<ListPage<BatchListItem>> {
  const { body, headers } = await api().request(listBatchBacktests, { query, signal });
  return pageOf(body, headers);
}
/** How many batches there are. */
export const batchCount = queryOptions({
  queryKey: ['batch-backtests', 'count'],
  queryFn: async ({ signal }) => (await fetchBatches({ limit: 1 }, signal)).total,
});
/** What a field shows of a search: the best matches; who wants another one types more. */
const CHOICES = 50;
const searched = (search: string) => (search === '' ? {} : { search });
/** Finished batches to compare with. */
export const finishedBatches = (search: string) =>
  queryOptions({
    queryKey: ['batch-backtests', 'finished', search],
    queryFn: ({ signal }) =>
      api().call(listBatchBacktests, {
        query: { status: 'Finished', limit: CHOICES, ...searched(search) },
        signal,
      }),
    placeholderData: keepPreviousData,
  });
export const batchQuery = (id: string) =>
  queryOptions({
    queryKey: ['batch-backtests', id],
    queryFn: ({ signal }) => api().call(getBatchBacktest, { params: { id }, signal }),
  });
/** What the lineage had seen of the part that is locked away. */
export const outOfSampleQuery = (id: string) =>
  queryOptions({
    queryKey: ['batch-backtests', id, 'out-of-sample'],
    queryFn: ({ signal }) => api().call(getOutOfSample, { params: { id }, signal }),
  });
export const quotaQuery = queryOptions({
  queryKey: ['batch-backtests', 'quota'],
  queryFn: ({ signal }) => api().call(getBatchQuota, { signal }),
});
export const templatesQuery = (search: string) =>
  queryOptions({
    queryKey: ['templates', search],
    queryFn: ({ signal }) =>
      api().call(listTemplates, { query: { limit: CHOICES, ...searched(search) }, signal }),
    placeholderData: keepPreviousData,
  });
export const botQuery = (id: string) =>
  queryOptions({
    queryKey: ['trading-bots', id],
    queryFn: ({ signal }) => api().call(getTradingBot, { params: { id }, signal }),
  });
export const listsQuery = (search: string) =>
  queryOptions({
    queryKey: ['variable-lists', 'choices', search],
    queryFn: ({ signal }) =>
      api().call(listVariableLists, { query: { limit: CHOICES, ...searched(search) }, signal }),
    placeholderData: keepPreviousData,
  });

export async function getEstimate(form: BatchForm, lists: readonly VariableList[]) {
  return await api().call(estimateBatchBacktest, { body: requestOf(form, lists, 'estimate') });
}

/** `key` makes a repeated create safe: one key for one press of the button. */
export async function createBatch(form: BatchForm, lists: readonly VariableList[], key: string) {
  const named = withDefaultName(form);
  const created = await api().call(createBatchBacktest, {
    body: {
      ...requestOf(named, lists, 'create'),
      name: named.name,
      is_public: false,
      combinations: named.estimate?.combinations ?? 0,
      time_estimate: { seconds: named.estimate?.time_estimate.seconds ?? 0 },
    },
    idempotencyKey: key,
  });
  void queryClient.invalidateQueries({ queryKey: ['batch-backtests'] });
  return created;
}

/** The same batch once more, on today's data; rows that are still good are taken from the first. */
export async function runAgain(batch: BatchDetail): Promise<{ readonly id: string }> {
  const { template_bot, variables, backtest_config, name, combinations, partitions, time_estimate } = batch;
  const created = await api().call(createBatchBacktest, {
    body: {
      name,
      is_public: false,
      template_bot: { ...template_bot, variables: [...template_bot.variables] },
      variables,
      partitions,
      backtest_config: { ...backtest_config, include: { history: false } },
      combinations,
      time_estimate,
    },
    idempotencyKey: crypto.randomUUID(),
  });
  void queryClient.invalidateQueries({ queryKey: ['batch-backtests'] });
  return created;
}

export async function removeBatch(id: string): Promise<void> {
  await api().call(deleteBatchBacktest, { params: { id } });
  await queryClient.invalidateQueries({ queryKey: ['batch-backtests'] });
}

/** Stops a running batch for good and keeps the rows of its finished partitions. */
export async function stopBatch(id: string): Promise<void> {
  await api().call(stopBatchBacktest, { params: { id } });
  await queryClient.invalidateQueries({ queryKey: ['batch-backtests'] });
}

/** Opens the part from the out-of-sample date on, once and for good. */
export async function openLockedPart(id: string): Promise<void> {
  await api().call(openOutOfSample, { params: { id } });
  await queryClient.invalidateQueries({ queryKey: ['batch-backtests', id] });
}

export async function setBatchVisibility(id: string, isPublic: boolean): Promise<void> {
  await api().call(updateBatchBacktest, { params: { id }, body: { is_public: isPublic } });
  await queryClient.invalidateQueries({ queryKey: ['batch-backtests'] });
}
