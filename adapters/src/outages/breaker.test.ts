import { awayIn, DependencyAwayError } from '@quantloom/domain/ports/outages';
import { describe, expect, it, vi } from 'vitest';
import { Breaker } from './breaker.ts';
import { guarded } from './guard.ts';

class NetworkError extends Error {}

const LIMIT_MS = 30;

/** A server that is there, refuses, or says nothing. */
function server(
  options: { streamPatienceMs?: number; refusalPatienceMs?: number; refusalMemoryMs?: number } = {},
) {
  let state: 'there' | 'refusing' | 'frozen' | 'slow' = 'there';
  const told: string[] = [];
  const gate = { open: Promise.withResolvers<void>() };
  const answer = async (signal?: AbortSignal) => {
    if (state === 'refusing') throw new NetworkError('connection refused');
    if (state === 'slow') await new Promise((resolve) => setTimeout(resolve, 2 * LIMIT_MS));
    if (state === 'frozen')
      await new Promise<void>((resolve, reject) => {
        void gate.open.promise.then(resolve);
        signal?.addEventListener('abort', () => reject(new Error('aborted')));
      });
  };
  const breaker = new Breaker({
    dependency: 'results',
    probe: { check: (signal) => answer(signal), close: async () => {} },
    isOutage: (error) => error instanceof NetworkError,
    patienceMs: 5,
    probeLimitMs: LIMIT_MS,
    probeEveryMs: 5,
    ...options,
    onAway: ({ reason }) => told.push(`away: ${reason}`),
    onBack: () => told.push('back'),
  });
  return {
    breaker,
    told,
    call: () => answer(),
    become: (next: typeof state) => {
      state = next;
      if (next === 'there') gate.open.resolve();
      else gate.open = Promise.withResolvers<void>();
    },
  };
}

describe('a breaker', () => {
  it('passes answers and errors on while the server is there', async () => {
    const { breaker, told } = server();
    expect(await breaker.run(async () => 7)).toBe(7);
    await expect(breaker.run(async () => Promise.reject(new Error('a wrong query')))).rejects.toThrow(
      'a wrong query',
    );
    expect(told).toEqual([]);
    await breaker.close();
  });

  it('takes for a sign of life what the server took time for, not what may come from a memory', async () => {
    let now = 10_000;
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => now);
    const { breaker, become } = server();
    const taking = (milliseconds: number) =>
      breaker.run(async () => {
        now += milliseconds;
      });
    become('refusing');
    await taking(5);
    expect(await breaker.look()).toBe(true);
    now += 1_000;
    await taking(4);
    expect(await breaker.look()).toBe(false);
    clock.mockRestore();
    await breaker.close();
  });

  it('makes of a refused connection an outage that lasts until the server answers', async () => {
    const { breaker, told, call, become } = server();
    become('refusing');
    const error = await breaker.run(call).catch((caught: unknown) => caught);
    expect(awayIn(error)).toBeInstanceOf(DependencyAwayError);
    expect(String(error)).toContain('The results store is away: connection refused');
    const untouched = vi.fn(call);
    await expect(breaker.run(untouched)).rejects.toMatchObject({ code: 'dependency_away' });
    expect(untouched).not.toHaveBeenCalled();
    become('there');
    await breaker.untilBack(new AbortController().signal);
    await expect(breaker.run(call)).resolves.toBeUndefined();
    expect(told).toEqual(['away: connection refused', 'back']);
    await breaker.close();
  });

  it('gives up calls that a frozen server holds, and lets long ones be while it lives', async () => {
    const { breaker, told, call, become } = server();
    const slow = Promise.withResolvers<string>();
    const long = breaker.run(() => slow.promise);
    await vi.waitFor(async () => expect(await breaker.probe()).toBe(true), 10_000);
    slow.resolve('after a while');
    expect(await long).toBe('after a while');
    become('frozen');
    await expect(breaker.run(call)).rejects.toMatchObject({ code: 'dependency_away' });
    expect(breaker.outage?.reason).toContain('has not answered');
    become('there');
    await breaker.untilBack(new AbortController().signal);
    expect(told[0]).toContain('away');
    expect(told.at(-1)).toBe('back');
    await breaker.close();
  });

  it('learns how slow a server is on a busy machine: it is not away again and again', async () => {
    const { breaker, told, become } = server();
    become('slow');
    await breaker.probe();
    await breaker.untilBack(new AbortController().signal);
    // It took twice the limit, and is known for it now.
    expect(await breaker.probe()).toBe(true);
    expect(await breaker.probe()).toBe(true);
    expect(told.filter((line) => line === 'back').length).toBeLessThan(2);
    become('frozen');
    expect(await breaker.probe()).toBe(false);
    become('there');
    await breaker.close();
  });

  it('says of one that is away that it is, without waiting as long as it may take to come back', async () => {
    const { breaker, call, become } = server();
    become('frozen');
    await expect(breaker.run(call)).rejects.toMatchObject({ code: 'dependency_away' });
    const asked = breaker.probe();
    let hasAnswered = false;
    void asked.then(() => {
      hasAnswered = true;
    });
    expect(await breaker.look()).toBe(false);
    expect(hasAnswered).toBe(false);
    become('there');
    expect(await asked).toBe(true);
    expect(await breaker.look()).toBe(true);
    await breaker.close();
  });

  it('takes an answer to anybody for a sign of life', async () => {
    const { breaker, told, call, become } = server();
    become('frozen');
    const answers = { stop: false };
    const busy = async () => {
      while (!answers.stop) await breaker.run(() => new Promise((resolve) => setTimeout(resolve, 8)));
    };
    const others = busy();
    const long = breaker.run(call);
    long.catch(() => undefined);
    expect(await breaker.probe()).toBe(true);
    expect(told).toEqual([]);
    answers.stop = true;
    await others;
    // Nobody is answered any more: now it is away.
    await expect(long).rejects.toMatchObject({ code: 'dependency_away' });
    become('there');
    await breaker.close();
  });

  it('is no outage for good where a single call fails on a server that lives', async () => {
    const { breaker, told } = server();
    const error = await breaker
      .run(async () => Promise.reject(new NetworkError('no room')))
      .catch((caught: unknown) => caught);
    expect(awayIn(error)?.message).toContain('no room');
    expect(breaker.outage).toBeNull();
    expect(told).toEqual([]);
    await breaker.close();
  });

  it('is an outage in part where one kind of call is refused for long, until that one is taken', async () => {
    const { breaker, told } = server({ refusalPatienceMs: 40, refusalMemoryMs: 60_000 });
    let hasRoom = false;
    const port = guarded(
      {
        append: async () => {
          if (!hasRoom) throw new NetworkError('no room');
        },
        read: async () => 'rows',
      },
      breaker,
    );
    await expect(port.append()).rejects.toMatchObject({ code: 'dependency_away' });
    expect(breaker.trouble).toBeNull();
    await new Promise((resolve) => setTimeout(resolve, 45));
    await expect(port.append()).rejects.toMatchObject({ code: 'dependency_away' });
    expect(breaker.trouble).toMatchObject({ isPartial: true, reason: 'no room' });
    expect(told).toEqual(['away: no room']);
    // What it does not refuse goes on, and says nothing about the rest.
    expect(await port.read()).toBe('rows');
    expect(breaker.outage).toBeNull();
    expect(breaker.trouble).not.toBeNull();
    hasRoom = true;
    await new Promise((resolve) => setTimeout(resolve, 15));
    await port.append();
    expect(breaker.trouble).toBeNull();
    expect(told).toEqual(['away: no room', 'back']);
    await breaker.close();
  });

  it('stays one in part where a call is taken right after others were refused', async () => {
    vi.useFakeTimers();
    try {
      const { breaker, told } = server({ refusalPatienceMs: 2_000 });
      const refused = () =>
        expect(breaker.run(() => Promise.reject(new NetworkError('no room')), 'append')).rejects.toThrow();
      const taken = () => breaker.run(async () => 1, 'append');
      await refused();
      await vi.advanceTimersByTimeAsync(2_000);
      await refused();
      expect(told).toEqual(['away: no room']);
      await vi.advanceTimersByTimeAsync(499);
      await taken();
      expect(breaker.trouble).toMatchObject({ isPartial: true });
      await vi.advanceTimersByTimeAsync(1);
      await taken();
      expect(breaker.trouble).toBeNull();
      expect(told).toEqual(['away: no room', 'back']);
      await breaker.close();
    } finally {
      vi.useRealTimers();
    }
  });

  it('is one in part no more where nobody is refused any longer', async () => {
    const { breaker, told } = server({ refusalPatienceMs: 0, refusalMemoryMs: 30 });
    await breaker
      .run(async () => Promise.reject(new NetworkError('no room')), 'append')
      .catch(() => undefined);
    expect(breaker.trouble).not.toBeNull();
    await expect.poll(() => breaker.trouble).toBeNull();
    expect(told).toEqual(['away: no room', 'back']);
    await breaker.close();
  });

  it('waits for a server that is away while the process starts, and not any longer when that is up', async () => {
    const { breaker, told, call, become } = server();
    breaker.starts();
    become('refusing');
    const asked = vi.fn(call);
    const answer = breaker.run(asked);
    await vi.waitFor(() => expect(breaker.outage).not.toBeNull());
    // Another that begins while it is away does not even ask.
    const later = vi.fn(async () => 'later');
    const second = breaker.run(later);
    expect(later).not.toHaveBeenCalled();
    become('there');
    await answer;
    expect(await second).toBe('later');
    expect(asked.mock.calls.length).toBeGreaterThan(1);
    breaker.started();
    become('refusing');
    await expect(breaker.run(call)).rejects.toMatchObject({ code: 'dependency_away' });
    expect(told.slice(0, 2)).toEqual(['away: connection refused', 'back']);
    await breaker.close();
  });

  it('does nothing twice that must not be done twice, while the process starts either', async () => {
    const { breaker, call, become } = server();
    breaker.starts();
    become('refusing');
    const append = vi.fn(call);
    await expect(breaker.run(append, 'append', false)).rejects.toMatchObject({ code: 'dependency_away' });
    expect(append).toHaveBeenCalledTimes(1);
    await breaker.close();
  });

  it('opens what a frozen server holds up, however often that fails, while the process starts', async () => {
    const { breaker, told, become } = server();
    breaker.starts();
    become('frozen');
    let tries = 0;
    const opened = breaker.opened(async () => {
      tries += 1;
      await breaker.probe();
      if (breaker.outage) throw new NetworkError('no connection was made');
      return tries;
    });
    await vi.waitFor(() => expect(told[0]).toContain('away'));
    become('there');
    expect(await opened).toBeGreaterThan(1);
    await expect(breaker.opened(async () => Promise.reject(new Error('a wrong name')))).rejects.toThrow(
      'a wrong name',
    );
    breaker.started();
    await expect(
      breaker.opened(async () => Promise.reject(new NetworkError('no connection was made'))),
    ).rejects.toThrow('no connection was made');
    await breaker.close();
  });

  it('lets go of whoever waits when it closes or is not wanted any more', async () => {
    const { breaker, become } = server();
    become('refusing');
    await breaker.probe();
    const abort = new AbortController();
    const waiting = breaker.untilBack(abort.signal);
    const other = breaker.untilBack(new AbortController().signal);
    abort.abort();
    await waiting;
    await breaker.close();
    await other;
  });
});

it('guards every step of a stream, and ends it where the server goes away in between', async () => {
  const { breaker, call, become } = server();
  const port = guarded(
    {
      name: 'a port',
      async *numbers() {
        for (let number = 1; ; number += 1) {
          await call();
          yield number;
        }
      },
      free: async () => 'free',
    },
    breaker,
    { streams: ['numbers'], free: ['free'] },
  );
  const seen: number[] = [];
  const read = async () => {
    for await (const number of port.numbers()) {
      seen.push(number);
      if (number === 3) become('frozen');
    }
  };
  await expect(read()).rejects.toMatchObject({ code: 'dependency_away' });
  expect(seen).toEqual([1, 2, 3]);
  expect(await port.free()).toBe('free');
  await breaker.close();
});

describe('a file that has begun', () => {
  const fileOf = ({ breaker, call, become }: ReturnType<typeof server>) =>
    guarded(
      {
        async *rows() {
          for (let row = 1; row <= 5; row += 1) {
            if (row === 3) become('frozen');
            await call();
            yield row;
          }
        },
      },
      breaker,
      { files: ['rows'] },
    );

  it('goes on after an outage that is over soon', async () => {
    const clickhouse = server();
    const seen: unknown[] = [];
    const read = async () => {
      for await (const row of fileOf(clickhouse).rows()) seen.push(row);
    };
    const reading = read();
    await vi.waitFor(() => expect(clickhouse.breaker.outage).not.toBeNull());
    await expect(clickhouse.breaker.run(async () => 'another call')).rejects.toMatchObject({
      code: 'dependency_away',
    });
    clickhouse.become('there');
    await reading;
    expect(seen).toEqual([1, 2, 3, 4, 5]);
    await clickhouse.breaker.close();
  });

  it('is given up when the server stays away', async () => {
    const clickhouse = server({ streamPatienceMs: 2 * LIMIT_MS });
    const seen: unknown[] = [];
    const read = async () => {
      for await (const row of fileOf(clickhouse).rows()) seen.push(row);
    };
    await expect(read()).rejects.toMatchObject({ code: 'dependency_away' });
    expect(seen).toEqual([1, 2]);
    clickhouse.become('there');
    await clickhouse.breaker.close();
  });
});
