import { getVariableList, listVariableLists } from '@quantloom/domain/contracts/http/variable-lists';
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
import { variableListOf } from '../variable-list-answer.ts';

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
