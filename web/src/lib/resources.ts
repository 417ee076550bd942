import { queryOptions } from '@tanstack/react-query';
import { queryClient, requestPath } from './api.ts';
import type { ListPage } from './paged-list.ts';

/** Lists that several parts of the product show. Keys are the resource's name; invalidate them after a change. */

const record = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
const text = (value: unknown): string => (typeof value === 'string' ? value : '');

/** The rows of an answer that is a list, or a list under `data`. */
function rowsOf(answer: unknown): readonly Record<string, unknown>[] {
  const list = Array.isArray(answer) ? answer : record(answer).data;
  if (!Array.isArray(list)) throw new Error('The answer is not a list');
  return list.map(record);
}

export interface NamedRow {
  readonly id: string;
  readonly name: string;
}

/** The last recorded run of a saved strategy. */
interface LastRun {
  readonly id: string;
  /** ISO 8601. */
  readonly at: string;
  readonly metrics: Readonly<Record<string, number | null>>;
  readonly firstDay: string;
  readonly lastDay: string;
  readonly isSimulated: boolean;
  /** The value in units of the starting balance; empty where it was not asked for. */
  readonly line: readonly number[];
}

export interface DraftRow extends NamedRow {
  readonly type: 'bot' | 'template';
  readonly is_public: boolean;
  readonly created_at: string;
  readonly updated_at: string;
  readonly variables: readonly string[];
  readonly tags: readonly string[];
  /** Null where it was never run as it was saved. */
  readonly lastRun: LastRun | null;
}

function toLastRun(value: unknown): LastRun | null {
  if (typeof value !== 'object' || value === null) return null;
  const run = record(value);
  return {
    id: text(run.id),
    at: text(run.at),
    metrics: record(run.metrics) as LastRun['metrics'],
    firstDay: text(run.first_day),
    lastDay: text(run.last_day),
    isSimulated: run.is_simulated === true,
    line: Array.isArray(run.line) ? run.line.filter((one) => typeof one === 'number') : [],
  };
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
    tags: Array.isArray(row.tags) ? row.tags.filter((one) => typeof one === 'string') : [],
    lastRun: toLastRun(row.last_run),
  };
}

/** What a list is asked for; the server sorts, filters and counts. */
export interface ListQuestion {
  readonly search?: string;
  /** `name:asc`. */
  readonly sort?: string;
  readonly type?: string;
  readonly visibility?: string;
  readonly status?: string;
  /** Only these, separated by commas. */
  readonly ids?: string;
  /** `true`: strategies come with the line of their last run. */
  readonly lines?: string;
  /** Of strategies. */
  readonly tag?: string;
  /** `only`: what is archived. */
  readonly archived?: string;
}

/** What the headers of a list say about its rows. */
export function pageOf<Row>(rows: readonly Row[], headers: Headers, skip = 0): ListPage<Row> {
  const total = Number(headers.get('x-total-count') ?? Number.NaN);
  return {
    rows,
    total: Number.isInteger(total) ? total : skip + rows.length,
    isCatchingUp: headers.get('x-quantloom-stale') === 'true',
  };
}

/** One page of a list, with how many match in all. */
export async function fetchList<Row>(
  path: string,
  toRow: (row: Record<string, unknown>) => Row,
  question: ListQuestion & { readonly limit: number; readonly skip?: number },
  signal: AbortSignal,
): Promise<ListPage<Row>> {
  const query = Object.fromEntries(Object.entries(question).filter(([, value]) => value !== ''));
  const { body, headers } = await requestPath('GET', path, { signal, query });
  return pageOf(rowsOf(body).map(toRow), headers, question.skip);
}

export const fetchDrafts = (question: Parameters<typeof fetchList>[2], signal: AbortSignal) =>
  fetchList('/api/v1/drafts', toDraft, question, signal);

/** How many strategies there are. */
export const draftCount = queryOptions({
  queryKey: ['drafts', 'count'],
  queryFn: async ({ signal }) => (await fetchDrafts({ limit: 1 }, signal)).total,
});

/** The tags that strategies have, in lower case. */
export const draftTags = queryOptions({
  queryKey: ['drafts', 'tags'],
  queryFn: async ({ signal }) => {
    const { body } = await requestPath('GET', '/api/v1/drafts/tags', { signal });
    return rowsOf(body).map(({ tag, count }) => ({ tag: text(tag), count: Number(count) }));
  },
});

/** Ids that fit into one address. */
export const IDS_AT_ONCE = 250;

/** The strategies with these ids, as far as there are any. */
export const draftsById = (ids: readonly string[]) =>
  queryOptions({
    queryKey: ['drafts', 'by-id', ids],
    queryFn: async ({ signal }) => {
      const found: DraftRow[] = [];
      for (let from = 0; from < ids.length; from += IDS_AT_ONCE) {
        const some = ids.slice(from, from + IDS_AT_ONCE).join();
        found.push(...(await fetchDrafts({ ids: some, limit: 1000, lines: 'true' }, signal)).rows);
      }
      return found;
    },
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

const OPEN_BATCHES = 'Queued,Running,CompilingResults';
const OPEN_KEY = ['batch-backtests', 'open'];

/** Batches that still compute, and those that have just come to their end: what the bar shows and tells of. */
export const openBatches = queryOptions({
  queryKey: OPEN_KEY,
  queryFn: async ({ signal }): Promise<readonly BatchRow[]> => {
    const path = '/api/v1/batch-backtests';
    const { rows } = await fetchList(path, toBatch, { status: OPEN_BATCHES, limit: IDS_AT_ONCE }, signal);
    const isOpen = new Set(rows.map(({ id }) => id));
    const before = queryClient.getQueryData<readonly BatchRow[]>(OPEN_KEY) ?? [];
    const ended = before.filter((batch) => isRunning(batch) && !isOpen.has(batch.id)).map(({ id }) => id);
    if (ended.length === 0) return rows;
    const last = await fetchList(path, toBatch, { ids: ended.join(), limit: IDS_AT_ONCE }, signal);
    return [...rows, ...last.rows];
  },
});

/** What the command menu shows of one kind of thing. */
const FOUND = 20;
const toNamed = (row: Record<string, unknown>): NamedRow => ({ id: text(row.id), name: text(row.name) });

/** The best matches of a search in one kind of list, the last changed first. */
export const foundIn = (path: string, search: string) =>
  queryOptions({
    queryKey: ['found', path, search],
    queryFn: async ({ signal }) =>
      await fetchList(path, toNamed, { search, sort: 'updated:desc', limit: FOUND }, signal),
    staleTime: 5_000,
  });
