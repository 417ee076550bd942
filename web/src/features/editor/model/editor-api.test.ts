import { type ApiClient, ApiError } from '@quantloom/domain/contracts/http/client';
import type { TradingBot } from '@quantloom/domain/contracts/http/strategies';
import { newAlgorithm } from '@quantloom/domain/strategy/node-factory';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { queryClient, setApi } from '../../../lib/api.ts';
import { loadBot, saveBot } from './editor-api.ts';

let count = 0;
const algorithm = newAlgorithm(() => `node_${++count}`);
const base = {
  id: 'a',
  name: 'Mine',
  is_public: false,
  algorithm,
  revision: 3,
  tags: [],
} as unknown as TradingBot;
const input = {
  id: 'a',
  revision: 3,
  document: { name: 'Mine, renamed', isPublic: false, algorithm },
  base,
};

/** A server that has gone on to `now`; answers what it was asked to write on. */
function serverWith(now: TradingBot): (number | undefined)[] {
  const writtenOn: (number | undefined)[] = [];
  const call = async ({ method }: { method: string }, { ifMatch }: { ifMatch?: number }) => {
    if (method === 'GET') return now;
    writtenOn.push(ifMatch);
    if (ifMatch === now.revision) return { ...now, revision: now.revision + 1 };
    throw new ApiError(409, {
      error: 'It was changed',
      code: 'revision_conflict',
      currentRevision: now.revision,
    } as never);
  };
  setApi({ call } as unknown as ApiClient);
  return writtenOn;
}

it('saves on a later revision that only has other tags, or is archived', async () => {
  const writtenOn = serverWith({ ...base, tags: ['momentum'], revision: 5 } as TradingBot);
  expect((await saveBot(input)).revision).toBe(6);
  expect(writtenOn).toEqual([3, 5]);
});

it.each([
  ['name', { name: 'Renamed elsewhere' }],
  ['tree', { algorithm: { ...algorithm, name: 'Another' } }],
  ['visibility', { is_public: true }],
])('leaves a change of the %s to the person', async (_what, changed) => {
  const writtenOn = serverWith({ ...base, ...changed, revision: 5 } as TradingBot);
  await expect(saveBot(input)).rejects.toMatchObject({ status: 409 });
  expect(writtenOn).toEqual([3]);
});

it('passes other refusals on', async () => {
  setApi({
    call: () => Promise.reject(new ApiError(400, { error: 'No', code: 'invalid_request' })),
  } as unknown as ApiClient);
  await expect(saveBot(input)).rejects.toMatchObject({ status: 400 });
});

it('names the first revision, too', async () => {
  const first = { ...base, revision: 0 } as TradingBot;
  const writtenOn = serverWith(first);
  await saveBot({ ...input, base: first, revision: 0 });
  expect(writtenOn).toEqual([0]);
});

it('has lists and the strategy read again', async () => {
  serverWith(base);
  const keys = [['drafts'], ['templates'], ['trading-bots', 'a']];
  for (const key of [...keys, ['trading-bots', 'b']]) queryClient.setQueryData(key, 'as it was');
  await saveBot(input);
  const isStale = (key: readonly string[]) => queryClient.getQueryState(key)?.isInvalidated;
  expect(keys.map(isStale)).toEqual([true, true, true]);
  expect(isStale(['trading-bots', 'b'])).toBe(false);
  queryClient.clear();
});

describe('a read side that lags behind', () => {
  beforeEach(() => {
    vi.useFakeTimers();
    localStorage.clear();
  });
  afterEach(() => {
    vi.useRealTimers();
    localStorage.clear();
  });

  /** A server whose reads answer these one after the other, the last of them for good; writes make revision 4. */
  function lagging(...answers: (TradingBot | number)[]): () => number {
    let reads = 0;
    setApi({
      call: async ({ method }: { method: string }) => {
        if (method !== 'GET') return { ...base, revision: 4 };
        const answer = answers[Math.min(reads, answers.length - 1)] as TradingBot | number;
        reads += 1;
        if (typeof answer === 'number') throw new ApiError(answer, { error: 'No', code: 'x' });
        return answer;
      },
    } as unknown as ApiClient);
    return () => reads;
  }
  const loaded = async (id: string) => {
    const loading = loadBot(id);
    loading.catch(() => undefined);
    await vi.runAllTimersAsync();
    return await loading;
  };

  it('is asked until it has what this browser has written, also where it knows nothing of it yet', async () => {
    const reads = lagging(404, base, { ...base, revision: 4 });
    await saveBot(input);
    expect((await loaded('a')).revision).toBe(4);
    expect(reads()).toBe(3);
  });

  it('is asked once for what another browser has written', async () => {
    const reads = lagging(base);
    await saveBot(input);
    expect((await loaded('b')).revision).toBe(3);
    expect(reads()).toBe(1);
  });

  it('is asked once a minute later', async () => {
    const reads = lagging(base);
    await saveBot(input);
    vi.advanceTimersByTime(60_000);
    expect((await loaded('a')).revision).toBe(3);
    expect(reads()).toBe(1);
  });

  it('is taken as it is after some seconds, and asked no further where it refuses', async () => {
    const reads = lagging(base);
    await saveBot(input);
    expect((await loaded('a')).revision).toBe(3);
    expect(reads()).toBeGreaterThan(10);
    const refused = lagging(403);
    await expect(loaded('a')).rejects.toMatchObject({ status: 403 });
    expect(refused()).toBe(1);
  });

  it('is no reason to save over a change that it has not seen', async () => {
    let writes = 0;
    setApi({
      call: async ({ method }: { method: string }) => {
        if (method === 'GET') return base;
        writes += 1;
        throw new ApiError(409, { error: 'It was changed', code: 'x', currentRevision: 5 });
      },
    } as unknown as ApiClient);
    const saving = saveBot(input);
    saving.catch(() => undefined);
    await vi.runAllTimersAsync();
    await expect(saving).rejects.toMatchObject({ status: 409 });
    expect(writes).toBe(1);
  });
});
