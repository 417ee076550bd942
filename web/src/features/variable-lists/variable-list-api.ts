import {
  cloneVariableList,
  createVariableList,
  deleteVariableList,
  getVariableList,
  listVariableLists,
  undoVariableListDeletion,
  updateVariableList,
} from '@quantloom/domain/contracts/http/calls';
import type { QueryOf } from '@quantloom/domain/contracts/http/route';
import type { VariableList } from '@quantloom/domain/contracts/http/variable-lists';
import { queryOptions } from '@tanstack/react-query';
import { api, queryClient } from '../../lib/api.ts';
import type { ListPage } from '../../lib/paged-list.ts';
import { pageOf } from '../../lib/resources.ts';

/** One page of the caller's lists. */
export async function fetchLists(
  query: NonNullable<QueryOf<typeof listVariableLists>>,
  signal: AbortSignal,
): Promise<ListPage<VariableList>> {
  const { body, headers } = await api().request(listVariableLists, { query, signal });
  return pageOf(body, headers);
}
/** How many lists there are. */
export const listCount = queryOptions({
  queryKey: ['variable-lists', 'count'],
  queryFn: async ({ signal }) => (await fetchLists({ limit: 1 }, signal)).total,
});
export const listQuery = (id: string) =>
  queryOptions({
    queryKey: ['variable-lists', id],
    queryFn: ({ signal }) => api().call(getVariableList, { params: { id }, signal }),
  });

const changed = () => queryClient.invalidateQueries({ queryKey: ['variable-lists'] });

export interface ListFields {
  readonly name: string;
  readonly is_public: boolean;
  readonly variables: readonly string[];
}

/** Creates for id `new`, else changes the revision that was edited. */
export async function saveList(
  id: string,
  fields: ListFields,
  revision: number | null,
): Promise<VariableList> {
  const body = { ...fields, variables: [...fields.variables] };
  const saved =
    id === 'new'
      ? await api().call(createVariableList, { body, idempotencyKey: crypto.randomUUID() })
      : await api().call(updateVariableList, {
          params: { id },
          body,
          ...(revision !== null && { ifMatch: revision }),
        });
  await changed();
  return saved;
}

export async function removeList(id: string): Promise<void> {
  await api().call(deleteVariableList, { params: { id } });
  await changed();
}

export async function restoreList(id: string): Promise<void> {
  await api().call(undoVariableListDeletion, { params: { id } });
  await changed();
}

export async function cloneList(id: string): Promise<VariableList> {
  const clone = await api().call(cloneVariableList, { params: { id }, idempotencyKey: crypto.randomUUID() });
  await changed();
  return clone;
}
