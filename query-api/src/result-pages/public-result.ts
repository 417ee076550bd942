import { RefusalError } from '@quantloom/domain/kernel/refusal';
import { costOfRun } from '@quantloom/domain/limits/cost';
import { exchangeDay } from '@quantloom/domain/market-data/exchange-day';
import type { BacktestRunner, RunOptions } from '@quantloom/domain/ports/backtest-runner';
import type { MarketData } from '@quantloom/domain/ports/market-data';
import type { ReadDocument } from '@quantloom/domain/ports/read-models';
import type { ResultSnapshot } from '@quantloom/domain/shared-result/snapshot';
import type { StrategyDocument } from '@quantloom/domain/strategy/projection';
import type { StrategySize } from '@quantloom/domain/strategy/size';
import { heldTreeOf } from '@quantloom/domain/strategy/stored-tree';
import type { WrittenTree } from '@quantloom/domain/strategy/written-tree';
import type { RunTerms } from '@quantloom/domain/strategy-run/events';
import type { CostGate } from '@quantloom/http/costs';
import type { DocumentThreads } from '@quantloom/http/documents/document-threads';
import type { FastifyBaseLogger } from 'fastify';
import type { ReadDeps } from '../deps.ts';
import { payerOf } from '../owner-pays.ts';
import { termsOf } from '../run-recording.ts';
import { publishedSince } from './published-since.ts';

/** What the page of a public strategy shows of it, kept until the strategy, its publication or the prices change. */
interface PublicResultDocument extends ReadDocument {
  readonly key: string;
  readonly result: ResultSnapshot | null;
  /** Why it cannot be run; null where it can. */
  readonly failure: string | null;
}

/** Written outside of every projection: what is lost is computed again. */
const COLLECTION = { name: 'publicResults_v1', indexes: [] };
/** Of what is kept: raised where the same strategy and prices come to another document. */
const FORM = 2;
const FIRST_DAY = '1990-01-01';
const DEADLINE_MS = 10_000;
const DAY_MS = 86_400_000;
/**
 * That many different strategies wait for their figures; visitors of further ones see the page without, and
 * nothing is begun for them.
 */
const MOST_WAITING = 20;

export interface PublicResultDeps extends ReadDeps {
  readonly marketData: MarketData;
  readonly backtestRunner: BacktestRunner;
}

/** What the server that the pages are on has for them. */
interface PageServer {
  readonly documents: DocumentThreads;
  readonly costs: CostGate | null;
}

export type PublicResult =
  | { readonly kind: 'result'; readonly result: ResultSnapshot }
  | { readonly kind: 'failure'; readonly reason: string }
  /** Others are being computed, or its owner has nothing left to compute with. */
  | { readonly kind: 'busy' };

/**
 * Results of public strategies: over all days there are, on the product's own terms, so that nobody chooses
 * flattering ones.
 */
export interface PublicResults {
  /** @param read reads the tree again; only called where it is to be run */
  of(
    strategy: StrategyDocument,
    size: StrategySize,
    read: () => Promise<WrittenTree>,
    log: FastifyBaseLogger,
  ): Promise<PublicResult>;
}

interface Wanted {
  readonly strategy: StrategyDocument;
  readonly size: StrategySize;
  readonly read: () => Promise<WrittenTree>;
  readonly dataVersion: string;
  readonly log: FastifyBaseLogger;
}

/**
 * Computes each result once for a state of strategy and prices, one after the other, in its owner's share of
 * the machine and from his budget: visitors cannot make work by coming often. Who comes while others are
 * computed is told so at once.
 */
export function createPublicResults(deps: PublicResultDeps, server: PageServer): PublicResults {
  const underWay = new Map<string, { isRunning: boolean; readonly outcome: Promise<PublicResult> }>();
  const ready = deps.readModels.ensureCollection(COLLECTION);
  let last: Promise<unknown> = ready;
  return {
    of: async (strategy, size, read, log) => {
      const { version: dataVersion } = await deps.marketData.current();
      const key = `${FORM}|${strategy._revision}|${dataVersion}`;
      await ready;
      const known = await deps.readModels.get<PublicResultDocument>(COLLECTION.name, strategy.id);
      if (known?.key === key) return asResult(known);
      const place = `${strategy.id}|${key}`;
      const begun = underWay.get(place);
      if (begun) return begun.isRunning ? await begun.outcome : BUSY;
      if (underWay.size >= MOST_WAITING) return BUSY;
      const isNext = underWay.size === 0;
      const wanted = { strategy, size, read, dataVersion, log };
      const computing = last
        .catch(() => undefined)
        .then(async () => {
          const entry = underWay.get(place);
          if (entry) entry.isRunning = true;
          const document = await paidFor(deps, server, wanted);
          if (!document) return BUSY;
          await deps.readModels.put(COLLECTION.name, { ...document, key } as PublicResultDocument);
          return asResult(document);
        })
        .finally(() => underWay.delete(place));
      underWay.set(place, { isRunning: isNext, outcome: computing });
      last = computing;
      if (isNext) return await computing;
      computing.catch((error) =>
        log.error({ err: error, strategyId: strategy.id }, 'a public strategy could not be run'),
      );
      return BUSY;
    },
  };
}

const BUSY = { kind: 'busy' } as const;

function asResult({ result, failure }: Pick<PublicResultDocument, 'result' | 'failure'>): PublicResult {
  return result ? { kind: 'result', result } : { kind: 'failure', reason: failure ?? '' };
}

/** Null where the owner's budget has not enough left, or the machine, not the strategy, is at fault. */
async function paidFor(
  deps: PublicResultDeps,
  { documents, costs }: PageServer,
  wanted: Wanted,
): Promise<Omit<PublicResultDocument, 'key'> | null> {
  const { strategy, size } = wanted;
  const terms = termsOf({ start_date: FIRST_DAY, end_date: exchangeDay(deps.clock.now()) });
  const days = (Date.parse(terms.end_date) - Date.parse(terms.start_date)) / DAY_MS;
  const expectedMs = costOfRun(size, days);
  const payer = await payerOf(deps.readModels, strategy.ownerId);
  const settle = costs && (await costs.takeForVisitors(payer, expectedMs));
  if (costs && !settle) return null;
  let spent = 0;
  const onSpent = (milliseconds: number) => {
    spent = milliseconds;
  };
  try {
    return await compute(deps, documents, wanted, { terms, expectedMs, onSpent });
  } finally {
    await settle?.(spent);
  }
}

async function compute(
  { backtestRunner, eventStore }: PublicResultDeps,
  documents: DocumentThreads,
  { strategy, read, dataVersion, log }: Wanted,
  { terms, ...options }: { readonly terms: RunTerms } & Pick<RunOptions, 'expectedMs' | 'onSpent'>,
): Promise<Omit<PublicResultDocument, 'key'> | null> {
  const bare = { id: strategy.id, _revision: strategy._revision, _position: strategy._position };
  const owner = strategy.ownerId;
  try {
    const request = { ...terms, include: { history: true, report: true }, trading_bot: await read() };
    const run = { ...options, dataVersion, owner, deadlineMs: DEADLINE_MS };
    const answer = await backtestRunner.runAs('columns', request, run);
    const since = await publishedSince(eventStore, strategy.id, heldTreeOf(strategy));
    const given = { terms, answer, since: since?.slice(0, 10) };
    return { ...bare, result: await documents.run(visitorsOf(owner), 'snapshot', given), failure: null };
  } catch (error) {
    // A fault of the strategy. Where there is no room for it, another visitor will do.
    if (error instanceof RefusalError && error.refusal.status !== 429)
      return { ...bare, result: null, failure: error.refusal.detail };
    log.error({ err: error, strategyId: strategy.id }, 'a public strategy could not be run');
    return null;
  }
}

/** Who has the turn in the thread of documents: not the owner himself, whose own work is not to wait. */
export const visitorsOf = (ownerId: string): string => `visitors of ${ownerId}`;
