import { handleCommand, loadState } from '@quantloom/domain/kernel/handle-command';
import { derivedId } from '@quantloom/domain/kernel/ids';
import { isRefusal } from '@quantloom/domain/kernel/refusal';
import {
  countedShares,
  type OrderOutcome,
  type PaperAccount,
  paperStream,
} from '@quantloom/domain/paper/account';
import { closeOn, nextDayOf } from '@quantloom/domain/paper/closes';
import type { Clock } from '@quantloom/domain/ports/clock';
import type { EventStore } from '@quantloom/domain/ports/event-store';
import type { MarketData } from '@quantloom/domain/ports/market-data';
import type { BrokerOrder, PaperBroker } from '@quantloom/domain/ports/paper-broker';

export interface OwnBrokerDeps {
  readonly eventStore: EventStore;
  readonly marketData: Pick<MarketData, 'current' | 'load'>;
  readonly clock: Clock;
}

const LAPSED: Readonly<Record<string, string>> = {
  no_cash: 'The money did not reach for all of it',
  not_held: 'Not as many shares were held',
  no_close: 'There is no close of it on that day',
};

/**
 * Our own broker: a book of events for each user, in which orders are filled at the first close after the one
 * that was known when they were approved, whenever somebody looks. It is the same close however late that is.
 */
export function openOwnPaperBroker(deps: OwnBrokerDeps, userId: string): PaperBroker {
  const { eventStore, marketData, clock } = deps;
  const stateOf = async () => (await loadState(eventStore, paperStream, userId)).state;
  const command = async (parts: readonly string[], one: Parameters<typeof paperStream.decider.decide>[0]) => {
    const commandId = derivedId(0, 'paper broker', userId, ...parts);
    return await handleCommand(eventStore, paperStream, userId, one, {
      commandId,
      correlationId: commandId,
      actor: { kind: 'system', name: 'paper-broker' },
      now: clock.now().toISOString(),
    });
  };

  /** Fills what is due, the orders of earlier days first. */
  const settled = async (): Promise<PaperAccount> => {
    let state = await stateOf();
    for (;;) {
      const [first] = state.waiting.map(({ day }) => day).sort();
      if (first === undefined || state.status !== 'open') return state;
      const { version: dataVersion, lastDay } = await marketData.current();
      if (lastDay <= first) return state;
      const due = state.waiting.filter(({ day }) => day === first);
      const tickers = [...new Set([...due.map(({ ticker }) => ticker), ...Object.keys(state.positions)])];
      const series = await marketData.load(dataVersion, tickers);
      const day = nextDayOf(series.values(), first) ?? lastDay;
      const closes = Object.fromEntries(
        tickers.flatMap((ticker) => {
          const close = closeOn(series.get(ticker), day);
          return close === undefined ? [] : [[ticker, close] as const];
        }),
      );
      const then = Object.fromEntries(
        Object.entries(state.positions).flatMap(([ticker, position]) => {
          const close = closeOn(series.get(ticker), position.day);
          return close === undefined ? [] : [[ticker, close] as const];
        }),
      );
      const parts = ['fill', String(state.number), first, ...due.map(({ orderId }) => orderId)];
      const filled = await command(parts, {
        type: 'FillPaperOrders',
        userId,
        day,
        dataVersion,
        closes,
        then,
      });
      if (isRefusal(filled)) return await stateOf();
      const { state: next } = filled;
      // Somebody else has filled them meanwhile: what he wrote counts.
      state = next.waiting.length < state.waiting.length ? next : await stateOf();
      if (state.waiting.some(({ day: waiting }) => waiting === first)) return state;
    }
  };

  return {
    async account() {
      const state = await settled();
      const tickers = Object.keys(state.positions);
      const series =
        tickers.length === 0
          ? new Map()
          : await marketData.load((await marketData.current()).version, tickers);
      return {
        kind: 'account',
        cash: state.cash,
        positions: Object.entries(state.positions).map(([ticker, position]) => ({
          ticker,
          quantity: countedShares(position, closeOn(series.get(ticker), position.day)),
        })),
      };
    },
    async place({ orderId, ticker, side, quantity, day }) {
      if (!(quantity > 0)) return { kind: 'refused', reason: 'An order needs more than no shares' };
      const { version } = await marketData.current();
      if (!(await marketData.load(version, [ticker])).has(ticker))
        return { kind: 'refused', reason: 'There are no prices of it' };
      const taken = await command(['take', orderId], {
        type: 'TakePaperOrder',
        userId,
        order: { orderId, ticker, side, quantity, day },
      });
      if (isRefusal(taken)) return { kind: 'refused', reason: 'The paper account was closed' };
      // Sent again: what has become of it since counts.
      const state = taken.isRepetition ? await stateOf() : taken.state;
      return { kind: 'taken', order: orderIn(state, orderId) ?? OPEN(orderId) };
    },
    async find(orderId) {
      return orderIn(await settled(), orderId);
    },
  };
}

const OPEN = (orderId: string): BrokerOrder => ({
  brokerOrderId: orderId,
  status: 'open',
  quantity: 0,
  price: null,
  reason: null,
});

function orderIn(state: PaperAccount, orderId: string): BrokerOrder | null {
  if (state.waiting.some((order) => order.orderId === orderId)) return OPEN(orderId);
  const outcome: OrderOutcome | undefined = state.outcomes[orderId];
  if (!outcome) return null;
  const { quantity, price, reason } = outcome;
  return {
    brokerOrderId: orderId,
    status: 'ended',
    quantity,
    price,
    reason: reason === null ? null : (LAPSED[reason] ?? reason),
  };
}
