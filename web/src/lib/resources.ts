import type { BatchListItem } from '@quantloom/domain/contracts/http/batches';
import {
  listBatchBacktests,
  listDrafts,
  listDraftTags,
  type listVariableLists,
} from '@quantloom/domain/contracts/http/calls';
import type { Draft } from '@quantloom/domain/contracts/http/drafts';
import type { QueryOf } from '@quantloom/domain/contracts/http/route';
import type { RunTerms } from '@quantloom/domain/strategy-run/events';
import { queryOptions } from '@tanstack/react-query';
import { api, queryClient } from './api.ts';
import type { ListPage } from './paged-list.ts';

/** Lists that several parts of the product show. Keys are the resource's name; invalidate them after a change. */

export interface NamedRow {
  readonly id: string;
  readonly name: string;
}

/** The last recorded run of a saved strategy. */
export interface LastRun {
  readonly id: string;
  /** ISO 8601. */
  readonly at: string;
  readonly terms: RunTerms;
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

function toLastRun(run: NonNullable<Draft['last_run']>): LastRun {
  return {
    id: run.id,
    at: run.at,
    terms: run.terms,
    metrics: run.metrics,
    firstDay: run.first_day,
    lastDay: run.last_day,
    isSimulated: run.is_simulated,
    line: run.line ?? [],
  };
}

function toDraft({ last_run: lastRun, tags = [], type, ...row }: Draft): DraftRow {
  return {
    ...row,
    type: type === 'template' ? 'template' : 'bot',
    tags,
    lastRun: lastRun ? toLastRun(lastRun) : null,
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

/** Which page of a list. */
type Page = ListQuestion & { readonly limit: number; readonly skip?: number };

/** What is not asked for stays out of the address. */
const asked = (question: Page) =>
  Object.fromEntries(Object.entries(question).filter(([, value]) => value !== ''));

/** One page of the strategies, with how many match in all. */
export async function fetchDrafts(question: Page, signal?: AbortSignal): Promise<ListPage<DraftRow>> {
  const query: QueryOf<typeof listDrafts> = asked(question);
  const { body, headers } = await api().request(listDrafts, { ...(signal && { signal }), query });
  return pageOf(body.map(toDraft), headers, question.skip);
}

/** How many strategies there are. */
export const draftCount = queryOptions({
  queryKey: ['drafts', 'count'],
  queryFn: async ({ signal }) => (await fetchDrafts({ limit: 1 }, signal)).total,
});

/** The tags that strategies have, in lower case. */
export const draftTags = queryOptions({
  queryKey: ['drafts', 'tags'],
  queryFn: ({ signal }) => api().call(listDraftTags, { signal }),
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
  readonly status: string;
  /** 0..100. */
  readonly progress: number;
}

const toBatch = ({ id, name, status, progress }: BatchListItem): BatchRow => ({
  id,
  name,
  status,
  progress: Math.round(progress),
});

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
    const found = await api().call(listBatchBacktests, {
      signal,
      query: { status: OPEN_BATCHES, limit: IDS_AT_ONCE },
    });
    const rows = found.map(toBatch);
    const isOpen = new Set(rows.map(({ id }) => id));
    const before = queryClient.getQueryData<readonly BatchRow[]>(OPEN_KEY) ?? [];
    const ended = before.filter((batch) => isRunning(batch) && !isOpen.has(batch.id)).map(({ id }) => id);
    if (ended.length === 0) return rows;
    const last = await api().call(listBatchBacktests, {
      signal,
      query: { ids: ended.join(), limit: IDS_AT_ONCE },
    });
    return [...rows, ...last.map(toBatch)];
  },
});

/** What the command menu shows of one kind of thing. */
const FOUND = 20;
/** The lists that are searched by name. */
type SearchedList = typeof listDrafts | typeof listBatchBacktests | typeof listVariableLists;

/** The best matches of a search in one kind of list, the last changed first. */
export const foundIn = (list: SearchedList, search: string) =>
  queryOptions({
    queryKey: ['found', list.path, search],
    queryFn: async ({ signal }): Promise<ListPage<NamedRow>> => {
      const query = { ...asked({ search, limit: FOUND }), sort: 'updated:desc' } as const;
      const { body, headers } = await api().request(list, { signal, query });
      return pageOf(
        body.map(({ id, name }) => ({ id, name })),
        headers,
      );
    },
    staleTime: 5_000,
  });
