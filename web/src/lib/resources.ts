import { queryOptions } from '@tanstack/react-query';
import { callPath } from './api.ts';

/** Lists that several parts of the product show. Keys are the resource's name; invalidate them after a change. */

const record = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
const text = (value: unknown): string => (typeof value === 'string' ? value : '');

/** The rows of an answer that is a list, or a list under `data`. */
export function rowsOf(answer: unknown): readonly Record<string, unknown>[] {
  const list = Array.isArray(answer) ? answer : record(answer).data;
  if (!Array.isArray(list)) throw new Error('The answer is not a list');
  return list.map(record);
}

export interface NamedRow {
  readonly id: string;
  readonly name: string;
}

export interface DraftRow extends NamedRow {
  readonly type: 'bot' | 'template';
  readonly is_public: boolean;
  readonly created_at: string;
  readonly updated_at: string;
  readonly variables: readonly string[];
}

function toDraft(row: Record<string, unknown>): DraftRow {
  return {
    id: text(row.id),
    name: text(row.name),
    type: row.type === 'template' ? 'template' : 'bot',
    is_public: row.is_public === true,
    created_at: text(row.created_at),
    updated_at: text(row.updated_at),
    variables: Array.isArray(row.variables) ? row.variables.filter((one) => typeof one === 'string') : [],
  };
}

export const draftList = queryOptions({
  queryKey: ['drafts'],
  queryFn: async ({ signal }) =>
    rowsOf(await callPath('GET', '/api/v1/drafts', { signal, query: { limit: 1000 } })).map(toDraft),
});

export interface BatchRow extends NamedRow {
  readonly status: string | null;
  /** 0..100, null where the answer does not say. */
  readonly progress: number | null;
}

function toBatch(row: Record<string, unknown>): BatchRow {
  const partitions = Number(row.partitions);
  const open = Array.isArray(row.job_names) ? row.job_names.length : Number.NaN;
  const known = typeof row.progress === 'number' ? row.progress : ((partitions - open) * 100) / partitions;
  return {
    id: text(row.id),
    name: text(row.name),
    status: text(row.status) || null,
    progress: Number.isFinite(known) ? Math.round(known) : null,
  };
}

/** Whether a batch still computes. */
export function isRunning(batch: Pick<BatchRow, 'status'>): boolean {
  return batch.status === 'Queued' || batch.status === 'Running' || batch.status === 'CompilingResults';
}

/** For the shell: names and progress. The batches feature has its own, fuller query. */
export const batchList = queryOptions({
  queryKey: ['batch-backtests', 'shell'],
  queryFn: async ({ signal }) =>
    rowsOf(await callPath('GET', '/api/v1/batch-backtests', { signal })).map(toBatch),
});

export const variableListList = queryOptions({
  queryKey: ['variable-lists', 'shell'],
  queryFn: async ({ signal }) =>
    rowsOf(await callPath('GET', '/api/v1/variable-lists', { signal })).map(
      (row): NamedRow => ({ id: text(row.id), name: text(row.name) }),
    ),
});
