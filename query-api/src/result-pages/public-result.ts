import { RefusalError } from '@quantloom/domain/kernel/refusal';
import { costOfRun } from '@quantloom/domain/limits/cost';
import { exchangeDay } from '@quantloom/domain/market-data/exchange-day';
import type { BacktestRunner } from '@quantloom/domain/ports/backtest-runner';
import type { MarketData } from '@quantloom/domain/ports/market-data';
import type { ReadDocument } from '@quantloom/domain/ports/read-models';
import { type ResultSnapshot, snapshotOf } from '@quantloom/domain/shared-result/snapshot';
import type { StrategyDocument } from '@quantloom/domain/strategy/projection';
import { sizeOf } from '@quantloom/domain/strategy/size';
import type { Algorithm } from '@quantloom/domain/strategy/tree';
import type { FastifyBaseLogger } from 'fastify';
import type { ReadDeps } from '../deps.ts';
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
/** Visitors of that many different strategies wait for their figures; further ones see the page without. */
const MOST_WAITING = 20;

export interface PublicResultDeps extends ReadDeps {
  readonly marketData: MarketData;
  readonly backtestRunner: BacktestRunner;
}

export type PublicResult =
  | { readonly kind: 'result'; readonly result: ResultSnapshot }
  | { readonly kind: 'failure'; readonly reason: string }
  /** Too many are being computed. */
  | { readonly kind: 'busy' };

/** Results of public strategies: over all days there are, on the product's own terms, so that nobody chooses flattering ones. */
export interface PublicResults {
  of(strategy: StrategyDocument, algorithm: Algorithm, log: FastifyBaseLogger): Promise<PublicResult>;
}

/**
 * Computes each result once for a state of strategy and prices, one after the other, in its owner's share of the machine: visitors cannot make
 * work by coming often.
 */
export function createPublicResults(deps: PublicResultDeps): PublicResults {
  const underWay = new Map<string, Promise<PublicResult>>();
  let last: Promise<unknown> = deps.readModels.ensureCollection(COLLECTION);
  return {
    of: async (strategy, algorithm, log) => {
      const { version } = await deps.marketData.current();
      const key = `${FORM}|${strategy._revision}|${version}`;
      await last.catch(() => undefined);
      const known = await deps.readModels.get<PublicResultDocument>(COLLECTION.name, strategy.id);
      if (known?.key === key) return asResult(known);
      const waiting = underWay.get(`${strategy.id}|${key}`);
      if (waiting) return await waiting;
      if (underWay.size >= MOST_WAITING) return { kind: 'busy' };
      const computing = last
        .catch(() => undefined)
        .then(async () => {
          const document = await compute(deps, strategy, algorithm, version, log);
          if (!document) return { kind: 'busy' } as const;
          await deps.readModels.put(COLLECTION.name, { ...document, key } as PublicResultDocument);
          return asResult(document);
        })
        .finally(() => underWay.delete(`${strategy.id}|${key}`));
      underWay.set(`${strategy.id}|${key}`, computing);
      last = computing;
      return await computing;
    },
  };
}

function asResult({ result, failure }: Pick<PublicResultDocument, 'result' | 'failure'>): PublicResult {
  return result ? { kind: 'result', result } : { kind: 'failure', reason: failure ?? '' };
}

/** Null where the machine, not the strategy, is at fault. */
async function compute(
  { backtestRunner, clock, eventStore }: PublicResultDeps,
  strategy: StrategyDocument,
  algorithm: Algorithm,
  dataVersion: string,
  log: FastifyBaseLogger,
): Promise<Omit<PublicResultDocument, 'key'> | null> {
  const bare = { id: strategy.id, _revision: strategy._revision, _position: strategy._position };
  const terms = termsOf({ start_date: FIRST_DAY, end_date: exchangeDay(clock.now()) });
  const days = (Date.parse(terms.end_date) - Date.parse(terms.start_date)) / DAY_MS;
  const request = { ...terms, include: { history: true, report: true }, trading_bot: algorithm };
  try {
    const answer = await backtestRunner.run(request, {
      dataVersion,
      owner: strategy.ownerId,
      expectedMs: costOfRun(sizeOf(algorithm), days),
      deadlineMs: DEADLINE_MS,
    });
    const since = await publishedSince(eventStore, strategy.id, algorithm);
    return { ...bare, result: snapshotOf(terms, answer, since?.slice(0, 10)), failure: null };
  } catch (error) {
    if (error instanceof RefusalError) return { ...bare, result: null, failure: error.refusal.detail };
    log.error({ err: error, strategyId: strategy.id }, 'a public strategy could not be run');
    return null;
  }
}
