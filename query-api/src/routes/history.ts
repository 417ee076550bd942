import { Readable } from 'node:stream';
import {
  type AccountHistoryDocument,
  accountHistoryProjection,
  orderOf,
} from '@quantloom/domain/account-history/projection';
import {
  getAccountHistory,
  getTradingBotHistory,
  getTradingBotRevision,
  getVariableListHistory,
  getVariableListRevision,
  type HistoryEntryAnswer,
} from '@quantloom/domain/contracts/http/history';
import type { VariableList } from '@quantloom/domain/contracts/http/variable-lists';
import { FoldedRevisions } from '@quantloom/domain/kernel/folded-revisions';
import { streamName } from '@quantloom/domain/kernel/handle-command';
import { contentAt, type HistoryPage, readHistory, stateAt } from '@quantloom/domain/kernel/history';
import { RefusalError, refuse } from '@quantloom/domain/kernel/refusal';
import { costOfAnswer, costOfBytes, costOfEvents, costOfStoredTree } from '@quantloom/domain/limits/cost';
import { strategyHistory, type TreePair } from '@quantloom/domain/strategy/history';
import { STRATEGY_NOT_FOUND, strategyStream } from '@quantloom/domain/strategy/strategy';
import { tradingBotAt } from '@quantloom/domain/strategy/view';
import { variableListHistory } from '@quantloom/domain/variable-list/history';
import { VARIABLE_LIST_NOT_FOUND, variableListStream } from '@quantloom/domain/variable-list/variable-list';
import { variableListOf } from '@quantloom/domain/variable-list/view';
import { breath } from '@quantloom/http/breath';
import type { CostMeter } from '@quantloom/http/costs';
import type { DocumentThreads } from '@quantloom/http/documents/document-threads';
import { paidJobs } from '@quantloom/http/documents/paid-jobs';
import { botAnswer, textOf } from '@quantloom/http/documents/trees';
import type { Principal } from '@quantloom/http/principal';
import { mountRoute } from '@quantloom/http/routes';
import type { FastifyInstance } from 'fastify';
import { accountLines, actorOf, lineOf } from '../account-history-lines.ts';
import { awaitOwnWrites } from '../consistency.ts';
import type { ReadDeps } from '../deps.ts';

const PAGE = 50;
const NEWEST = 1000;
const REVISION_NOT_FOUND = refuse(404, 'revision_not_found', 'There is no such revision.');

function pageOf(
  page: HistoryPage,
  principal: Principal,
): { entries: HistoryEntryAnswer[]; next: number | null } {
  return {
    entries: page.entries.map(({ revision, eventId, type, metadata, summary, changes }) => ({
      revision,
      id: eventId,
      event: type,
      at: metadata.recordedAt,
      actor: actorOf(metadata.actor, principal),
      summary,
      changes: changes.map(({ kind, text, nodeId }) => ({ kind, text, ...(nodeId && { node_id: nodeId }) })),
      correlation_id: metadata.correlationId,
    })),
    next: page.next,
  };
}

/** Whose thing a stream is about: its first event says it, once and for all. */
async function ownerOf(
  { eventStore }: ReadDeps,
  kind: { readonly category: string },
  id: string,
): Promise<string | null> {
  for await (const { data } of eventStore.readStream(streamName(kind, id), { maxCount: 1 })) {
    const { ownerId } = data as { readonly ownerId?: unknown };
    return typeof ownerId === 'string' ? ownerId : null;
  }
  return null;
}

/** What two trees cost that are compared by another thread. */
function costOfComparing(pairs: readonly TreePair[]): number {
  const sizes = pairs.flatMap(({ before, after }) => [before.tree?.size ?? 0, after.tree?.size ?? 0]);
  return costOfBytes(sizes.reduce((sum, size) => sum + size, 0)) / 5;
}

/** The page with the differences of trees that are stored by themselves. */
async function compared(
  { eventStore }: Pick<ReadDeps, 'eventStore'>,
  documents: DocumentThreads,
  page: HistoryPage<TreePair>,
  call: { readonly principal: Principal; readonly cost: CostMeter },
): Promise<HistoryPage> {
  const run = paidJobs(documents, call);
  const entries: HistoryPage['entries'][number][] = [];
  for (const { compare, ...entry } of page.entries) {
    if (!compare) {
      entries.push(entry);
      continue;
    }
    const before = await textOf(eventStore, compare.before);
    const after = await textOf(eventStore, compare.after);
    const changes = await run('changes', { before, after });
    entries.push({ ...entry, changes: [...entry.changes, ...changes] });
  }
  return { entries, next: page.next };
}

/** Milliseconds by ticker of two lists that are compared: of the thread that answers everybody, hence so dear. */
const PER_COMPARED_TICKER = 0.005;

/** The rules of variable lists, and how many tickers were read by them. */
function countingTickers(rules: typeof variableListHistory) {
  let tickers = 0;
  const counting: typeof variableListHistory = {
    ...rules,
    contentOf: (event) => {
      const content = rules.contentOf(event);
      tickers += content.variables?.length ?? 0;
      return content;
    },
  };
  return { rules: counting, tickers: () => tickers };
}

/**
 * A variable list as a revision left it, from what its beginning, that revision and the last content before
 * say: lists are long, and so are streams.
 */
async function variableListAt(
  { eventStore }: ReadDeps,
  id: string,
  revision: number,
): Promise<VariableList | null> {
  const begun = await stateAt(eventStore, variableListStream, id, 0);
  const content = await contentAt(eventStore, variableListStream, id, variableListHistory, revision);
  if (!begun || begun.state.status === 'none' || !content) return null;
  const stream = streamName(variableListStream, id);
  let { updatedAt } = begun.state;
  for await (const { metadata } of eventStore.readStream(stream, { fromRevision: revision, maxCount: 1 }))
    updatedAt = metadata.recordedAt;
  return variableListOf({ state: { ...begun.state, ...content, updatedAt }, revision });
}

/**
 * Histories: of a trading bot, of a variable list (both from the log itself, always complete), and of the
 * whole account.
 */
export function mountHistoryQueries(app: FastifyInstance, deps: ReadDeps): void {
  const { eventStore, readModels } = deps;
  const revisions = new FoldedRevisions(strategyStream);

  mountRoute(app, getTradingBotHistory, async (call) => {
    const { id } = call.params;
    // Also of a deleted one: that is where it is brought back from.
    if ((await ownerOf(deps, strategyStream, id)) !== call.principal.userId) return STRATEGY_NOT_FOUND;
    const { before, limit = PAGE } = call.query;
    const options = { limit, breath, ...(before !== undefined && { before }) };
    const page = await readHistory(eventStore, strategyStream, id, strategyHistory, options);
    const pairs = page.entries.flatMap(({ compare }) => compare ?? []);
    const refused = await call.cost.expect(costOfComparing(pairs));
    if (refused) return refused;
    return pageOf(await compared(deps, app.documents, page, call), call.principal);
  });

  mountRoute(app, getTradingBotRevision, async (call) => {
    const revision = Number(call.params.revision);
    if ((await ownerOf(deps, strategyStream, call.params.id)) !== call.principal.userId)
      return STRATEGY_NOT_FOUND;
    const tooMuch = await call.cost.expect(costOfEvents(revisions.distance(call.params.id, revision)));
    if (tooMuch) return tooMuch;
    const at = await revisions.at(eventStore, call.params.id, revision);
    if (!at || at.state.status === 'none') return REVISION_NOT_FOUND;
    const answer = tradingBotAt({ state: at.state, revision });
    const refused = await call.cost.expect(costOfStoredTree(answer.held));
    return refused ?? (await botAnswer(eventStore, answer));
  });

  mountRoute(app, getVariableListHistory, async (call) => {
    const { id } = call.params;
    if ((await ownerOf(deps, variableListStream, id)) !== call.principal.userId)
      return VARIABLE_LIST_NOT_FOUND;
    const { before, limit = PAGE } = call.query;
    const read = countingTickers(variableListHistory);
    let isPaid = false;
    const payOnce = async () => {
      if (!isPaid) {
        // All of the page is read by now, and nearly none of it compared.
        isPaid = true;
        const refused = await call.cost.expect(read.tickers() * PER_COMPARED_TICKER);
        if (refused) throw new RefusalError(refused);
      }
      await breath();
    };
    const options = { limit, breath: payOnce, ...(before !== undefined && { before }) };
    const page = await readHistory(eventStore, variableListStream, id, read.rules, options);
    return pageOf(page, call.principal);
  });

  mountRoute(app, getVariableListRevision, async (call) => {
    const revision = Number(call.params.revision);
    if ((await ownerOf(deps, variableListStream, call.params.id)) !== call.principal.userId)
      return VARIABLE_LIST_NOT_FOUND;
    return (await variableListAt(deps, call.params.id, revision)) ?? REVISION_NOT_FOUND;
  });

  mountRoute(app, getAccountHistory, async (call) => {
    await awaitOwnWrites(call, deps.consistency, accountHistoryProjection);
    const { userId } = call.principal;
    const collection = accountHistoryProjection.collection.name;
    const { after, format, limit } = call.query;
    if (format === 'json') {
      const documents = await readModels.find<AccountHistoryDocument>(collection, {
        where: { userId, ...(after !== undefined && { order: { gt: orderOf(BigInt(after)) } }) },
        sort: [['order', 'desc']],
        limit: Math.min(limit ?? NEWEST, NEWEST),
      });
      return documents.map((document) => lineOf(document, call.principal));
    }
    const start = after === undefined ? '' : orderOf(BigInt(after));
    const documents = await readModels.count<AccountHistoryDocument>(collection, {
      userId,
      order: { gt: start },
    });
    const tooMuch = await call.cost.expect(costOfHistory(Math.min(documents, limit ?? documents)));
    if (tooMuch) return tooMuch;
    const lines = accountLines(deps, userId, start, limit ?? Number.POSITIVE_INFINITY);
    const text = async function* () {
      for await (const document of lines) yield `${JSON.stringify(lineOf(document, call.principal))}\n`;
    };
    call.reply.header('content-disposition', 'attachment; filename="account-history.jsonl"');
    return call.reply.type('application/x-ndjson; charset=utf-8').send(Readable.from(text()));
  });
}

/** Bytes of a line of an account's history. */
const LINE_BYTES = 300;
/** Reading the documents of a file, and writing their lines. */
const costOfHistory = (documents: number): number => costOfAnswer(documents * LINE_BYTES);
