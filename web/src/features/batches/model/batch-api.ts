import type { BatchDetail } from '@quantloom/domain/contracts/http/batches';
import {
  createBatchBacktest,
  deleteBatchBacktest,
  estimateBatchBacktest,
  getBatchBacktest,
  getBatchQuota,
  getTradingBot,
  listBatchBacktests,
  listTemplates,
  listVariableLists,
  updateBatchBacktest,
} from '@quantloom/domain/contracts/http/calls';
import type { VariableList } from '@quantloom/domain/contracts/http/variable-lists';
import { queryOptions } from '@tanstack/react-query';
import { api, queryClient } from '../../../lib/api.ts';
import { type BatchForm, requestOf, withDefaultName } from './batch-form.ts';

export const batchListQuery = queryOptions({
  queryKey: ['batch-backtests', 'list'],
  queryFn: ({ signal }) => api().call(listBatchBacktests, { query: { limit: 1000 }, signal }),
});
export const batchQuery = (id: string) =>
  queryOptions({
    queryKey: ['batch-backtests', id],
    queryFn: ({ signal }) => api().call(getBatchBacktest, { params: { id }, signal }),
  });
export const quotaQuery = queryOptions({
  queryKey: ['batch-backtests', 'quota'],
  queryFn: ({ signal }) => api().call(getBatchQuota, { signal }),
});
export const templatesQuery = queryOptions({
  queryKey: ['templates'],
  queryFn: ({ signal }) => api().call(listTemplates, { query: { limit: 1000 }, signal }),
});
export const botQuery = (id: string) =>
  queryOptions({
    queryKey: ['trading-bots', id],
    queryFn: ({ signal }) => api().call(getTradingBot, { params: { id }, signal }),
  });
export const listsQuery = queryOptions({
  queryKey: ['variable-lists', 'full'],
  queryFn: ({ signal }) => api().call(listVariableLists, { query: { limit: 1000 }, signal }),
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

export async function setBatchVisibility(id: string, isPublic: boolean): Promise<void> {
  await api().call(updateBatchBacktest, { params: { id }, body: { is_public: isPublic } });
  await queryClient.invalidateQueries({ queryKey: ['batch-backtests'] });
}
