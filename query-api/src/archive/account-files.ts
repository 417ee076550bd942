import { accountHistoryProjection } from '@quantloom/domain/account-history/projection';
import { type BatchDocument, batchesProjection } from '@quantloom/domain/batch/projections';
import { preferencesAnswer } from '@quantloom/domain/contracts/http/preferences';
import { resultViewAnswer } from '@quantloom/domain/contracts/http/result-views';
import { type FavoritesDocument, favoritesProjection } from '@quantloom/domain/favorites/favorites';
import { pagesById } from '@quantloom/domain/ports/pages-by-id';
import type { CollectionName, ReadDocument, ReadModels, Where } from '@quantloom/domain/ports/read-models';
import { type PreferencesDocument, preferencesProjection } from '@quantloom/domain/preferences/preferences';
import { type ResultViewsDocument, resultViewsProjection } from '@quantloom/domain/result-views/result-views';
import { storedBy, storedBytesProjection } from '@quantloom/domain/stored-bytes/projection';
import {
  type StrategySummaryDocument,
  strategySummariesProjection,
} from '@quantloom/domain/strategy/projection';
import { type UserDocument, usersProjection } from '@quantloom/domain/user/projection';
import {
  type VariableListDocument,
  variableListsProjection,
} from '@quantloom/domain/variable-list/projection';
import { breath } from '@quantloom/http/breath';
import { accountLines, lineOf } from '../account-history-lines.ts';
import type { ResultReadDeps } from '../deps.ts';
import { variableListOf } from '../variable-list-answer.ts';
import { batchFiles } from './batch-files.ts';
import { fileNameOf } from './file-names.ts';
import { README } from './readme.ts';
import { strategyFiles } from './strategy-files.ts';
import type { ArchiveFile } from './zip-files.ts';

type ArchiveDeps = Pick<ResultReadDeps, 'readModels' | 'eventStore' | 'resultStore'>;

const READ_AT_ONCE = 200;

/** What an archive is made of: the projections that it waits for after an own write. */
export const ARCHIVED = [
  usersProjection,
  strategySummariesProjection,
  variableListsProjection,
  batchesProjection,
  favoritesProjection,
  preferencesProjection,
  resultViewsProjection,
  accountHistoryProjection,
];

/**
 * A person as the read model has him; of one who is too young for it, what the authentication has read from
 * the log.
 */
export type ArchivedPerson = Pick<UserDocument, 'id' | 'email' | 'planId' | 'features'> &
  Partial<Pick<UserDocument, 'createdAt' | 'updatedAt' | 'planHistory' | 'apiClients'>>;

/**
 * All files of a person's archive, each made when it is asked for. Whatever is the person's own, whatever the
 * plan; nothing of others.
 */
export async function* accountFiles(deps: ArchiveDeps, user: ArchivedPerson): AsyncGenerator<ArchiveFile> {
  const { readModels, eventStore } = deps;
  yield { path: 'README.txt', content: README };
  yield* aboutThePerson(readModels, user);
  const strategies = ownedBy<StrategySummaryDocument>(
    readModels,
    strategySummariesProjection.collection.name,
    { ownerId: user.id, isDeleted: false },
  );
  for await (const strategy of strategies) yield* strategyFiles(eventStore, strategy);
  const lists = ownedBy<VariableListDocument>(readModels, variableListsProjection.collection.name, {
    ownerId: user.id,
    isDeleted: false,
  });
  for await (const list of lists)
    yield {
      path: `variable-lists/${fileNameOf(list.name, list.id)}.json`,
      content: JSON.stringify(variableListOf(list), null, 2),
      changedAt: list.updatedAt,
    };
  const batches = ownedBy<BatchDocument>(readModels, batchesProjection.collection.name, { userId: user.id });
  for await (const batch of batches) yield* batchFiles(deps, batch);
  yield { path: 'history.jsonl', content: historyOf(readModels, user.id) };
}

/** Named field by field: what is added to the document later does not get into archives by itself. */
async function* aboutThePerson(readModels: ReadModels, user: ArchivedPerson): AsyncGenerator<ArchiveFile> {
  const { id, email, planId, features, createdAt, updatedAt, planHistory = [], apiClients = [] } = user;
  const account = {
    id,
    email,
    plan_id: planId,
    features,
    created_at: createdAt,
    updated_at: updatedAt,
    plan_history: planHistory.map((entry) => ({ plan_id: entry.planId, from: entry.from })),
    stored_bytes: await readModels.sum(storedBytesProjection.collection.name, 'bytes', storedBy(id)),
    api_clients: apiClients.map((client) => ({
      id: client.clientId,
      name: client.name,
      scopes: client.scopes,
      created_at: client.createdAt,
      ends_at: client.endsAt,
    })),
  };
  yield { path: 'account.json', content: JSON.stringify(account, null, 2) };
  const set = await readModels.get<PreferencesDocument>(preferencesProjection.collection.name, id);
  yield {
    path: 'preferences.json',
    content: JSON.stringify(preferencesAnswer(set), null, 2),
  };
  const marked = await readModels.get<FavoritesDocument>(favoritesProjection.collection.name, id);
  yield {
    path: 'favorites.json',
    content: JSON.stringify({ strategy_ids: marked?.strategyIds ?? [] }, null, 2),
  };
  const kept = await readModels.get<ResultViewsDocument>(resultViewsProjection.collection.name, id);
  const views = (kept?.views ?? []).map((view) =>
    resultViewAnswer(view, { defaultId: kept?.defaultId ?? null }),
  );
  yield { path: 'result-views.json', content: JSON.stringify({ views }, null, 2) };
}

async function* ownedBy<D extends ReadDocument>(
  readModels: ReadModels,
  collection: CollectionName<D>,
  where: Where<D>,
): AsyncGenerator<D> {
  for await (const documents of pagesById<D>(readModels, collection, where, READ_AT_ONCE))
    for (const document of documents) {
      await breath();
      yield document;
    }
}

async function* historyOf(readModels: ReadModels, userId: string): AsyncGenerator<string> {
  for await (const document of accountLines({ readModels }, userId, '', Number.POSITIVE_INFINITY))
    yield `${JSON.stringify(lineOf(document, { userId }))}\n`;
}
