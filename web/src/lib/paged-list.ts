import { type QueryKey, useQueries } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useSearchParams } from 'react-router';

/** Rows asked for at a time. */
export const PAGE_ROWS = 100;
const CATCHING_UP_MS = 2_000;

export interface ListPage<Row> {
  readonly rows: readonly Row[];
  /** Of all pages. */
  readonly total: number;
  /** The server is still putting together what was changed before: rows are to come. */
  readonly isCatchingUp: boolean;
}

/** Fetches rows from `skip` on. */
export type FetchPage<Row> = (
  page: { readonly limit: number; readonly skip: number },
  signal: AbortSignal,
) => Promise<ListPage<Row>>;

export interface PagedList<Row> {
  /** Null until the first answer. */
  readonly total: number | null;
  /** Undefined while its page is on the way. */
  readonly rowAt: (index: number) => Row | undefined;
  /** Rows that are there, for what concerns any of them. */
  readonly loaded: readonly Row[];
  /** What is shown belongs to an earlier question; the answer to the present one is on the way. */
  readonly isStale: boolean;
  /** Rows are to come: `total` is what there is so far. The pages in view are asked for again until it is all. */
  readonly isCatchingUp: boolean;
  readonly error: unknown;
  readonly refetch: () => void;
  /** Tells which rows are in view; their pages are fetched. */
  readonly onRange: (first: number, last: number) => void;
}

/** Pages of the last question that was answered. */
interface Held<Row> {
  readonly question: string;
  readonly pageRows: number;
  readonly pages: Map<number, ListPage<Row>>;
}

/**
 * A list of any length, of which only the pages in view are fetched. While the answer to a new question is on
 * the way the rows of the one before stay, so that nothing jumps.
 *
 * @param key names the question: resource, search, sort and filters
 * @param pageRows rows asked for at a time
 */
export function usePagedList<Row>(
  key: QueryKey,
  fetchPage: FetchPage<Row>,
  {
    isEnabled = true,
    pageRows = PAGE_ROWS,
    refetchMs,
  }: {
    isEnabled?: boolean;
    pageRows?: number;
    refetchMs?: (rows: readonly Row[]) => number | false;
  } = {},
): PagedList<Row> {
  const [range, setRange] = useState({ first: 0, last: 0 });
  const question = JSON.stringify([key, pageRows]);
  const pages = useMemo(() => {
    const wanted = new Set([0]);
    for (let page = Math.floor(range.first / pageRows); page <= Math.floor(range.last / pageRows); page += 1)
      wanted.add(page);
    return [...wanted];
  }, [range, pageRows]);
  const results = useQueries({
    queries: pages.map((page) => ({
      queryKey: [...key, 'page', page, pageRows],
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        fetchPage({ limit: pageRows, skip: page * pageRows }, signal),
      enabled: isEnabled,
      refetchInterval: ({ state: { data } }: { state: { data: ListPage<Row> | undefined } }) =>
        data?.isCatchingUp ? CATCHING_UP_MS : (refetchMs?.(data?.rows ?? []) ?? false),
    })),
  });
  const held = useRef<Held<Row> | null>(null);
  const first = results[0];
  const isAnswered = first?.data !== undefined;
  if (isAnswered && held.current?.question !== question)
    held.current = { question, pageRows, pages: new Map() };
  const isStale = isEnabled && held.current?.question !== question;
  if (!isStale)
    for (const [index, result] of results.entries())
      if (result.data) held.current?.pages.set(pages[index] ?? 0, result.data);
  const shown = isEnabled ? (held.current?.pages ?? null) : null;
  const shownRows = held.current?.pageRows ?? pageRows;
  const total = (isStale ? shown?.get(0)?.total : first?.data?.total) ?? null;
  const onRange = useCallback(
    (from: number, to: number) =>
      setRange((old) => (old.first === from && old.last === to ? old : { first: from, last: to })),
    [],
  );
  return {
    total,
    rowAt: (index) => shown?.get(Math.floor(index / shownRows))?.rows[index % shownRows],
    loaded: shown ? [...shown.values()].flatMap(({ rows }) => rows) : [],
    isStale,
    isCatchingUp: !isStale && results.some(({ data }) => data?.isCatchingUp),
    error: results.find(({ error }) => error)?.error ?? null,
    refetch: () => {
      for (const result of results) void result.refetch();
    },
    onRange,
  };
}

/**
 * The search and the filters of a list, kept in the address, so that Back, a reload and a link show the same.
 * Empty values are left out.
 */
export function useListAddress(): {
  readonly value: (name: string) => string;
  readonly set: (changes: Readonly<Record<string, string>>) => void;
} {
  const [params, setParams] = useSearchParams();
  const set = useCallback(
    (changes: Readonly<Record<string, string>>) =>
      setParams(
        (old) => {
          const next = new URLSearchParams(old);
          for (const [name, value] of Object.entries(changes))
            if (value === '') next.delete(name);
            else next.set(name, value);
          return next;
        },
        { replace: true, preventScrollReset: true },
      ),
    [setParams],
  );
  return { value: (name) => params.get(name) ?? '', set };
}

const TYPING_MS = 200;

/** A search field's text: what is typed at once, what is searched for when the typing pauses. */
export function useTypedSearch(
  searched: string,
  search: (text: string) => void,
): readonly [string, (text: string) => void] {
  const [text, setText] = useState(searched);
  const sent = useRef(searched);
  const latest = useRef(search);
  latest.current = search;
  useEffect(() => {
    // Changed from elsewhere: Back, or "Clear filters".
    if (searched === sent.current) return;
    sent.current = searched;
    setText(searched);
  }, [searched]);
  useEffect(() => {
    if (text.trim() === sent.current) return;
    const timer = setTimeout(() => {
      sent.current = text.trim();
      latest.current(text.trim());
    }, TYPING_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return [text, setText];
}
