import { timingSafeEqual } from 'node:crypto';
import { html } from '@quantloom/domain/kernel/html';
import { networkOf } from '@quantloom/domain/limits/network';
import type { RateLimits } from '@quantloom/domain/ports/rate-limits';
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
import type { PageTree } from '@quantloom/http/documents/document-jobs';
import { textOf } from '@quantloom/http/documents/trees';
import { sendRefusal } from '@quantloom/http/errors';
import { publicPage } from '@quantloom/http/public-pages/frame';
import { refuseBeyond } from '@quantloom/http/rate-limit';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { previewPicture } from './preview-picture.ts';
import {
  createPublicResults,
  type PublicResult,
  type PublicResultDeps,
  visitorsOf,
} from './public-result.ts';
import { resultBody, resultSentence, strategyBody } from './result-body.ts';

export interface ResultPagesDeps extends PublicResultDeps {
  /** Public origin, without a slash at the end; default: the request's own. */
  readonly publicOrigin?: string;
  /** Counts visits; without it nothing is limited (tests). */
  readonly rateLimits?: RateLimits;
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
/** Characters of pages of public strategies that are kept. */
const PAGES_KEPT = 16_000_000;
/** Trees that are kept as they were printed, 200,000 characters each at most. */
const TREES_KEPT = 100;
/** What is shown while figures are computed is made anew after that long. */
const BUSY_MS = 1_000;
/** Pages and pictures that a network may look at. */
const PER_NETWORK = { limit: 120, windowMs: 60_000 };

type Printed = Omit<PageTree, 'tree'>;

/** What is made of a strategy and prices is kept by these. */
const keyOf = ({ id, _revision }: Pick<StrategySummaryDocument, 'id' | '_revision'>, dataVersion: string) =>
  `${id} ${_revision} ${dataVersion}`;

interface Shown {
  readonly name: string;
  readonly result: ResultSnapshot | null;
}

/** The pages of shared results and of public strategies, for visitors: rendered here, without a script. */
export function mountResultPages(app: FastifyInstance, deps: ResultPagesDeps): void {
  const { documents } = app;
  const publicResults = createPublicResults(deps, app);
  const pictures = new LRUCache<string, Buffer>({ max: PICTURES_KEPT });
  const pages = new LRUCache<string, string>({
    maxSize: PAGES_KEPT,
    sizeCalculation: ({ length }) => length,
  });
  const trees = new LRUCache<string, Promise<Printed>>({ max: TREES_KEPT });
  const originOf = (request: { readonly protocol: string; readonly host: string }) =>
    deps.publicOrigin ?? `${request.protocol}://${request.host}`;

  const get = (
    path: string,
    answer: (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>,
  ) =>
    app.get(path, hidden, async (request, reply) => {
      const tooMany = await refuseBeyond(deps.rateLimits, `pages:${networkOf(request.ip)}`, PER_NETWORK);
      return tooMany ? sendRefusal(reply, tooMany) : await answer(request, reply);
    });

  async function sendPicture(
    reply: FastifyReply,
    key: string,
    { name, result }: Shown,
    ttl = 0,
  ): Promise<FastifyReply> {
    const picture = pictures.get(key) ?? (await previewPicture(name, result));
    if (!pictures.has(key)) pictures.set(key, picture, { ttl });
    return await sendPng(reply, picture);
  }

  /** The tree of a strategy in another thread: however large it is, others are answered meanwhile. */
  const readTree = async (strategy: StrategyDocument): Promise<PageTree> => {
    const text = await textOf(deps.eventStore, heldTreeOf(strategy));
    return await documents.run(visitorsOf(strategy.ownerId), 'page', { text });
  };

  function printed(strategy: StrategyDocument): Promise<Printed> {
    const key = `${strategy.id} ${strategy._revision}`;
    const known = trees.get(key);
    if (known) return known;
    const reading = readTree(strategy).then(({ tree: _, ...rest }) => rest);
    reading.catch(() => trees.delete(key));
    trees.set(key, reading);
    return reading;
  }

  async function outcomeOf(strategy: StrategyDocument, log: FastifyRequest['log']): Promise<PublicResult> {
    const { size } = await printed(strategy);
    return await publicResults.of(strategy, size, async () => (await readTree(strategy)).tree, log);
  }

  /** What is public under the address of a request, told from the small document of lists, and the prices of now. */
  async function visited(request: FastifyRequest) {
    const { id } = request.params as { id: string };
    const { name } = strategySummariesProjection.collection;
    const found = id.length <= 100 ? await deps.readModels.get<StrategySummaryDocument>(name, id) : null;
    if (!found?.isPublic || found.isDeleted) return null;
    const { version } = await deps.marketData.current();
    return { id, version, key: keyOf(found, version) };
  }

  get(RESULT_PAGE_PATHS[0], async (request, reply) => {
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

  get(RESULT_PAGE_PATHS[1], async (request, reply) => {
    const shared = await sharedBy(deps, (request.params as { link: string }).link);
    if (!shared) return await sendNotFound(reply, originOf(request));
    return await sendPicture(reply, `result ${shared.shareId}`, shared);
  });

  get(RESULT_PAGE_PATHS[2], async (request, reply) => {
    const origin = originOf(request);
    const found = await visited(request);
    const known = found && pages.get(`${found.key} ${origin}`);
    if (known) return await sendHtml(reply, known);
    const strategy = found && (await publicStrategy(deps, found.id));
    if (!strategy) return await sendNotFound(reply, origin);
    const outcome = await outcomeOf(strategy, request.log);
    const address = `${origin}/strategies/${encodeURIComponent(strategy.id)}`;
    const { printed: text, description } = await printed(strategy);
    const page = publicPage({
      title: strategy.name,
      description:
        outcome.kind === 'result' ? resultSentence(outcome.result) : `The strategy ${strategy.name}.`,
      address,
      section: 'result',
      contents: [],
      image: `${address}/preview.png`,
      body: html`<h1>${strategy.name}</h1>
      ${description !== '' && html`<p class="lead">${description}</p>`}
      <p><a class="action" href="/editor/${encodeURIComponent(strategy.id)}">Open and copy it</a>${
        // A template is followed by a copy in which its variables have values.
        strategy.variables.length === 0 &&
        html` or <a href="/editor/${encodeURIComponent(strategy.id)}?follow=1">follow it</a>`
      }</p>
      ${outcomeBody(outcome)}
      ${text !== null ? strategyBody(text) : html`<h2>The strategy</h2><p>It is too long to be printed here.</p>`}`,
    });
    const ttl = outcome.kind === 'busy' ? BUSY_MS : 0;
    pages.set(`${keyOf(strategy, found.version)} ${origin}`, page, { ttl });
    return await sendHtml(reply, page);
  });

  get(RESULT_PAGE_PATHS[3], async (request, reply) => {
    const found = await visited(request);
    const known = found && pictures.get(`strategy ${found.key}`);
    if (known) return await sendPng(reply, known);
    const strategy = found && (await publicStrategy(deps, found.id));
    if (!strategy) return await sendNotFound(reply, originOf(request));
    const outcome = await outcomeOf(strategy, request.log);
    const result = outcome.kind === 'result' ? outcome.result : null;
    const ttl = outcome.kind === 'busy' ? BUSY_MS : 0;
    const key = `strategy ${keyOf(strategy, found.version)}`;
    return await sendPicture(reply, key, { name: strategy.name, result }, ttl);
  });
}

async function sendPng(reply: FastifyReply, picture: Buffer): Promise<FastifyReply> {
  return await reply
    .header('cache-control', 'no-cache')
    .header('cross-origin-resource-policy', 'cross-origin')
    .type('image/png')
    .send(picture);
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
  { readModels }: Pick<ResultPagesDeps, 'readModels'>,
  id: string,
): Promise<StrategyDocument | null> {
  const { name } = strategiesProjection.collection;
  const strategy = await readModels.get<StrategyDocument>(name, id);
  return strategy?.isPublic && !strategy.isDeleted ? strategy : null;
}

async function sendPage(reply: FastifyReply, page: Parameters<typeof publicPage>[0]): Promise<FastifyReply> {
  return await sendHtml(reply, publicPage(page));
}

async function sendHtml(reply: FastifyReply, page: string): Promise<FastifyReply> {
  return await reply.header('cache-control', 'no-cache').type('text/html; charset=utf-8').send(page);
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
