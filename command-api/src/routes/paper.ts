import {
  approvePaperOrders,
  closePaperAccount,
  openPaperAccount,
} from '@quantloom/domain/contracts/http/paper';
import {
  type EvaluationFailureDocument,
  evaluationFailuresProjection,
} from '@quantloom/domain/forward-test/failure';
import { followId, followStream } from '@quantloom/domain/forward-test/follow';
import { PLANS } from '@quantloom/domain/identity/plans';
import { loadState, streamName } from '@quantloom/domain/kernel/handle-command';
import { isRefusal, type Refusal, refuse } from '@quantloom/domain/kernel/refusal';
import { NO_PAPER_ACCOUNT, paperStream } from '@quantloom/domain/paper/account';
import { nightOf } from '@quantloom/domain/paper/answers';
import { whyNotApproved } from '@quantloom/domain/paper/approval';
import {
  type BasketDocument,
  basketId,
  basketStream,
  basketsProjection,
  isOrderOpen,
  orderIdOf,
} from '@quantloom/domain/paper/basket';
import { CONNECTS_BROKERS, ORDERS_A_NIGHT, STRATEGIES_OF_ACCOUNT } from '@quantloom/domain/paper/limits';
import { tonightOf } from '@quantloom/domain/paper/tonight';
import type { MarketData } from '@quantloom/domain/ports/market-data';
import type { PaperBrokers } from '@quantloom/domain/ports/paper-broker';
import { DEFAULT_SLIPPAGE_BPS } from '@quantloom/domain/strategy/backtest-terms';
import { maySeeStrategy, STRATEGY_NOT_FOUND, strategyStream } from '@quantloom/domain/strategy/strategy';
import { mountRoute } from '@quantloom/http/routes';
import type { FastifyInstance } from 'fastify';
import { runCommand } from '../command-call.ts';
import type { WriteDeps } from '../deps.ts';

export interface PaperRouteDeps extends WriteDeps {
  readonly marketData: MarketData;
  readonly paperBrokers: PaperBrokers;
}
const DEFAULT_CASH = 10_000;
const HINT_CHARACTERS = 4;

/** The account of paper money of a user, and the approval of its orders. */
export function mountPaper(app: FastifyInstance, deps: PaperRouteDeps): void {
  const { eventStore, stateCache, paperBrokers, marketData, readModels } = deps;
  const accountOf = async (userId: string) =>
    (await loadState(eventStore, paperStream, userId, stateCache)).state;
  const sees = async (strategyId: string, userId: string) => {
    const { state } = await loadState(eventStore, strategyStream, strategyId, stateCache);
    return (
      state.status !== 'none' && maySeeStrategy({ ...state, isDeleted: state.status === 'deleted' }, userId)
    );
  };

  const followedOf = async (userId: string, strategyIds: readonly string[]): Promise<ReadonlySet<string>> => {
    const states = await Promise.all(
      strategyIds.map((strategyId) =>
        loadState(eventStore, followStream, followId({ userId, strategyId }), stateCache),
      ),
    );
    return new Set(strategyIds.filter((_, index) => states[index]?.state.status === 'followed'));
  };

  mountRoute(app, openPaperAccount, async (call) => {
    const { userId, planId } = call.principal;
    const { broker = 'own', strategy_ids: strategyIds, key_id: id, key_secret: secret } = call.body;
    const { name } = PLANS[planId];
    const most = STRATEGIES_OF_ACCOUNT[planId];
    if (strategyIds.length > most)
      return refuse(
        403,
        'too_many_strategies',
        `On the plan ${name} up to ${most} strategies share a paper account.`,
      );
    for (const strategyId of strategyIds) if (!(await sees(strategyId, userId))) return STRATEGY_NOT_FOUND;
    let sealedKey: string | null = null;
    if (broker === 'alpaca') {
      if (!paperBrokers.hasAlpaca)
        return refuse(409, 'broker_off', 'Accounts at Alpaca are turned off on this installation.');
      if (!CONNECTS_BROKERS[planId])
        return refuse(403, 'not_in_plan', `The plan ${name} has paper accounts of our own only.`);
      if (id === undefined || secret === undefined)
        return refuse(
          422,
          'no_broker_key',
          'An account at Alpaca needs the key of a paper account and its secret.',
        );
      sealedKey = paperBrokers.seal(userId, { id, secret });
    }
    const startDay = await newestDay(marketData);
    if (isRefusal(startDay)) return startDay;
    const result = await runCommand(call, deps, paperStream, userId, {
      type: 'OpenPaperAccount',
      userId,
      terms: {
        broker,
        strategyIds,
        isFractional: call.body.is_fractional ?? false,
        cash: broker === 'own' ? (call.body.cash ?? DEFAULT_CASH) : 0,
        slippageBps: broker === 'own' ? (call.body.slippage_bps ?? DEFAULT_SLIPPAGE_BPS) : 0,
        startDay,
        sealedKey,
        keyHint: sealedKey === null ? null : (id ?? '').slice(-HINT_CHARACTERS),
      },
    });
    return isRefusal(result) ? result : { number: result.state.number, broker };
  });

  mountRoute(app, closePaperAccount, async (call) => {
    const { userId } = call.principal;
    const result = await runCommand(call, deps, paperStream, userId, { type: 'ClosePaperAccount', userId });
    return isRefusal(result) ? result : { is_open: false };
  });

  mountRoute(app, approvePaperOrders, async (call) => {
    const { userId, planId } = call.principal;
    const { day } = call.body;
    const { status, number, terms } = await accountOf(userId);
    if (status !== 'open' || !terms) return NO_PAPER_ACCOUNT;
    const key = { userId, number, day };
    const known = await loadState(eventStore, basketStream, basketId(key), stateCache);
    // Approved already: the answer is the same, whatever the prices say by now.
    if (known.state) return nightOf(known.state, await approvedAtOf(key));
    const followed = await followedOf(userId, terms.strategyIds);
    const broker = paperBrokers.open({ userId, ...terms });
    const tonight = await tonightOf(deps, broker, { userId, number, followed }, terms);
    if (isRefusal(tonight)) return tonight;
    if (tonight.day !== day)
      return refuse(
        409,
        'another_day',
        `The newest closes are of ${tonight.day}, not of ${day}. Look at the orders again.`,
      );
    const failures = await readModels.getMany<EvaluationFailureDocument>(
      evaluationFailuresProjection.collection.name,
      [...tonight.behind],
    );
    const open = await openBasket(key);
    const why = whyNotApproved(tonight, { failures, openDay: open });
    if (why) return why;
    if (tonight.orders.length > ORDERS_A_NIGHT[planId])
      return refuse(
        403,
        'too_many_orders',
        `The plan ${PLANS[planId].name} approves up to ${ORDERS_A_NIGHT[planId]} orders a night.`,
      );
    const result = await runCommand(call, deps, basketStream, basketId(key), {
      type: 'ApproveBasket',
      basket: {
        ...key,
        broker: terms.broker,
        decisions: [...tonight.decisions],
        orders: tonight.orders.map((order) => ({ id: orderIdOf(key, order.ticker), ...order })),
      },
    });
    if (isRefusal(result)) return result;
    if (!result.state) throw new Error('A night was approved and has no orders');
    return nightOf(result.state, await approvedAtOf(key));
  });

  /** When the orders of a night were approved, however often that was asked for since. ISO 8601. */
  const approvedAtOf = async (key: { userId: string; number: number; day: string }): Promise<string> => {
    const stream = streamName(basketStream, basketId(key));
    for await (const { metadata } of eventStore.readStream(stream, { maxCount: 1 }))
      return metadata.recordedAt;
    throw new Error(`The orders of ${key.day} were approved and are not there`);
  };

  /** The day of an earlier night whose orders are not finished. */
  const openBasket = async ({ userId, number, day }: { userId: string; number: number; day: string }) => {
    const found = await readModels.find<BasketDocument>(basketsProjection.collection.name, {
      where: { userId },
      sort: [['day', 'desc']],
      limit: 5,
    });
    for (const basket of found) {
      if (basket.number !== number || basket.day >= day) continue;
      const { state } = await loadState(eventStore, basketStream, basket.id, stateCache);
      if (state?.orders.some(isOrderOpen)) return basket.day;
    }
    return null;
  };
}

async function newestDay(data: Pick<MarketData, 'current'>): Promise<string | Refusal> {
  try {
    return (await data.current()).lastDay;
  } catch (error) {
    if ((error as { code?: unknown }).code !== 'no_data_set') throw error;
    return refuse(409, 'no_data_set', 'No market data are loaded yet');
  }
}
