import { Readable } from 'node:stream';
import { type BatchDocument, batchesProjection } from '@quantloom/domain/batch/projections';
import { readCursor, readResultsQuery, writeCursor } from '@quantloom/domain/batch/results-query';
import { combinationValues } from '@quantloom/domain/batch/variable-values';
import {
  downloadBatchResults,
  getBatchResults,
  listBatchFailures,
  type ResultsQueryInput,
} from '@quantloom/domain/contracts/http/results';
import type { AnswerOf } from '@quantloom/domain/contracts/http/route';
import { isRefusal, refuse } from '@quantloom/domain/kernel/refusal';
import { costOfRows } from '@quantloom/domain/limits/cost';
import type { ResultQuery, ResultStore } from '@quantloom/domain/ports/result-store';
import { mountRoute } from '@quantloom/http/routes';
import { writeInPieces } from '@quantloom/http/written-in-pieces';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { PaidAnswers } from '../analysis/paid-answers.ts';
import { BATCH_NOT_FOUND, definitionOf, variablesOf, visibleBatch } from '../batch-access.ts';
import { awaitOwnWrites } from '../consistency.ts';
import type { ResultReadDeps } from '../deps.ts';
import { DownloadTurns } from '../download-turns.ts';
import { type BatchResults, lockedColumn, readingOf } from '../in-sample-results.ts';
import { payForLinkUse } from '../link-uses.ts';
import { RESULTS_MISSING } from '../missing-results.ts';
import { rowsReady } from '../results-ready.ts';
import { amongRows, type RowsSoFar, rowsSoFar } from '../rows-so-far.ts';
import { isSignedLink, signLink } from '../signed-links.ts';

const LINK_SECONDS = 15 * 60;
const DEFAULT_PAGE = 1_000;
const MAX_JSON_ROWS = 10_000;
const FAILURES_COUNTED = 100_000;
const TOO_MANY_DOWNLOADS = refuse(
  429,
  'too_many_at_once',
  'Too many files of this owner are being downloaded already. Please try again in a minute.',
  { data: { retry_after: 60 } },
);
/** Result rows of a batch: pages, files, presigned links, failures. */
export function mountBatchResults(app: FastifyInstance, deps: ResultReadDeps): void {
  const { readModels, resultStore, consistency } = deps;
  const downloads = new DownloadTurns();
  const answers = new PaidAnswers();

  mountRoute(app, getBatchResults, async (call) => {
    await awaitOwnWrites(call, consistency, batchesProjection);
    const batch = await visibleBatch(readModels, call.params.id, call.principal.userId);
    if (isRefusal(batch)) return batch;
    const soFar = call.query.partial ? await rowsSoFar(resultStore, batch) : null;
    if (!soFar && call.query.partial && batch.status === 'Stopped') return RESULTS_MISSING;
    const refusal = soFar ? null : rowsReady(batch);
    if (refusal) return refusal;
    const definition = await definitionOf(readModels, batch.id);
    if (isRefusal(definition)) return definition;
    const variables = variablesOf(definition);
    const reading = readingOf(resultStore, batch, definition.backtestConfig, variables);
    const asked = readResultsQuery(call.query, variables, reading);
    if (isRefusal(asked)) return asked;
    const locked = lockedColumn(reading, asked);
    if (locked) return locked;
    if (!soFar && (await areMissing(resultStore, batch))) return RESULTS_MISSING;
    const query = soFar ? amongRows(soFar, asked) : asked;
    const rows = soFar?.rows ?? batch.combinations;
    if (call.query.link) {
      const tooMuch = await call.cost.expect(costOfRows(rows, 'file'));
      if (tooMuch) return tooMuch;
      const expires = Math.floor(deps.clock.now().getTime() / 1_000) + LINK_SECONDS;
      const path = `/api/v1/batch-backtests/${encodeURIComponent(batch.id)}/results/download`;
      const origin = deps.publicOrigin ?? `${call.request.protocol}://${call.request.host}`;
      const url = `${origin}${path}?${signLink(deps.linkSecret, batch.id, expires, packQuery(call.query))}`;
      return { presigned_url: url, expires_at: new Date(expires * 1_000).toISOString() };
    }
    const format = formatOf(call.query);
    // A page of the rows in their own order is found without looking at the others.
    const looksAtAll = format !== 'json' || query.sort !== undefined || (query.filters ?? []).length > 0;
    const cost = looksAtAll ? costOfRows(rows, format === 'json' ? 'page' : 'file') : 0;
    const tooMuch = cost === 0 ? null : await call.cost.expect(cost);
    if (tooMuch) return tooMuch;
    if (format !== 'json') return sendFile(call.reply, reading.results, { batch, soFar }, query, format);
    const limit = Math.min(query.limit ?? DEFAULT_PAGE, MAX_JSON_ROWS);
    const page = await reading.results.query(batch.id, { ...query, limit });
    const next = (query.offset ?? 0) + page.rows.length;
    const answer: AnswerOf<typeof getBatchResults> = {
      columns: [...page.columns],
      rows: page.rows.map((row) => [...row]),
      total: page.total,
      next_cursor: page.rows.length > 0 && next < page.total ? writeCursor(next) : null,
      ...(soFar && { partial: true, rows_so_far: soFar.rows, combinations: batch.combinations }),
    };
    return await writeInPieces(answer, 'rows');
  });

  mountRoute(app, downloadBatchResults, async ({ params, query, request, reply }) => {
    const { expires, signature, query: packed = '' } = query;
    const now = deps.clock.now().getTime() / 1_000;
    if (!isSignedLink(deps.linkSecret, { batchId: params.id, expires, signature, query: packed }))
      return refuse(403, 'invalid_link', 'This download link is not valid');
    if (Number(expires) < now) return refuse(403, 'link_expired', 'This download link has expired');
    const batch = await readModels.get<BatchDocument>(batchesProjection.collection.name, params.id);
    const definition = await definitionOf(readModels, params.id);
    // Deleted since, or made by another installation.
    if (!batch || isRefusal(definition)) return BATCH_NOT_FOUND;
    const input = unpackQuery(packed);
    const variables = variablesOf(definition);
    const reading = readingOf(resultStore, batch, definition.backtestConfig, variables);
    const read = readResultsQuery(input, variables, reading);
    if (isRefusal(read)) return read;
    const locked = lockedColumn(reading, read);
    if (locked) return locked;
    const soFar = input.partial ? await rowsSoFar(resultStore, batch) : null;
    if (!soFar && (await areMissing(resultStore, batch))) return RESULTS_MISSING;
    const format = formatOf(input) === 'parquet' ? 'parquet' : 'csv';
    const paid = await payForLinkUse(
      { readModels, rateLimits: deps.rateLimits, costs: app.costs },
      {
        signature,
        lastsMs: LINK_SECONDS * 1_000,
        ownerId: batch.userId,
        cost: () => costOfRows(soFar?.rows ?? batch.combinations, 'file'),
      },
    );
    if (!paid) return TOO_MANY_DOWNLOADS;
    if (!(await downloads.take(batch.userId, request, reply))) return TOO_MANY_DOWNLOADS;
    const asked = soFar ? amongRows(soFar, read) : read;
    return sendFile(reply, reading.results, { batch, soFar }, asked, format);
  });

  mountRoute(app, listBatchFailures, async (call) => {
    await awaitOwnWrites(call, consistency, batchesProjection);
    const batch = await visibleBatch(readModels, call.params.id, call.principal.userId);
    if (isRefusal(batch)) return batch;
    const definition = await definitionOf(readModels, batch.id);
    if (isRefusal(definition)) return definition;
    const offset = readCursor(call.query.cursor);
    if (isRefusal(offset)) return offset;
    // Nothing has run yet, and there may be no room for rows yet either.
    if (batch.status === 'Queued') return { total: 0, failures: [], reasons: [], next_cursor: null };
    const limit = call.query.limit ?? DEFAULT_PAGE;
    const known = batch.summary?.failures;
    const looked = costOfRows(
      known === undefined ? batch.combinations : Math.min(known, offset + limit),
      'page',
    );
    const tooMuch = await call.cost.expect(looked);
    if (tooMuch) return tooMuch;
    const total = known ?? (await countFailures(resultStore, batch.id));
    const page = await resultStore.failures(batch.id, { limit, offset });
    // As long as there are no more of them, they are the same ones, whatever the page.
    const asked = { query: { total }, cost: call.cost, principal: call.principal };
    const among = { id: batch.id, combinations: Math.min(total, FAILURES_COUNTED) };
    const reasons = await answers.answer(asked, among, { name: 'reasons', takes: 'slow' }, async () => {
      const counted = await resultStore.failures(batch.id, { limit: FAILURES_COUNTED });
      return mostFrequent(counted.map(({ reason }) => reason));
    });
    if (isRefusal(reasons)) return reasons;
    const variables = variablesOf(definition);
    return {
      total,
      failures: page.map(({ combination, reason }) => ({
        combination,
        values: { ...combinationValues(variables, combination) },
        reason,
      })),
      reasons,
      next_cursor:
        page.length === limit && offset + page.length < total ? writeCursor(offset + page.length) : null,
    };
  });
}

/** Told before a file is begun: afterwards it could only break off. */
async function areMissing(store: ResultStore, { id, combinations }: BatchDocument): Promise<boolean> {
  const ranges = await store.storedRanges(id);
  return ranges.reduce((rows, { from, to }) => rows + to - from, 0) < combinations;
}

function formatOf(query: ResultsQueryInput): 'json' | 'csv' | 'parquet' {
  if (query.format) return query.format;
  return query.limit !== undefined || query.cursor !== undefined ? 'json' : 'csv';
}

const TYPES = {
  csv: 'text/csv; charset=utf-8',
  parquet: 'application/vnd.apache.parquet',
} as const;

/**
 * Streams rows as they come from the store. A failure in the middle destroys the connection, so that no half
 * file looks whole.
 */
function sendFile(
  reply: FastifyReply,
  store: BatchResults,
  { batch, soFar }: { readonly batch: BatchDocument; readonly soFar: RowsSoFar | null },
  query: ResultQuery,
  format: 'csv' | 'parquet',
): FastifyReply {
  const { id: batchId, summary } = batch;
  // Of all rows of the batch, whatever part of them this file has.
  if (summary?.hash) reply.header('x-result-hash', summary.hash);
  if (soFar) reply.header('x-rows-so-far', `${soFar.rows}/${batch.combinations}`);
  const part = soFar ? '_partial' : '';
  const name = `batch_backtest_${batchId.replaceAll(/[^\w-]/g, '_')}${part}.${format}`;
  reply.header('content-type', TYPES[format]);
  reply.header('content-disposition', `attachment; filename="${name}"`);
  reply.header('x-content-type-options', 'nosniff');
  return reply.send(Readable.from(store.stream(batchId, query, format), { objectMode: false }));
}

async function countFailures(store: ResultStore, batchId: string): Promise<number> {
  const page = await store.query(batchId, {
    filters: [{ column: 'start_date', op: 'isNull' }],
    columns: ['combination'],
    limit: 1,
  });
  return page.total;
}

/** Ids of blocks and numbers differ from row to row; the most frequent texts are what one looks at. */
function mostFrequent(reasons: readonly string[]): { reason: string; count: number }[] {
  const counts = new Map<string, number>();
  for (const reason of reasons) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  return [...counts]
    .map(([reason, count]) => ({ reason, count }))
    .sort((a, b) => b.count - a.count || a.reason.localeCompare(b.reason))
    .slice(0, 20);
}

function packQuery({ link: _link, ...query }: ResultsQueryInput): string {
  return Object.keys(query).length === 0 ? '' : JSON.stringify(query);
}

/** Only called on a text whose signature is ours. */
function unpackQuery(packed: string): ResultsQueryInput {
  return packed === '' ? {} : (JSON.parse(packed) as ResultsQueryInput);
}
