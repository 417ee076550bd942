// @vitest-environment happy-dom
import { getAsLived, getTradingBot, runBacktest } from '@quantloom/domain/contracts/http/calls';
import { act, cleanup, renderHook, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ApiError, queryClient, setApi } from '../../lib/api.ts';
import { type CurveKind, useCurves } from './curves.ts';

type Input = { readonly params?: { readonly id: string }; readonly body?: Readonly<Record<string, unknown>> };

/** What the server was asked for, and how it answers. */
let asked: string[];
let answer: (route: unknown, input: Input) => unknown;
const lived = (id: string) => ({ days: ['2026-01-02'], lived: [id.length], is_simulated: false });

beforeEach(() => {
  asked = [];
  answer = (_, { params }) => lived(params?.id ?? '');
  queryClient.clear();
  const call = async (route: unknown, input: Input) => {
    asked.push(input.params?.id ?? 'a run');
    return await answer(route, input);
  };
  setApi({ call } as never);
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

const show = (kind: CurveKind, ids: readonly string[]) =>
  renderHook((given: { kind: CurveKind; ids: readonly string[] }) => useCurves(given.kind, given.ids), {
    initialProps: { kind, ids },
  });

describe('curves of what was lived', () => {
  it('are those of each strategy, and done when the last is there', async () => {
    const ids = Array.from({ length: 44 }, (_, i) => 's'.repeat(i + 1));
    const { result } = show('lived', ids);
    expect(result.current).toEqual({ found: new Map(), isDone: false });
    await waitFor(() => expect(result.current.isDone).toBe(true));
    expect(asked).toEqual(ids);
    expect(result.current.found.get('sss')).toEqual({
      curve: { days: ['2026-01-02'], values: [3] },
      isSimulated: false,
      holdings: null,
    });
  });

  it('are asked for two at a time', async () => {
    const waiting: (() => void)[] = [];
    answer = async (_, { params }) => {
      await new Promise<void>((resolve) => waiting.push(resolve));
      return lived(params?.id ?? '');
    };
    const { result } = show('lived', ['a', 'b', 'c']);
    await waitFor(() => expect(asked).toEqual(['a', 'b']));
    waiting[1]?.();
    await waitFor(() => expect(asked).toEqual(['a', 'b', 'c']));
    expect([...result.current.found.keys()]).toEqual(['b']);
    waiting[0]?.();
    waiting[2]?.();
    await waitFor(() => expect(result.current.isDone).toBe(true));
  });

  it('are none, and done at once, of no strategy', () => {
    expect(show('lived', []).result.current).toEqual({ found: new Map(), isDone: true });
    expect(asked).toEqual([]);
  });

  it('leave the others alone where one cannot be had', async () => {
    answer = (_, { params }) => {
      if (params?.id === 'gone') throw new ApiError(404, { error: 'There is no such strategy.' });
      return lived(params?.id ?? '');
    };
    const { result } = show('lived', ['gone', 'b', 'c']);
    await waitFor(() => expect(result.current.isDone).toBe(true));
    expect(result.current.found.get('gone')).toEqual({ fault: 'There is no such strategy.' });
    expect(result.current.found.get('c')).toMatchObject({ isSimulated: false });
    // A refusal is final.
    expect(asked).toEqual(['gone', 'b', 'c']);
  });

  it('are never those of another choice, however late they come', async () => {
    const late = Promise.withResolvers<void>();
    answer = async (_, { params }) => {
      if (params?.id === 'late') await late.promise;
      return lived(params?.id ?? '');
    };
    const { result, rerender } = show('lived', ['a', 'late', 'never']);
    await waitFor(() => expect(asked).toContain('never'));
    rerender({ kind: 'lived', ids: ['x', 'yy'] });
    expect(result.current.found.size).toBe(0);
    await waitFor(() => expect(result.current.isDone).toBe(true));
    await act(async () => late.resolve());
    expect([...result.current.found.keys()]).toEqual(['x', 'yy']);
  });

  it('wait for their turn where everybody is limited, and where the server is out of reach', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    const failures = [
      new ApiError(429, { error: 'Slow down' }),
      new ApiError(503, { error: 'Later' }),
      new TypeError('fetch failed'),
    ];
    answer = () => {
      const failure = failures.shift();
      if (failure) throw failure;
      return lived('a');
    };
    const { result } = show('lived', ['a']);
    await act(() => vi.advanceTimersByTimeAsync(500));
    expect(asked).toHaveLength(1);
    await act(() => vi.advanceTimersByTimeAsync(500 + 2_000 + 4_000));
    await waitFor(() => expect(result.current.isDone).toBe(true));
    expect(asked).toHaveLength(4);
    expect(result.current.found.get('a')).toMatchObject({ curve: { values: [1] } });
  });
});

describe('curves of backtests', () => {
  const history = {
    timestamps: [Date.UTC(2026, 0, 2) / 1000, Date.UTC(2026, 0, 5) / 1000],
    value: [10_000, 10_100],
    tickers: { SPY: [100, 60], TLT: [0, 40], NONE: [] },
  };
  const bots =
    (ran: object) =>
    (route: unknown, { params }: Input) => {
      if (route === getTradingBot)
        return { type: params?.id === 't' ? 'template' : 'bot', algorithm: { name: params?.id } };
      expect(route).toBe(runBacktest);
      return ran;
    };

  it('are of all days, with what is held on the last one', async () => {
    let body: Input['body'];
    const answers = bots({ history, provenance: { is_simulated: true } });
    answer = (route, input) => {
      body = input.body ?? body;
      return answers(route, input);
    };
    const { result } = show('backtests', ['a']);
    await waitFor(() => expect(result.current.isDone).toBe(true));
    expect(result.current.found.get('a')).toEqual({
      curve: { days: ['2026-01-02', '2026-01-05'], values: [10_000, 10_100] },
      isSimulated: true,
      holdings: { SPY: 60, TLT: 40, NONE: 0 },
    });
    expect(body).toMatchObject({ start_date: '1990-01-01', trading_bot: { name: 'a' } });
  });

  it('say why there is none: of a template, and where the days are left out', async () => {
    answer = bots({ provenance: null });
    const { result } = show('backtests', ['t', 'a']);
    await waitFor(() => expect(result.current.isDone).toBe(true));
    expect(result.current.found.get('t')).toEqual({ fault: expect.stringContaining('variables') });
    expect(result.current.found.get('a')).toEqual({ fault: expect.stringContaining('without its days') });
  });

  it('are others than those of what was lived', async () => {
    const answers = bots({ history });
    answer = (route, input) => (route === getAsLived ? lived('abc') : answers(route, input));
    const { result, rerender } = show('lived', ['a']);
    await waitFor(() => expect(result.current.isDone).toBe(true));
    rerender({ kind: 'backtests', ids: ['a'] });
    await waitFor(() => expect(result.current.isDone).toBe(true));
    expect(result.current.found.get('a')).toMatchObject({
      curve: { values: history.value },
      isSimulated: false,
    });
  });
});
