import { TOPICS } from '@quantloom/domain/contracts/messages/topics';
import type {
  BusMessage,
  MessageBus,
  MessageContext,
  OutgoingMessage,
} from '@quantloom/domain/ports/message-bus';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { evaluatorsOnBus, startEvaluating } from './evaluation-jobs.ts';

const ASKED = { strategyId: 's1', dataVersion: 'v2', round: 3 };
const MINUTE_MS = 60_000;

describe('evaluators on the bus', () => {
  const published: OutgoingMessage[] = [];
  let lag = 0;
  const bus = {
    ensureTopics: async () => {},
    publish: async (_topic: string, messages: readonly OutgoingMessage[]) => void published.push(...messages),
    lag: async () => lag,
  } as unknown as MessageBus;

  it('are busy with a single strategy that waits, and not with none', async () => {
    const { areBusy } = await evaluatorsOnBus(bus);
    expect(await areBusy()).toBe(false);
    lag = 1;
    expect(await areBusy()).toBe(true);
  });

  it('are asked for the same evaluation under the same id, and for any other one under another', async () => {
    const { ask } = await evaluatorsOnBus(bus);
    await ask(
      [
        ASKED,
        { ...ASKED },
        { ...ASKED, strategyId: 's2' },
        { ...ASKED, dataVersion: 'v3' },
        { ...ASKED, round: 4 },
      ],
      new AbortController().signal,
    );
    expect(published.map(({ key }) => key)).toEqual(['s1', 's1', 's2', 's1', 's1']);
    const ids = published.map(({ headers }) => JSON.stringify(headers));
    expect(ids[1]).toBe(ids[0]);
    expect(new Set(ids).size).toBe(4);
  });
});

describe('an evaluation that is under way', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  /** One that ends when `finish` is called, since other prices have come by then, or when `fail` is. */
  async function begun(value: unknown = ASKED) {
    const current = Promise.withResolvers<{ readonly version: string }>();
    let handle = async (_message: BusMessage, _context: MessageContext): Promise<void> => {};
    const bus = {
      ensureTopics: async () => {},
      subscribe: async (_options: unknown, handler: typeof handle) => {
        handle = handler;
      },
    } as unknown as MessageBus;
    const deps = { bus, marketData: { current: () => current.promise } };
    await startEvaluating(deps as unknown as Parameters<typeof startEvaluating>[0]);
    const beats = { count: 0 };
    const heartbeat = async () => {
      beats.count += 1;
    };
    const { name: topic } = TOPICS.evaluations;
    const message = { topic, partition: 1, offset: 7n, key: 's1', value, headers: {}, deliveryAttempt: 1 };
    const ended = handle(message, { signal: new AbortController().signal, heartbeat });
    const finish = () => current.resolve({ version: 'another' });
    return { beats, ended, finish, fail: () => current.reject(new Error('The disk is full')) };
  }

  it('gives a sign of life every five seconds for half an hour, and none after that', async () => {
    const { beats, ended, finish } = await begun();
    await vi.advanceTimersByTimeAsync(MINUTE_MS);
    expect(beats.count).toBe(12);
    await vi.advanceTimersByTimeAsync(29 * MINUTE_MS);
    // The one at the end of half an hour is too late.
    expect(beats.count).toBe(359);
    await vi.advanceTimersByTimeAsync(30 * MINUTE_MS);
    expect(beats.count).toBe(359);
    finish();
    await ended;
  });

  it.each(['ends', 'fails'])('gives no sign of life any more once it %s', async (how) => {
    const { beats, ended, finish, fail } = await begun();
    await vi.advanceTimersByTimeAsync(5_000);
    if (how === 'ends') finish();
    else fail();
    await ended.catch(() => {});
    await vi.advanceTimersByTimeAsync(MINUTE_MS);
    expect(beats.count).toBe(1);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('is told apart from what nobody can read, by the place where that stands', async () => {
    const { ended } = await begun({ ...ASKED, round: -1 });
    await expect(ended).rejects.toThrow(`${TOPICS.evaluations.name}/1@7`);
  });
});
