import { type Draft, listDrafts, listDraftTags } from '@quantloom/domain/contracts/http/drafts';
import { getTradingBot, getTradingBotImport } from '@quantloom/domain/contracts/http/strategies';
import { listTemplates } from '@quantloom/domain/contracts/http/templates';
import type { RecordedEvent } from '@quantloom/domain/kernel/event';
import { streamName } from '@quantloom/domain/kernel/handle-command';
import { isRefusal } from '@quantloom/domain/kernel/refusal';
import { costOfStoredTree } from '@quantloom/domain/limits/cost';
import { type ListingDocument, listingsProjection } from '@quantloom/domain/listing/projection';
import type { StrategyCreated, StrategyImported } from '@quantloom/domain/strategy/events';
import { asOthersSee, ownFieldsShown } from '@quantloom/domain/strategy/own-fields/own-fields';
import {
  type StrategyDocument,
  type StrategySummaryDocument,
  strategiesProjection,
  strategySummariesProjection,
} from '@quantloom/domain/strategy/projection';
import { maySeeStrategy, STRATEGY_NOT_FOUND, strategyStream } from '@quantloom/domain/strategy/strategy';
import { tradingBotOf } from '@quantloom/domain/strategy/view';
import { lastRunsProjection, type StrategyRunDocument } from '@quantloom/domain/strategy-run/projections';
import { botAnswer } from '@quantloom/http/documents/trees';
import { mountRoute } from '@quantloom/http/routes';
import type { FastifyInstance } from 'fastify';
import { awaitOwnWrites } from '../consistency.ts';
import type { ReadDeps } from '../deps.ts';
import { type ListSource, listPage } from '../list-page.ts';
import { strategyRunOf } from './strategy-runs.ts';

/** Tagged strategies that are looked at for their tags. */
const MOST_TAGGED = 5_000;
const NOT_IMPORTED = { imported_at: null, file_name: null, report: null };

/** The lines of a page, each with its strategy's last run. */
async function draftsOf(
  { readModels }: ReadDeps,
  documents: readonly StrategySummaryDocument[],
  hasLines: boolean,
): Promise<Draft[]> {
  const { name } = lastRunsProjection.collection;
  const runs = await readModels.getMany<StrategyRunDocument>(
    name,
    documents.map(({ id }) => id),
  );
  const byId = new Map(runs.map((run) => [run.id, strategyRunOf(run)]));
  return documents.map((document) => {
    const run = byId.get(document.id);
    if (!run) return { ...draftOf(document), last_run: null };
    const { line, ...figures } = run;
    return { ...draftOf(document), last_run: hasLines ? { ...figures, line } : figures };
  });
}

function draftOf(document: StrategySummaryDocument): Draft {
  return {
    id: document.id,
    name: document.name,
    type: document.type,
    status: document.status,
    is_public: document.isPublic,
    variables: [...document.variables],
    created_at: document.createdAt,
    updated_at: document.updatedAt,
    algorithm_updated_at: document.algorithmUpdatedAt,
    revision: document._revision,
    ...ownFieldsShown(document),
  };
}

const STRATEGIES: ListSource<StrategySummaryDocument> = {
  kind: 'strategy',
  projection: strategySummariesProjection,
  own: (ownerId) => ({ ownerId, isDeleted: false }),
  fields: {
    name: 'name',
    created: 'createdAt',
    updated: 'updatedAt',
    visibility: 'isPublic',
    type: 'type',
    status: 'status',
  },
  usual: 'updated',
  lineOf: (document) => document,
  texts: ({ variables }) => variables,
};

/** Reads of trading bots: one, drafts, templates. */
export function mountStrategyQueries(app: FastifyInstance, deps: ReadDeps): void {
  mountRoute(app, getTradingBot, async (call) => {
    await awaitOwnWrites(call, deps.consistency, strategiesProjection);
    const { name } = strategiesProjection.collection;
    const document = await deps.readModels.get<StrategyDocument>(name, call.params.id);
    if (!document || !maySeeStrategy(document, call.principal.userId)) return STRATEGY_NOT_FOUND;
    call.reply.header('etag', `"${document._revision}"`);
    const isOwn = document.ownerId === call.principal.userId;
    const answer = tradingBotOf(isOwn ? document : asOthersSee(document), {
      id: document.id,
      revision: document._revision,
    });
    const refused = await call.cost.expect(costOfStoredTree(answer.held));
    return refused ?? (await botAnswer(deps.eventStore, answer));
  });

  mountRoute(app, getTradingBotImport, async (call) => {
    const events: RecordedEvent[] = [];
    const stream = streamName(strategyStream, call.params.id);
    // The report is the second event of a strategy that was imported.
    for await (const event of deps.eventStore.readStream(stream, { maxCount: 2 })) events.push(event);
    const [created, second] = events as [RecordedEvent<StrategyCreated>?, RecordedEvent?];
    if (created?.data.ownerId !== call.principal.userId) return STRATEGY_NOT_FOUND;
    if (second?.type !== 'StrategyImported') return NOT_IMPORTED;
    const { fileName, report } = (second as RecordedEvent<StrategyImported>).data;
    return {
      imported_at: second.metadata.recordedAt,
      file_name: fileName,
      report: { ...report, items: [...report.items] },
    };
  });

  const mayBeListed = [strategySummariesProjection, listingsProjection, lastRunsProjection];
  mountRoute(app, listDrafts, async (call) => {
    await awaitOwnWrites(call, deps.consistency, ...mayBeListed);
    const { userId } = call.principal;
    const query = { ...call.query, status: 'draft' };
    const page = await listPage(deps, call.reply, STRATEGIES, userId, query);
    if (isRefusal(page)) return page;
    return await draftsOf(deps, page, query.lines === 'true');
  });

  mountRoute(app, listDraftTags, async (call) => {
    await awaitOwnWrites(call, deps.consistency, listingsProjection);
    const { name } = listingsProjection.collection;
    const tagged = await deps.readModels.find<ListingDocument>(name, {
      where: { owner: call.principal.userId, shelf: 'strategy', hasTags: 1 },
      limit: MOST_TAGGED,
    });
    const counts = new Map<string, number>();
    for (const { tags = [] } of tagged) for (const tag of tags) counts.set(tag, (counts.get(tag) ?? 0) + 1);
    return Array.from(counts, ([tag, count]) => ({ tag, count })).sort((a, b) => (a.tag < b.tag ? -1 : 1));
  });

  mountRoute(app, listTemplates, async (call) => {
    await awaitOwnWrites(call, deps.consistency, ...mayBeListed);
    const { userId } = call.principal;
    const query = { ...call.query, type: 'template' };
    const page = await listPage(deps, call.reply, STRATEGIES, userId, query);
    if (isRefusal(page)) return page;
    return await draftsOf(deps, page, query.lines === 'true');
  });
}
