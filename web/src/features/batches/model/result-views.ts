import {
  changeResultView,
  createResultView,
  deleteResultView,
  listResultViews,
} from '@quantloom/domain/contracts/http/calls';
import type { ResultViewAnswer } from '@quantloom/domain/contracts/http/result-views';
import type { BodyOf } from '@quantloom/domain/contracts/http/route';
import type { ViewContent } from '@quantloom/domain/result-views/view-content';
import { queryOptions } from '@tanstack/react-query';
import { api, queryClient, statusOf } from '../../../lib/api.ts';
import { FIRST_DESK } from './desk.ts';
import { forgetViewOfBefore, viewsOfBefore } from './table-views.ts';

const queryKey = ['result-views'];
const fetchViews = (signal?: AbortSignal) => api().call(listResultViews, signal && { signal });

const contentOf = ({ columns, order, filters, picture, metric }: ViewContent) => ({
  columns: [...columns],
  order,
  filters: filters.map(({ column, op, text }) => ({ column, op, text })),
  picture,
  metric,
});

/**
 * Tells the server of views that only this browser knew. One whose name the account has is that one; where
 * there is no room the rest stays.
 */
async function bringViewsOfBefore(): Promise<void> {
  for (const { name, columns } of viewsOfBefore()) {
    try {
      await api().call(createResultView, { body: { name, ...contentOf({ ...FIRST_DESK, columns }) } });
    } catch (error) {
      if (statusOf(error) === 422) return;
      if (statusOf(error) !== 409) throw error;
    }
    forgetViewOfBefore(name);
  }
}

/**
 * The views of the account, the oldest first. A batch opens without them where they cannot be had, so nobody
 * waits for a second try.
 */
export const resultViewsQuery = queryOptions({
  queryKey,
  queryFn: async ({ signal }) => {
    if (viewsOfBefore().length > 0) await bringViewsOfBefore();
    return await fetchViews(signal);
  },
  retry: false,
});

async function changed(): Promise<void> {
  await queryClient.cancelQueries({ queryKey });
  await queryClient.invalidateQueries({ queryKey });
}

/** Keeps a view under a name; `id` is that of the view that it takes the place of, if any. */
export async function saveView(name: string, content: ViewContent, id?: string): Promise<ResultViewAnswer> {
  const body = { name, ...contentOf(content) };
  const saved = await (id === undefined
    ? api().call(createResultView, { body, idempotencyKey: crypto.randomUUID() })
    : api().call(changeResultView, { params: { id }, body }));
  await changed();
  return saved;
}

export async function changeView(id: string, body: BodyOf<typeof changeResultView>): Promise<void> {
  await api().call(changeResultView, { params: { id }, body });
  await changed();
}

export async function deleteView(id: string): Promise<void> {
  await api().call(deleteResultView, { params: { id } });
  await changed();
}
