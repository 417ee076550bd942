import { handleCommand, loadState } from '@quantloom/domain/kernel/handle-command';
import { derivedId } from '@quantloom/domain/kernel/ids';
import { isRefusal } from '@quantloom/domain/kernel/refusal';
import { paperStream } from '@quantloom/domain/paper/account';
import {
  type BasketCommand,
  type BasketDocument,
  basketStream,
  basketsProjection,
  filledAfter,
  isOrderOpen,
  type OrderState,
} from '@quantloom/domain/paper/basket';
import type { Clock } from '@quantloom/domain/ports/clock';
import type { EventStore } from '@quantloom/domain/ports/event-store';
import type { Log } from '@quantloom/domain/ports/log';
import type { MarketData } from '@quantloom/domain/ports/market-data';
import { awayIn } from '@quantloom/domain/ports/outages';
import {
  type BrokerFailure,
  type BrokerOrder,
  isBrokerFailure,
  type PaperBroker,
  type PaperBrokers,
} from '@quantloom/domain/ports/paper-broker';
import type { ReadModels } from '@quantloom/domain/ports/read-models';
import { USER_STREAM } from '@quantloom/domain/user/user';
import { pagesOf } from '../processes/open-batches.ts';
import { startPasses } from '../runtime/passes.ts';

/** How often approved orders are looked for. */
const LOOK_EVERY_MS = 5_000;
/** How often a broker is asked what became of an order that it has: fills come once a day. */
const ASK_EVERY_MS = 60_000;
/** Baskets that are looked after side by side: a broker that is slow holds up an eighth of the others at most. */
const SIDE_BY_SIDE = 8;

export interface BasketDeps {
  readonly eventStore: EventStore;
  readonly readModels: ReadModels;
  readonly marketData: Pick<MarketData, 'current'>;
  readonly brokers: Pick<PaperBrokers, 'open'>;
  readonly clock: Clock;
  readonly log: Log;
  readonly lookEveryMs?: number;
}

export interface PlacingBaskets {
  /** Sends what is approved, and asks what became of it, now. May be called by several processes at a time. */
  pass(): Promise<void>;
  close(): Promise<void>;
}

/** Milliseconds since the epoch before which a basket is left alone, by its id. */
type Pauses = Map<string, number>;

/**
 * Hands approved orders over to their brokers and writes down what became of them. Nothing is kept that a
 * lost process would take with it: an order that was sent and not written down is sent again under the same
 * id, which every broker takes once.
 */
export async function startPlacingBaskets(deps: BasketDeps): Promise<PlacingBaskets> {
  await deps.readModels.ensureCollection(basketsProjection.collection);
  const pauses: Pauses = new Map();
  return startPasses((signal) => passOnce(deps, pauses, signal), {
    everyMs: deps.lookEveryMs ?? LOOK_EVERY_MS,
    log: deps.log,
    failure: 'approved orders were not looked after; it is tried again',
  });
}

async function passOnce(deps: BasketDeps, pauses: Pauses, signal: AbortSignal): Promise<void> {
  const { name } = basketsProjection.collection;
  for await (const page of pagesOf<BasketDocument>(deps.readModels, name, { isOpen: true })) {
    const rest = page.filter(({ id }) => (pauses.get(id) ?? 0) <= deps.clock.now().getTime());
    const work = async () => {
      for (let basket = rest.shift(); basket && !signal.aborted; basket = rest.shift()) {
        try {
          const wait = await lookAfter(deps, basket, signal);
          pauses.set(basket.id, deps.clock.now().getTime() + wait);
        } catch (error) {
          // The others cannot be looked after either.
          if (signal.aborted || awayIn(error)) return;
          deps.log.error({ err: error, basket: basket.id }, 'the orders of a night were not looked after');
        }
      }
    };
    await Promise.all(Array.from({ length: SIDE_BY_SIDE }, work));
  }
}

/** Resolves with the milliseconds after which it is worth another look. */
async function lookAfter(
  deps: BasketDeps,
  { id, approvedAt }: BasketDocument,
  signal: AbortSignal,
): Promise<number> {
  const { state: basket } = await loadState(deps.eventStore, basketStream, id);
  if (!basket) return 0;
  const { state: account } = await loadState(deps.eventStore, paperStream, basket.userId);
  const note = (command: BasketCommand & { readonly orderId: string }) => send(deps, id, command);
  const open = basket.orders.filter(isOrderOpen);
  const isClosed = account.status !== 'open' || account.number !== basket.number;
  if (isClosed || !account.terms || (await hasLeft(deps.eventStore, basket.userId))) {
    // What a broker has taken is its own business from here on.
    for (const { id: orderId } of open)
      await note({ type: 'NoteRefused', orderId, reason: 'The paper account was closed' });
    return 0;
  }
  const broker = deps.brokers.open({ userId: basket.userId, ...account.terms });
  const day = filledAfter(basket, approvedAt);
  const isOver = (await deps.marketData.current()).lastDay > day;
  let wait = 0;
  for (const order of open) {
    if (signal.aborted) return 0;
    const result = await step(broker, order, day, isOver);
    if (isBrokerFailure(result)) return result.retryAfterMs;
    if (result === null) {
      const reason = 'It was not sent before the next close, and is too late now';
      await note({ type: 'NoteRefused', orderId: order.id, reason });
    } else if ('refused' in result)
      await note({ type: 'NoteRefused', orderId: order.id, reason: result.refused });
    else if (result.status === 'ended') {
      const { quantity, price, reason } = result;
      await note({ type: 'NoteEnded', orderId: order.id, quantity, price, reason });
    } else {
      wait = ASK_EVERY_MS;
      if (order.status === 'approved')
        await note({ type: 'NoteTaken', orderId: order.id, brokerOrderId: result.brokerOrderId });
    }
  }
  return wait;
}

/** Whether the account of a person was erased: those of before erasures closed paper accounts left theirs open. */
async function hasLeft(eventStore: EventStore, userId: string): Promise<boolean> {
  const { state, revision } = await loadState(eventStore, USER_STREAM, userId);
  return state.status === 'none' && revision >= 0;
}

/** One order a step further; null: it never reached the broker, and its close has passed. */
async function step(
  broker: PaperBroker,
  { id: orderId, ticker, side, quantity, status }: OrderState,
  day: string,
  isOver: boolean,
): Promise<BrokerOrder | { readonly refused: string } | BrokerFailure | null> {
  if (status === 'taken') {
    const found = await broker.find(orderId);
    return found ?? { refused: 'The broker does not know the order any more' };
  }
  // Another close would fill it than the one that it was approved for; but it may have been taken.
  if (isOver) return await broker.find(orderId);
  const placed = await broker.place({ orderId, ticker, side, quantity, day });
  if (placed.kind === 'taken') return placed.order;
  return placed.kind === 'refused' ? { refused: placed.reason } : placed;
}

async function send(
  { eventStore, clock }: BasketDeps,
  basket: string,
  command: BasketCommand & { readonly orderId: string },
): Promise<void> {
  const commandId = derivedId(0, 'basket', basket, JSON.stringify(command));
  const result = await handleCommand(eventStore, basketStream, basket, command, {
    commandId,
    correlationId: commandId,
    actor: { kind: 'system', name: 'baskets' },
    now: clock.now().toISOString(),
  });
  if (isRefusal(result)) throw new Error(result.detail);
}
