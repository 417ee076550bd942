import { timingSafeEqual } from 'node:crypto';
import { printStrategy } from '@quantloom/domain/exchange/text/printer';
import { html } from '@quantloom/domain/kernel/html';
import {
  type SharedResultDocument,
  sharedResultAddress,
  sharedResultsProjection,
} from '@quantloom/domain/shared-result/shared-result';
import type { ResultSnapshot } from '@quantloom/domain/shared-result/snapshot';
import {
  type StrategyDocument,
  type StrategySummaryDocument,
  strategiesProjection,
  strategySummariesProjection,
} from '@quantloom/domain/strategy/projection';
import { heldTreeOf } from '@quantloom/domain/strategy/stored-tree';
import type { Algorithm } from '@quantloom/domain/strategy/tree';
import { textOf } from '@quantloom/http/documents/trees';
import { publicPage } from '@quantloom/http/public-pages/frame';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { LRUCache } from 'lru-cache';
import { previewPicture } from './preview-picture.ts';
import { createPublicResults, type PublicResult, type PublicResultDeps } from './public-result.ts';
import { resultBody, resultSentence, strategyBody } from './result-body.ts';

export interface ResultPagesDeps extends PublicResultDeps {
  /** Public origin, without a slash at the end; default: the request's own. */
  readonly publicOrigin?: string;
}

/** Where the pages are; whoever stands before the read side passes these addresses on. */
export const RESULT_PAGE_PATHS = [
  '/results/:link',
  '/results/:link/preview.png',
  '/strategies/:id',
  '/strategies/:id/preview.png',
] as const;

const hidden = { schema: { hide: true } as object };
/** Drawings kept: about 30 KB each. */
const PICTURES_KEPT = 200;
/** A longer strategy is described, not printed. */
const LONGEST_TEXT = 200_000;

interface Shown {
  readonly name: string;
  readonly result: ResultSnapshot | null;
}

/** The pages of shared results and of public strategies, for visitors: rendered here, without a script. */
export function mountResultPages(app: FastifyInstance, deps: ResultPagesDeps): void {
  const publicResults = createPublicResults(deps);
  const pictures = new LRUCache<string, Buffer>({ max: PICTURES_KEPT });
  const originOf = (request: { readonly protocol: string; readonly host: string }) =>
    deps.publicOrigin ?? `${request.protocol}://${request.host}`;

  async function sendPicture(
    reply: FastifyReply,
    key: string,
    { name, result }: Shown,
  ): Promise<FastifyReply> {
    const known = pictures.get(key) ?? (await previewPicture(name, result));
    pictures.set(key, known);
    return await reply
      .header('cache-control', 'no-cache')
      .header('cross-origin-resource-policy', 'cross-origin')
      .type('image/png')
      .send(known);
  }

  app.get(RESULT_PAGE_PATHS[0], hidden, async (request, reply) => {
    const origin = originOf(request);
    const shared = await sharedBy(deps, (request.params as { link: string }).link);
    if (!shared) return await sendNotFound(reply, origin);
    const address = `${origin}${sharedResultAddress(shared)}`;
    const { name, result, strategyText, revision } = shared;
    return await sendPage(reply, {
      title: `Result of ${name}`,
      description: resultSentence(result),
      address,
      section: 'result',
      contents: [],
      image: `${address}/preview.png`,
      // Who shares a link does not publish it.
      isFindable: false,
      body: html`<h1>${name}</h1>
      <p class="lead">A result that its owner has shared: exactly this run, of revision ${revision}.</p>
      ${resultBody(result, strategyText !== null)}${strategyText !== null && strategyBody(strategyText)}`,
    });
  });

  app.get(RESULT_PAGE_PATHS[1], hidden, async (request, reply) => {
    const shared = await sharedBy(deps, (request.params as { link: string }).link);
    if (!shared) return await sendNotFound(reply, originOf(request));
    return await sendPicture(reply, `result ${shared.shareId}`, shared);
  });

  app.get(RESULT_PAGE_PATHS[2], hidden, async (request, reply) => {
    const origin = originOf(request);
    const found = await publicStrategy(deps, (request.params as { id: string }).id);
    if (!found) return await sendNotFound(reply, origin);
    const { strategy, algorithm } = found;
    const outcome = await publicResults.of(strategy, algorithm, request.log);
    const address = `${origin}/strategies/${encodeURIComponent(strategy.id)}`;
    const text = printStrategy(algorithm);
    return await sendPage(reply, {
      title: strategy.name,
      description:
        outcome.kind === 'result' ? resultSentence(outcome.result) : `The strategy ${strategy.name}.`,
      address,
      section: 'result',
      contents: [],
      image: `${address}/preview.png`,
      body: html`<h1>${strategy.name}</h1>
      ${algorithm.description !== '' && html`<p class="lead">${algorithm.description}</p>`}
      <p><a class="action" href="/editor/${encodeURIComponent(strategy.id)}">Open and copy it</a></p>
      ${outcomeBody(outcome)}
      ${text.length <= LONGEST_TEXT ? strategyBody(text) : html`<h2>The strategy</h2><p>It is too long to be printed here.</p>`}`,
    });
  });

  app.get(RESULT_PAGE_PATHS[3], hidden, async (request, reply) => {
    const found = await publicStrategy(deps, (request.params as { id: string }).id);
    if (!found) return await sendNotFound(reply, originOf(request));
    const { strategy, algorithm } = found;
    const outcome = await publicResults.of(strategy, algorithm, request.log);
    const result = outcome.kind === 'result' ? outcome.result : null;
    const key = `strategy ${strategy.id} ${strategy._revision} ${result?.dataVersion}`;
    return await sendPicture(reply, key, { name: strategy.name, result });
  });
}

function outcomeBody(outcome: PublicResult) {
  if (outcome.kind === 'result') return resultBody(outcome.result, true);
  if (outcome.kind === 'failure')
    return html`<p class="notice" role="note">It cannot be run as it is: ${outcome.reason}</p>`;
  return html`<p class="notice" role="note">Its figures are being computed. Load the page again in a moment.</p>`;
}

/** The result that a link names, unless the link is wrong, withdrawn, or its strategy deleted. */
async function sharedBy(
  { readModels }: Pick<ResultPagesDeps, 'readModels'>,
  link: string,
): Promise<SharedResultDocument['shared'] | null> {
  const [, id = '', key = ''] = /^([0-9A-Za-z]{26})-([0-9a-f]{32})$/.exec(link) ?? [];
  if (id === '') return null;
  const { name } = sharedResultsProjection.collection;
  const document = await readModels.get<SharedResultDocument>(name, id);
  if (!document || !timingSafeEqual(Buffer.from(document.shared.key), Buffer.from(key))) return null;
  const { name: summaries } = strategySummariesProjection.collection;
  const strategy = await readModels.get<StrategySummaryDocument>(summaries, document.strategyId);
  return strategy && !strategy.isDeleted ? document.shared : null;
}

async function publicStrategy(
  { readModels, eventStore }: Pick<ResultPagesDeps, 'readModels' | 'eventStore'>,
  id: string,
): Promise<{ readonly strategy: StrategyDocument; readonly algorithm: Algorithm } | null> {
  const { name } = strategiesProjection.collection;
  const strategy = id.length <= 100 ? await readModels.get<StrategyDocument>(name, id) : null;
  if (!strategy?.isPublic || strategy.isDeleted) return null;
  const algorithm = JSON.parse(await textOf(eventStore, heldTreeOf(strategy))) as Algorithm;
  return { strategy, algorithm };
}

async function sendPage(reply: FastifyReply, page: Parameters<typeof publicPage>[0]): Promise<FastifyReply> {
  return await reply
    .header('cache-control', 'no-cache')
    .type('text/html; charset=utf-8')
    .send(publicPage(page));
}

async function sendNotFound(reply: FastifyReply, origin: string): Promise<FastifyReply> {
  reply.code(404).header('x-robots-tag', 'noindex');
  return await sendPage(reply, {
    title: 'Not found',
    description: 'This page cannot be found.',
    address: `${origin}/`,
    section: 'result',
    contents: [],
    isFindable: false,
    body: html`<h1>Not found</h1>
    <p>There is nothing here for visitors. The link may be incomplete, its owner may have withdrawn it, or the strategy is private.</p>
    <p><a href="/">To the start page</a></p>`,
  });
}
