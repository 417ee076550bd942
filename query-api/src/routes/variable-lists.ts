import {
  getVariableList,
  listVariableLists,
  type VariableList,
} from '@quantloom/domain/contracts/http/variable-lists';
import { listingsProjection } from '@quantloom/domain/listing/projection';
import {
  type VariableListDocument,
  variableListsProjection,
} from '@quantloom/domain/variable-list/projection';
import { maySeeVariableList, VARIABLE_LIST_NOT_FOUND } from '@quantloom/domain/variable-list/variable-list';
import { mountRoute } from '@quantloom/http/routes';
import type { FastifyInstance } from 'fastify';
import { awaitOwnWrites } from '../consistency.ts';
import type { ReadDeps } from '../deps.ts';
import { type ListSource, listPage } from '../list-page.ts';

/** A list as its readers see it. */
export function variableListOf(document: VariableListDocument): VariableList {
  return {
    id: document.id,
    name: document.name,
    is_public: document.isPublic,
    user_id: document.ownerId,
    variables: [...document.variables],
    created_at: document.createdAt,
    updated_at: document.updatedAt,
    revision: document._revision,
  };
}

const LISTS: ListSource<VariableListDocument, ReturnType<typeof variableListOf>> = {
  kind: 'variableList',
  projection: variableListsProjection,
  own: (ownerId) => ({ ownerId, isDeleted: false }),
  fields: { name: 'name', created: 'createdAt', updated: 'updatedAt', visibility: 'isPublic' },
  usual: 'updated',
  lineOf: variableListOf,
  texts: ({ variables }) => variables,
};

/** Reads of variable lists: one, and the caller's own. */
export function mountVariableListQueries(app: FastifyInstance, deps: ReadDeps): void {
  const { name } = variableListsProjection.collection;

  mountRoute(app, getVariableList, async (call) => {
    await awaitOwnWrites(call, deps.consistency, variableListsProjection);
    const document = await deps.readModels.get<VariableListDocument>(name, call.params.id);
    if (!document || !maySeeVariableList(document, call.principal.userId)) return VARIABLE_LIST_NOT_FOUND;
    call.reply.header('etag', `"${document._revision}"`);
    return variableListOf(document);
  });

  mountRoute(app, listVariableLists, async (call) => {
    await awaitOwnWrites(call, deps.consistency, variableListsProjection, listingsProjection);
    const { userId } = call.principal;
    return await listPage(deps, call.reply, LISTS, userId, call.query);
  });
}
