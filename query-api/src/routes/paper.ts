import { getPaperAccount, type PaperAccountAnswer } from '@quantloom/domain/contracts/http/paper';
import {
  type EvaluationFailureDocument,
  evaluationFailuresProjection,
} from '@quantloom/domain/forward-test/failure';
import { followId } from '@quantloom/domain/forward-test/follow';
import {
  type DecisionDocument,
  decisionsProjection,
  type FollowDocument,
  followsProjection,
} from '@quantloom/domain/forward-test/projections';
import { streamName } from '@quantloom/domain/kernel/handle-command';
import { isRefusal } from '@quantloom/domain/kernel/refusal';
import { NO_ACCOUNT, type PaperAccount, type PaperTerms, paperStream } from '@quantloom/domain/paper/account';
import { nightOf } from '@quantloom/domain/paper/answers';
import { whyNotApproved } from '@quantloom/domain/paper/approval';
import { type BasketDocument, basketsProjection } from '@quantloom/domain/paper/basket';
import type { PaperEvent } from '@quantloom/domain/paper/events';
import { type PaperDay, paperRecord } from '@quantloom/domain/paper/record';
import { type Tonight, tonightOf } from '@quantloom/domain/paper/tonight';
import type { MarketData } from '@quantloom/domain/ports/market-data';
import type { PaperBrokers } from '@quantloom/domain/ports/paper-broker';
import {
  type StrategySummaryDocument,
  strategySummariesProjection,
} from '@quantloom/domain/strategy/projection';
import { maySeeStrategy } from '@quantloom/domain/strategy/strategy';
import { mountRoute } from '@quantloom/http/routes';
import type { FastifyInstance } from 'fastify';
import { awaitOwnWrites } from '../consistency.ts';
import type { ReadDeps } from '../deps.ts';

const NIGHTS_SHOWN = 50;
/** Twenty strategies for two years. */
const MOST_DECISIONS = 10_000;
const MOST_NIGHTS = 5_000;

export interface PaperQueryDeps extends ReadDeps {
  readonly marketData: MarketData;
  readonly paperBrokers: Pick<PaperBrokers, 'open' | 'hasAlpaca'>;
}

/** The caller's account of paper money. */
export function mountPaperQueries(app: FastifyInstance, deps: PaperQueryDeps): void {
  mountRoute(app, getPaperAccount, async (call) => {
    await awaitOwnWrites(
      call,
      deps.consistency,
      strategySummariesProjection,
      decisionsProjection,
      followsProjection,
      basketsProjection,
    );
    const { userId } = call.principal;
    const { hasAlpaca } = deps.paperBrokers;
    const { account, held } = await historyOf(deps, userId);
    const { terms } = account;
    if (account.status !== 'open' || !terms) return { account: null, has_alpaca: hasAlpaca };
    return { account: await answerOf(deps, userId, account, terms, held), has_alpaca: hasAlpaca };
  });
}

/** The book of the last account, with what it held after each day on which it traded. */
async function historyOf(
  { eventStore }: ReadDeps,
  userId: string,
): Promise<{ readonly account: PaperAccount; readonly held: readonly PaperDay[] }> {
  let account = NO_ACCOUNT;
  let held: PaperDay[] = [];
  for await (const recorded of eventStore.readStream(streamName(paperStream, userId))) {
    const event = recorded as unknown as PaperEvent;
    account = paperStream.decider.evolve(account, event);
    const { cash, positions } = account;
    if (event.type === 'PaperAccountOpened') held = [{ day: event.data.startDay, cash, positions }];
    if (event.type === 'PaperOrdersFilled') held.push({ day: event.data.day, cash, positions });
  }
  return { account, held };
}

async function answerOf(
  deps: PaperQueryDeps,
  userId: string,
  account: PaperAccount,
  terms: PaperTerms,
  held: readonly PaperDay[],
): Promise<PaperAccountAnswer> {
  const { readModels } = deps;
  const { name } = strategySummariesProjection.collection;
  const summaries = await readModels.getMany<StrategySummaryDocument>(name, [...terms.strategyIds]);
  const names = new Map(
    summaries.filter((one) => maySeeStrategy(one, userId)).map((one) => [one.id, one.name]),
  );
  const baskets = (
    await readModels.find<BasketDocument>(basketsProjection.collection.name, {
      where: { userId },
      sort: [['day', 'desc']],
      limit: MOST_NIGHTS,
    })
  ).filter(({ number }) => number === account.number);
  const broker = deps.paperBrokers.open({ userId, ...terms });
  const followed = await followedOf(deps, userId, terms);
  const tonight = await tonightOf(deps, broker, { userId, number: account.number, followed }, terms);
  return {
    number: account.number,
    broker: terms.broker,
    strategies: terms.strategyIds.map((id) => ({ id, name: names.get(id) ?? null })),
    is_fractional: terms.isFractional,
    slippage_bps: terms.slippageBps,
    start_cash: terms.cash,
    start_day: terms.startDay,
    key_hint: terms.keyHint,
    costs: account.costs,
    tonight: isRefusal(tonight) ? null : await tonightAnswer(deps, tonight, baskets),
    broker_fault: isRefusal(tonight) ? tonight.detail : null,
    nights: baskets.slice(0, NIGHTS_SHOWN).map((basket) => nightOf(basket, basket.approvedAt)),
    record: terms.broker === 'own' ? await recordOf(deps, { account, terms, held, baskets, names }) : null,
  };
}

async function followedOf(
  { readModels }: ReadDeps,
  userId: string,
  { strategyIds }: PaperTerms,
): Promise<ReadonlySet<string>> {
  const { name } = followsProjection.collection;
  const ids = strategyIds.map((strategyId) => followId({ userId, strategyId }));
  const follows = await readModels.getMany<FollowDocument>(name, ids);
  return new Set(follows.map(({ strategyId }) => strategyId));
}

async function tonightAnswer(
  { readModels }: PaperQueryDeps,
  tonight: Tonight,
  baskets: readonly BasketDocument[],
): Promise<PaperAccountAnswer['tonight']> {
  const failures = await readModels.getMany<EvaluationFailureDocument>(
    evaluationFailuresProjection.collection.name,
    [...tonight.behind],
  );
  const isApproved = baskets.some(({ day }) => day === tonight.day);
  const openDay = baskets.find(({ day, isOpen }) => isOpen && day < tonight.day)?.day ?? null;
  const why = isApproved ? null : whyNotApproved(tonight, { failures, openDay });
  const held = new Map(tonight.positions.map(({ ticker, quantity }) => [ticker, quantity]));
  const tickers = [...new Set([...held.keys(), ...Object.keys(tonight.weights)])].sort();
  return {
    day: tonight.day,
    equity: tonight.equity,
    cash: tonight.cash,
    positions: tickers.map((ticker) => ({
      ticker,
      quantity: held.get(ticker) ?? 0,
      close: tonight.closes[ticker] ?? null,
      wanted_percent: tonight.weights[ticker] ?? null,
    })),
    orders: isApproved ? [] : [...tonight.orders],
    unpriced: [...tonight.unpriced],
    behind: [...tonight.behind],
    undecided: [...tonight.undecided],
    unfollowed: [...tonight.unfollowed],
    can_approve: !isApproved && why === null,
    why_not: isApproved ? 'The orders of this night are approved.' : (why?.detail ?? null),
  };
}

async function recordOf(
  { readModels, marketData }: PaperQueryDeps,
  {
    account,
    terms,
    held,
    baskets,
    names,
  }: {
    readonly account: PaperAccount;
    readonly terms: PaperTerms;
    readonly held: readonly PaperDay[];
    readonly baskets: readonly BasketDocument[];
    readonly names: ReadonlyMap<string, string>;
  },
): Promise<PaperAccountAnswer['record']> {
  // What was made private or deleted since is nobody else's business any more.
  const visible = terms.strategyIds.filter((id) => names.has(id));
  const decisions = (
    await Promise.all(
      visible.map((strategyId) =>
        readModels.find<DecisionDocument>(decisionsProjection.collection.name, {
          where: { strategyId, day: { gte: terms.startDay } },
          sort: [['day', 'asc']],
          limit: MOST_DECISIONS,
        }),
      ),
    )
  ).flat();
  const tickers = new Set([
    ...decisions.flatMap(({ decision }) => Object.keys(decision.weights)),
    ...held.flatMap(({ positions }) => Object.keys(positions)),
  ]);
  const { version } = await marketData.current();
  const series = await marketData.load(version, [...tickers]);
  const record = paperRecord({ terms, costs: account.costs, held, decisions, baskets, series });
  return {
    days: [...record.days],
    account: [...record.account],
    as_lived: [...record.as_lived],
    gap: record.gap,
    reasons: [...record.reasons],
  };
}
