import { getTradingBot, updateTradingBot } from '@quantloom/domain/contracts/http/calls';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ApiError, queryClient, setApi } from '../../lib/api.ts';
import type { DraftRow } from '../../lib/resources.ts';
import { type ToastMessage, toastQueue } from '../../ui/toast.tsx';
import { archiveAll, deleteAll, followAll, inTime, runAll, tagAll, tagsAfter } from './several.ts';

afterEach(() => {
  vi.useRealTimers();
});

it('adds and removes tags whatever their case, keeping the rest in order', () => {
  expect(tagsAfter(['Trend', 'Bonds', 'old'], { add: ['trend'], remove: ['OLD'] })).toEqual([
    'Bonds',
    'trend',
  ]);
  expect(tagsAfter([], { add: ['a', 'b'], remove: ['c'] })).toEqual(['a', 'b']);
  expect(tagsAfter(['a'], { add: [], remove: [] })).toEqual(['a']);
});

/** Refuses as often as told, then works. */
function refused(times: number, refusal: ApiError) {
  let calls = 0;
  const act = async () => {
    calls += 1;
    if (calls <= times) throw refusal;
  };
  return { act, count: () => calls };
}

it('waits as long as the server asks for, and goes on', async () => {
  vi.useFakeTimers();
  const { act, count } = refused(2, new ApiError(429, { error: 'Slow down' }, 30));
  const ended = inTime(act);
  await vi.advanceTimersByTimeAsync(29_999);
  expect(count()).toBe(1);
  await vi.advanceTimersByTimeAsync(30_001);
  await ended;
  expect(count()).toBe(3);
});

it('tells at once what waiting does not help', async () => {
  for (const refusal of [
    new ApiError(429, { error: 'Enough for today' }, 40_000),
    new ApiError(429, { error: 'Nobody says how long' }),
    new ApiError(404, { error: 'Gone' }, 1),
  ]) {
    const { act, count } = refused(1, refusal);
    await expect(inTime(act)).rejects.toBe(refusal);
    expect(count()).toBe(1);
  }
});

it('gives up where the server never has time', async () => {
  vi.useFakeTimers();
  const refusal = new ApiError(429, { error: 'Slow down' }, 50);
  const { act, count } = refused(99, refusal);
  const ended = expect(inTime(act)).rejects.toBe(refusal);
  await vi.advanceTimersByTimeAsync(100_000);
  await ended;
  expect(count()).toBe(3);
});

describe('what is done to several strategies', () => {
  const row = (id: string, more: Partial<DraftRow> = {}) =>
    ({ id, name: `S ${id}`, type: 'bot', tags: ['old'], lastRun: null, ...more }) as DraftRow;
  const rows = (count: number) => Array.from({ length: count }, (_, i) => row(`s${i}`));
  let asked: { readonly id: string | undefined; readonly body?: object | undefined }[];
  let refused: Set<string>;
  /** What is shown, by its place: a message takes that of one with the same id. */
  let shown: Map<string, ToastMessage>;
  const words = () => [...shown.values()].map(({ kind, title }) => `${kind}: ${title}`);

  beforeEach(() => {
    [asked, refused, shown] = [[], new Set(), new Map()];
    toastQueue.take();
    queryClient.clear();
    const call = async (route: unknown, input: { params?: { id: string }; body?: object } = {}) => {
      const id = input.params?.id;
      if (route === getTradingBot) return { algorithm: {} };
      asked.push({ id, ...(route === updateTradingBot && { body: input.body }) });
      if (id !== undefined && refused.has(id)) throw new ApiError(404, { error: `There is no ${id}.` });
      return {};
    };
    setApi({ call } as never);
    return toastQueue.subscribe(() => {
      for (const message of toastQueue.take()) shown.set(message.id, message);
    });
  });
  const undo = async () => {
    const [message] = [...shown.values()].filter(({ options }) => options.action);
    if (message) shown.delete(message.id);
    asked = [];
    message?.options.action?.onSelect();
    await vi.waitFor(() => expect(words().at(-1)).toMatch(/^success/), 10_000);
  };

  it('is told once, and can be undone, which is told as well', async () => {
    await archiveAll(rows(5), true);
    expect(asked.map(({ id }) => id)).toEqual(['s0', 's1', 's2', 's3', 's4']);
    expect(asked.every(({ body }) => JSON.stringify(body) === '{"is_archived":true}')).toBe(true);
    expect(words()).toEqual(['success: Archived 5 strategies']);
    await undo();
    expect(asked.every(({ body }) => JSON.stringify(body) === '{"is_archived":false}')).toBe(true);
    // How far it has come does not stay there for ever.
    expect(words()).toEqual(['success: Undone for 5 strategies']);
  });

  it('leaves those alone that fail, tells of them beside the others, and undoes only these', async () => {
    refused = new Set(['s1', 's3']);
    await deleteAll(rows(5));
    expect(words().toSorted()).toEqual([
      'error: 2 strategies could not be done',
      'success: Deleted 3 strategies',
    ]);
    const [error] = [...shown.values()].filter(({ kind }) => kind === 'error');
    expect(error?.options.description).toBe('S s1: There is no s1. S s3: There is no s3.');
    await undo();
    expect(asked.map(({ id }) => id)).toEqual(['s0', 's2', 's4']);
    expect(words()).toContain('success: Brought back 3 strategies');
  });

  it('is a failure alone where it worked with none', async () => {
    refused = new Set(rows(5).map(({ id }) => id));
    await archiveAll(rows(5), false);
    expect(words()).toEqual(['error: 5 strategies could not be done']);
  });

  it('gives back the tags that each had', async () => {
    await tagAll([row('a', { tags: ['x'] }), row('b', { tags: [] })], { add: ['new'], remove: ['X'] });
    expect(asked.map(({ body }) => body)).toEqual([{ tags: ['new'] }, { tags: ['new'] }]);
    await undo();
    expect(asked.map(({ body }) => body)).toEqual([{ tags: ['x'] }, { tags: [] }]);
  });

  it('runs and follows strategies alone, and says that templates are left out', async () => {
    const mixed = [row('a'), row('t', { type: 'template' }), row('b')];
    await runAll(mixed);
    expect(words()).toEqual([
      'success: Ran 2 strategies',
      'info: 1 strategy left out: templates run in batch backtests.',
    ]);
    shown.clear();
    asked = [];
    await followAll(mixed, new Set(['a']));
    expect(asked.flatMap(({ id }) => id ?? [])).toEqual(['b']);
    expect(words()[0]).toBe('success: Now following 1 strategy');
    shown.clear();
    await followAll([row('a')], new Set(['a']));
    expect(words()).toEqual(['info: You follow it already.']);
  });
});
