import type { Probe } from '@quantloom/adapters/outages/breaker';
import type { BusMessage, MessageBus, MessageContext } from '@quantloom/domain/ports/message-bus';
import { DependencyAwayError } from '@quantloom/domain/ports/outages';
import { expect, it, vi } from 'vitest';
import { openOutages, patientBus } from './outages.ts';
import { outageSentence } from './readiness.ts';

const log = () => {
  const lines: string[] = [];
  const say = (_: object, message: string) => void lines.push(message);
  return { lines, warn: say, info: say };
};

function away() {
  let isThere = false;
  const probe: Probe = {
    check: async () => {
      if (!isThere) throw new Error('ClickHouse is not reached');
    },
    close: async () => {},
  };
  return {
    probe,
    comeBack: () => {
      isThere = true;
    },
  };
}

/** A bus of which only the handler that was subscribed matters. */
function handlerOf(bus: (inner: MessageBus) => MessageBus, handler: () => Promise<void>) {
  let subscribed: ((message: BusMessage, context: MessageContext) => Promise<void>) | undefined;
  const inner = {
    subscribe: async (_: unknown, given: typeof subscribed) => {
      subscribed = given;
      return { pause() {}, resume() {}, close: async () => {} };
    },
  } as unknown as MessageBus;
  void bus(inner).subscribe({ group: 'g', topics: ['t'] }, handler);
  return (context: MessageContext) => subscribed?.({} as BusMessage, context);
}

it('keeps a message while a server is away and handles it again when it is back, with a line for each', async () => {
  const { lines, ...say } = log();
  const outages = openOutages(say as never);
  const { probe, comeBack } = away();
  const breaker = outages.breaker('results', probe, () => true);
  await breaker.probe();
  const handler = vi
    .fn<() => Promise<void>>()
    .mockRejectedValueOnce(new DependencyAwayError('results', 'not reached'))
    .mockResolvedValue();
  const deliver = handlerOf((inner) => patientBus(inner, outages), handler);
  const handled = deliver({ signal: new AbortController().signal, heartbeat: async () => {} });
  await vi.waitFor(() => expect(handler).toHaveBeenCalledTimes(1), 10_000);
  expect(outages.current()).toMatchObject([{ dependency: 'results', reason: 'ClickHouse is not reached' }]);
  comeBack();
  await handled;
  expect(handler).toHaveBeenCalledTimes(2);
  expect(lines).toEqual([
    'The results store is away (ClickHouse is not reached); what needs it waits until it is back',
    expect.stringMatching(/^The results store is back after \d+ s; what waited goes on$/),
  ]);
  await outages.close();
});

it('waits for the threads of the process where they are needed, and not where a server was away', async () => {
  const outages = openOutages();
  const { probe, comeBack } = away();
  const breaker = outages.breaker('threads', probe, () => false);
  await breaker.probe();
  const { signal } = new AbortController();
  await outages.untilBack(signal);
  await outages.untilBack(signal, new DependencyAwayError('results', 'not reached'));
  const handler = vi
    .fn<() => Promise<void>>()
    .mockRejectedValueOnce(new DependencyAwayError('threads', 'none starts'))
    .mockImplementation(async () => expect(outages.current()).toEqual([]));
  const deliver = handlerOf((inner) => patientBus(inner, outages), handler);
  const handled = deliver({ signal, heartbeat: async () => {} });
  await vi.waitFor(() => expect(handler).toHaveBeenCalledTimes(1), 10_000);
  // A message is held for half a second at least.
  setTimeout(comeBack, 1_000);
  await handled;
  expect(handler).toHaveBeenCalledTimes(2);
  await outages.close();
});

it('tells of a server that lives and refuses work as of an outage, once, and lets it be tried until it is taken', async () => {
  const { lines, ...say } = log();
  const outages = openOutages(say as never);
  const alive: Probe = { check: async () => {}, close: async () => {} };
  const breaker = outages.breaker('results', alive, () => true);
  let hasRoom = false;
  const handler = vi.fn(() =>
    breaker.run(async () => {
      if (!hasRoom) throw new Error('there is no room');
    }, 'append'),
  );
  const deliver = handlerOf((inner) => patientBus(inner, outages), handler);
  const handled = deliver({ signal: new AbortController().signal, heartbeat: async () => {} });
  await vi.waitFor(() => expect(outages.current()).toHaveLength(1), 20_000);
  expect(outages.current()).toMatchObject([{ dependency: 'results', reason: 'there is no room' }]);
  expect(await outageSentence(outages)).toMatch(
    /^Results store refuses work since [\d:]+ UTC \(there is no room\)$/,
  );
  const tries = handler.mock.calls.length;
  await vi.waitFor(() => expect(handler.mock.calls.length).toBeGreaterThan(tries), 20_000);
  hasRoom = true;
  await handled;
  await vi.waitFor(() => expect(outages.current()).toEqual([]), 20_000);
  expect(lines).toEqual([
    'The results store answers, but refuses work (there is no room); what needs it is tried again until it is taken',
    expect.stringMatching(/^The results store refuses work no more, after \d+ s; what waited goes on$/),
  ]);
  await outages.close();
});

it('passes a failure of the handler on, and gives a message up that is somebody else’s by now', async () => {
  const outages = openOutages();
  const abort = new AbortController();
  const context = { signal: abort.signal, heartbeat: async () => {} };
  const failing = handlerOf(
    (inner) => patientBus(inner, outages),
    () => Promise.reject(new Error('a defect')),
  );
  await expect(failing(context)).rejects.toThrow('a defect');
  const held = handlerOf(
    (inner) => patientBus(inner, outages),
    () => Promise.reject(new DependencyAwayError('bus', 'not reached')),
  );
  abort.abort();
  await expect(held(context)).rejects.toMatchObject({ code: 'dependency_away' });
});

it('tells the operator of a message that goes to the dead letters, and of none that comes again', async () => {
  const told: unknown[] = [];
  const subscribed: ((message: BusMessage, context: MessageContext) => Promise<void>)[] = [];
  const inner = {
    subscribe: async (_: unknown, handler: (typeof subscribed)[number]) => void subscribed.push(handler),
  } as unknown as MessageBus;
  const bus = patientBus(inner, openOutages(), {
    error: (fields: object) => void told.push(fields),
  } as never);
  const fail = () => Promise.reject(new Error('a defect'));
  await bus.subscribe({ group: 'g', topics: ['t'] }, fail);
  await bus.subscribe({ group: 'few', topics: ['t'], maxDeliveries: 2 }, fail);
  const abort = new AbortController();
  const context = { signal: abort.signal, heartbeat: async () => {} };
  const deliver = (to: number, deliveryAttempt: number) =>
    subscribed[to]?.({ topic: 't', key: 'k', deliveryAttempt } as BusMessage, context);
  for (const [to, attempt] of [
    [0, 4],
    [1, 1],
  ] as const)
    await expect(deliver(to, attempt)).rejects.toThrow('a defect');
  expect(told).toEqual([]);
  await expect(deliver(0, 5)).rejects.toThrow('a defect');
  await expect(deliver(1, 2)).rejects.toThrow('a defect');
  expect(told).toMatchObject([
    { topic: 't', key: 'k', group: 'g' },
    { topic: 't', key: 'k', group: 'few' },
  ]);
  // Somebody else's by now.
  abort.abort();
  await expect(deliver(0, 5)).rejects.toThrow('a defect');
  expect(told).toHaveLength(2);
});

it('shows signs of life while it keeps a message, and none of those afterwards', async () => {
  vi.useFakeTimers();
  try {
    let beats = 0;
    const handler = vi
      .fn<() => Promise<void>>()
      .mockRejectedValueOnce(new DependencyAwayError('results', 'not reached'))
      .mockResolvedValue();
    const outages = {
      current: () => [],
      untilBack: () => new Promise<void>((resolve) => setTimeout(resolve, 3_000)),
    };
    const context = {
      signal: new AbortController().signal,
      heartbeat: async () => {
        beats += 1;
      },
    };
    const handled = handlerOf((inner) => patientBus(inner, outages), handler)(context);
    await vi.advanceTimersByTimeAsync(4_000);
    await handled;
    expect([handler.mock.calls.length, beats]).toEqual([2, 3]);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(beats).toBe(3);
  } finally {
    vi.useRealTimers();
  }
});
