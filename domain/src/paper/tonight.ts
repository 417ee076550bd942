import { type DecisionDocument, decisionsProjection } from '../forward-test/projections.ts';
import { type Refusal, refuse } from '../kernel/refusal.ts';
import type { MarketData } from '../ports/market-data.ts';
import { isBrokerFailure, type PaperBroker } from '../ports/paper-broker.ts';
import type { ReadModels } from '../ports/read-models.ts';
import { type StrategySummaryDocument, strategySummariesProjection } from '../strategy/projection.ts';
import { maySeeStrategy } from '../strategy/strategy.ts';
import type { PaperTerms } from './account.ts';
import { type BasketDocument, basketsProjection } from './basket.ts';
import { closeOn } from './closes.ts';
import { type Proposal, proposalOf, sharedWeights } from './proposal.ts';

/** What an account would trade for the next close. */
export interface Tonight extends Proposal {
  /** The newest day of the market data: its closes are the last ones known. */
  readonly day: string;
  readonly dataVersion: string;
  readonly cash: number;
  readonly positions: readonly { readonly ticker: string; readonly quantity: number }[];
  readonly closes: Readonly<Record<string, number>>;
  /** Wanted percent of the account by ticker. */
  readonly weights: Readonly<Record<string, number>>;
  readonly decisions: readonly {
    readonly strategyId: string;
    readonly revision: number;
    readonly day: string;
  }[];
  /** Strategies that are not decided for that day: what they decided last is held. */
  readonly behind: readonly string[];
  /** Strategies that were never decided, or are not the user's to see any more: their part stays cash. */
  readonly undecided: readonly string[];
  /** Strategies that the user does not follow any more, so that nobody may decide them: their part stays cash, too. */
  readonly unfollowed: readonly string[];
}

/** The newest decision of a strategy; of several revisions that decided its day, the newest one's. */
async function lastDecisionOf(
  readModels: Pick<ReadModels, 'find'>,
  strategyId: string,
): Promise<DecisionDocument['decision'] | null> {
  const newest = await readModels.find<DecisionDocument>(decisionsProjection.collection.name, {
    where: { strategyId },
    sort: [['day', 'desc']],
    limit: 10,
  });
  const ofDay = newest.filter(({ day }) => day === newest[0]?.day).map(({ decision }) => decision);
  return ofDay.toSorted((a, b) => b.revision - a.revision)[0] ?? null;
}

/** Nights that are looked back, at most, to when the account was last brought to what was decided. */
const MOST_QUIET = 250;

/**
 * Whether an account holds what was decided, but for what has drifted since: its last orders were traded
 * whole, and nothing was decided since that trades. Where one of the strategies trades, the money is shared
 * out anew among all of them.
 */
async function isKept(
  readModels: Pick<ReadModels, 'find'>,
  { userId, number, strategyIds }: PaperAccountKey & Pick<PaperTerms, 'strategyIds'>,
  decided: readonly (DecisionDocument['decision'] | null)[],
): Promise<boolean> {
  const baskets = await readModels.find<BasketDocument>(basketsProjection.collection.name, {
    where: { userId },
    sort: [['day', 'desc']],
    limit: 1,
  });
  const [last] = baskets.filter((basket) => basket.number === number);
  if (!last?.orders.every(({ status, traded, quantity }) => status === 'ended' && traded >= quantity))
    return false;
  for (const [index, strategyId] of strategyIds.entries()) {
    const then = last.decisions.find((one) => one.strategyId === strategyId);
    const now = decided[index] ?? null;
    if (!then && !now) continue;
    if (!then || !now || then.revision !== now.revision) return false;
    const since = await readModels.find<DecisionDocument>(decisionsProjection.collection.name, {
      where: { strategyId, day: { gt: then.day } },
      sort: [['day', 'asc']],
      limit: MOST_QUIET,
    });
    const isQuiet = since.every(
      ({ decision: { turnover, revision, runFrom } }) =>
        turnover === 0 && revision === now.revision && runFrom === now.runFrom,
    );
    if (!isQuiet || since.length === MOST_QUIET) return false;
  }
  return true;
}

interface PaperAccountKey {
  readonly userId: string;
  /** Of the account, among those of the user. */
  readonly number: number;
}

/**
 * Works out what an account would trade. A refusal where the broker cannot be asked or there are no prices.
 *
 * @param followed ids of strategies that the user follows
 */
export async function tonightOf(
  deps: { readonly readModels: Pick<ReadModels, 'find' | 'getMany'>; readonly marketData: MarketData },
  broker: Pick<PaperBroker, 'account'>,
  { userId, number, followed }: PaperAccountKey & { readonly followed: ReadonlySet<string> },
  {
    strategyIds,
    isFractional,
    slippageBps,
  }: Pick<PaperTerms, 'strategyIds' | 'isFractional' | 'slippageBps'>,
): Promise<Tonight | Refusal> {
  const account = await broker.account();
  if (isBrokerFailure(account)) return refuse(409, 'broker_away', `${account.reason}.`);
  const { version: dataVersion, lastDay: day } = await deps.marketData.current();
  const { name } = strategySummariesProjection.collection;
  const strategies = await deps.readModels.getMany<StrategySummaryDocument>(name, [...strategyIds]);
  const visible = new Set(
    strategies.filter((strategy) => maySeeStrategy(strategy, userId)).map(({ id }) => id),
  );
  const found = await Promise.all(
    strategyIds.map(async (strategyId) =>
      visible.has(strategyId) && followed.has(strategyId)
        ? await lastDecisionOf(deps.readModels, strategyId)
        : null,
    ),
  );
  const positions = Object.fromEntries(account.positions.map(({ ticker, quantity }) => [ticker, quantity]));
  const weights = sharedWeights(found.map((decision) => decision?.weights ?? {}));
  const tickers = [...new Set([...Object.keys(positions), ...Object.keys(weights)])];
  const series = await deps.marketData.load(dataVersion, tickers);
  const closes = Object.fromEntries(
    tickers.flatMap((ticker) => {
      const close = closeOn(series.get(ticker), day);
      return close === undefined ? [] : [[ticker, close] as const];
    }),
  );
  const decisions = found.flatMap((decision) =>
    decision ? [{ strategyId: decision.strategyId, revision: decision.revision, day: decision.day }] : [],
  );
  const proposal = proposalOf({ cash: account.cash, positions, weights, closes, isFractional, slippageBps });
  const isHeld = await isKept(deps.readModels, { userId, number, strategyIds }, found);
  return {
    ...proposal,
    orders: isHeld ? [] : proposal.orders,
    day,
    dataVersion,
    cash: account.cash,
    positions: account.positions,
    closes,
    weights,
    decisions,
    behind: decisions.filter((decision) => decision.day < day).map(({ strategyId }) => strategyId),
    undecided: strategyIds.filter((id, index) => !found[index] && (followed.has(id) || !visible.has(id))),
    unfollowed: strategyIds.filter((id) => visible.has(id) && !followed.has(id)),
  };
}
