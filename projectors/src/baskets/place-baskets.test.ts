import type { DomainEvent } from '@quantloom/domain/kernel/event';
import { handleCommand, loadState, type StreamKind } from '@quantloom/domain/kernel/handle-command';
import { derivedId } from '@quantloom/domain/kernel/ids';
import { isRefusal } from '@quantloom/domain/kernel/refusal';
import { paperStream } from '@quantloom/domain/paper/account';
import { type BasketDocument, basketId, basketStream, isOrderOpen } from '@quantloom/domain/paper/basket';
import type { DataSetManifest } from '@quantloom/domain/ports/market-data';
import { DependencyAwayError } from '@quantloom/domain/ports/outages';
import type { BrokerFailure, BrokerOrder, PaperBroker, Placed } from '@quantloom/domain/ports/paper-broker';
import type { ReadModels } from '@quantloom/domain/ports/read-models';
import { MemoryEventStore } from '@quantloom/domain/testing/memory-event-store';
import { USER_STREAM } from '@quantloom/domain/user/user';
import { expect, it } from 'vitest';
import { startPlacingBaskets } from './place-baskets.ts';

const NIGHT = { userId: 'ada', number: 1, day: '2026-11-20' };
const APPROVED_AT = '2026-11-20T23:30:00.000Z';
const FAILED: BrokerFailure = { kind: 'failed', reason: 'It is away', retryAfterMs: 30_000 };
const orderOf = (orderId: string, status: BrokerOrder['status'] = 'open'): BrokerOrder => ({
  brokerOrderId: `at-${orderId}`,
  status,
  quantity: status === 'ended' ? 1 : 0,
  price: status === 'ended' ? 10 : null,
  reason: null,
});

/**
 * A night with two orders of Ada, and a broker that does what the test says. Passes come when the test asks
 * for them.
 */
async function rig() {
  const eventStore = new MemoryEventStore();
  let time = Date.parse(APPROVED_AT);
  let commands = 0;
  const asked: string[] = [];
  const errors: string[] = [];
  const days: string[] = [];
  const market = { lastDay: NIGHT.day, approvedAt: APPROVED_AT };
  const answers = {
    place: async (id: string): Promise<Placed> => ({ kind: 'taken', order: orderOf(id) }),
    find: async (id: string): Promise<BrokerOrder | null | BrokerFailure> => orderOf(id),
  };
  const broker: PaperBroker = {
    account: async () => FAILED,
    place: async ({ orderId, day }) => {
      asked.push(`place ${orderId}`);
      days.push(day);
      return await answers.place(orderId);
    },
    find: async (orderId) => {
      asked.push(`find ${orderId}`);
      return await answers.find(orderId);
    },
  };
  async function act<Command, State, Event extends DomainEvent>(
    kind: StreamKind<Command, State, Event>,
    id: string,
    command: Command,
  ) {
    commands += 1;
    const commandId = derivedId(commands, 'test', String(commands));
    const actor = { kind: 'system', name: 'test' } as const;
    const context = { commandId, correlationId: commandId, actor, now: APPROVED_AT };
    const result = await handleCommand(eventStore, kind, id, command, context);
    if (isRefusal(result)) throw new Error(result.detail);
    return result.state;
  }
  const terms = {
    broker: 'own' as const,
    strategyIds: ['s'],
    isFractional: false,
    cash: 10_000,
    slippageBps: 0,
    startDay: NIGHT.day,
    sealedKey: null,
    keyHint: null,
  };
  const approve = async (userId: string, orderIds: readonly string[]) => {
    const night = { ...NIGHT, userId };
    await act(paperStream, userId, { type: 'OpenPaperAccount', userId, terms });
    const orders = orderIds.map((id) => ({
      id,
      ticker: 'SPY',
      side: 'buy' as const,
      quantity: 1,
      close: 10,
    }));
    const basket = { ...night, broker: 'own' as const, decisions: [], orders };
    await act(basketStream, basketId(night), { type: 'ApproveBasket', basket });
    return basketId(night);
  };
  const baskets: string[] = [];
  const stateOf = async (id: string) => (await loadState(eventStore, basketStream, id)).state;
  const readModels = {
    ensureCollection: async () => undefined,
    find: async () => {
      const found: Partial<BasketDocument>[] = [];
      for (const id of baskets) {
        const state = await stateOf(id);
        if (state?.orders.some(isOrderOpen))
          found.push({ ...state, id, approvedAt: market.approvedAt, isOpen: true });
      }
      return found;
    },
  } as unknown as ReadModels;
  const placing = await startPlacingBaskets({
    eventStore,
    readModels,
    marketData: { current: async () => ({ lastDay: market.lastDay }) as DataSetManifest },
    brokers: { open: () => broker },
    clock: { now: () => new Date(time) },
    log: { info: () => {}, warn: () => {}, error: (_fields, message) => errors.push(message) },
    lookEveryMs: 1e9,
  });
  // The one that it begins with finds nothing yet.
  await placing.pass();
  baskets.push(await approve('ada', ['o1', 'o2']));
  return {
    answers,
    asked,
    days,
    errors,
    market,
    placing,
    act,
    terms,
    approve: async (userId: string, orderIds: readonly string[]) => {
      baskets.push(await approve(userId, orderIds));
    },
    /** What the broker is asked by one pass, so long after the last one. */
    look: async (afterMs = 0) => {
      time += afterMs;
      asked.length = 0;
      await placing.pass();
      return [...asked];
    },
    statuses: async () =>
      (await stateOf(baskets[0] ?? ''))?.orders.map(({ status, reason }) => [status, reason]),
  };
}

it('hands over what was approved, and asks a minute later what became of it', async () => {
  const { look, statuses, answers, placing } = await rig();
  expect(await look()).toEqual(['place o1', 'place o2']);
  expect(await statuses()).toEqual([
    ['taken', null],
    ['taken', null],
  ]);
  expect(await look(59_999)).toEqual([]);
  answers.find = async (id) => orderOf(id, id === 'o1' ? 'ended' : 'open');
  expect(await look(1)).toEqual(['find o1', 'find o2']);
  answers.find = async (id) => orderOf(id, 'ended');
  expect(await look(60_000)).toEqual(['find o2']);
  expect(await statuses()).toEqual([
    ['ended', null],
    ['ended', null],
  ]);
  expect(await look(60_000)).toEqual([]);
  await placing.close();
});

it('asks a broker that is away when it said that it may, and the brokers of others meanwhile', async () => {
  const { look, answers, approve, placing } = await rig();
  answers.place = async () => FAILED;
  expect(await look()).toEqual(['place o1']);
  await approve('bob', ['o3']);
  expect(await look(29_999)).toEqual(['place o3']);
  expect(await look(1)).toEqual(['place o1']);
  await placing.close();
});

it('looks again at once where nothing is waited for, and after an error, which is logged', async () => {
  const { look, answers, errors, statuses, placing } = await rig();
  answers.place = async (id) => {
    if (id === 'o2') throw new Error('This process stumbled');
    return { kind: 'refused', reason: 'It knows no SPY' };
  };
  expect(await look()).toEqual(['place o1', 'place o2']);
  expect(errors).toHaveLength(1);
  answers.place = async () => ({ kind: 'refused', reason: 'It has closed' });
  expect(await look()).toEqual(['place o2']);
  expect(await statuses()).toEqual([
    ['refused', 'It knows no SPY'],
    ['refused', 'It has closed'],
  ]);
  await placing.close();
});

it('stops for a server that is away without a word, and goes on where it was', async () => {
  const { look, answers, errors, placing } = await rig();
  answers.place = async () => {
    throw new DependencyAwayError('readModels', 'it has not answered');
  };
  expect(await look()).toEqual(['place o1']);
  expect(errors).toEqual([]);
  answers.place = async () => ({ kind: 'refused', reason: 'It has closed' });
  expect(await look()).toEqual(['place o1', 'place o2']);
  await placing.close();
});

it('sends nothing after the close that was to fill it, but looks for what was taken', async () => {
  const { look, answers, market, statuses, placing } = await rig();
  market.lastDay = '2026-11-23';
  answers.find = async (id) => (id === 'o1' ? orderOf(id, 'ended') : null);
  expect(await look()).toEqual(['find o1', 'find o2']);
  expect(await statuses()).toEqual([
    ['ended', null],
    ['refused', 'It was not sent before the next close, and is too late now'],
  ]);
  await placing.close();
});

it('says of an order that a broker has lost that it is not known any more', async () => {
  const { look, answers, statuses, placing } = await rig();
  await look();
  answers.find = async () => null;
  await look(60_000);
  const lost = ['refused', 'The broker does not know the order any more'];
  expect(await statuses()).toEqual([lost, lost]);
  await placing.close();
});

it.each(['closed', 'opened anew'])('sends no order of an account that was %s since', async (then) => {
  const { look, statuses, act, terms, placing } = await rig();
  await act(paperStream, 'ada', { type: 'ClosePaperAccount', userId: 'ada' });
  if (then === 'opened anew')
    await act(paperStream, 'ada', { type: 'OpenPaperAccount', userId: 'ada', terms });
  expect(await look()).toEqual([]);
  const refused = ['refused', 'The paper account was closed'];
  expect(await statuses()).toEqual([refused, refused]);
  await placing.close();
});

it('sends orders of somebody who is here, and none once the account is erased', async () => {
  const { look, statuses, act, placing } = await rig();
  await act(USER_STREAM, 'ada', {
    type: 'RegisterUser',
    ...{ userId: 'ada', subject: 'sub-ada', email: 'ada@example.org', planId: 'free', grantedFeatures: [] },
  });
  expect(await look()).toEqual(['place o1', 'place o2']);
  await act(USER_STREAM, 'ada', { type: 'RequestDeletion', eraseAt: APPROVED_AT });
  // The paper account stays open, as it did for those who left before erasures closed it.
  expect(await look(60_000)).toEqual(['find o1', 'find o2']);
  await act(USER_STREAM, 'ada', { type: 'EraseAccount', now: APPROVED_AT });
  expect(await look(60_000)).toEqual([]);
  const refused = ['refused', 'The paper account was closed'];
  expect(await statuses()).toEqual([refused, refused]);
  await placing.close();
});

it.each(['ends', 'fails'])(
  'begins no further order once it is told to end, and says nothing of one that %s then',
  async (then) => {
    const { look, answers, asked, errors, placing } = await rig();
    const begun = Promise.withResolvers<void>();
    const answer = Promise.withResolvers<Placed>();
    answers.place = () => {
      begun.resolve();
      return answer.promise;
    };
    const looking = look();
    await begun.promise;
    const closing = placing.close();
    if (then === 'ends') answer.resolve({ kind: 'taken', order: orderOf('o1') });
    else answer.reject(new Error('The database is closed'));
    await Promise.all([looking, closing]);
    expect(asked).toEqual(['place o1']);
    expect(errors).toEqual([]);
  },
);

it('has orders filled at the first close that nobody knew when they were approved', async () => {
  const { look, days, market, placing } = await rig();
  // On Tuesday morning: Monday's close is known by then.
  market.approvedAt = '2026-11-24T10:00:00.000Z';
  market.lastDay = '2026-11-23';
  expect(await look()).toEqual(['place o1', 'place o2']);
  expect(days).toEqual(['2026-11-23', '2026-11-23']);
  await placing.close();
});
