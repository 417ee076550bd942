// @vitest-environment happy-dom
import { strategyOfText } from '@quantloom/domain/testing/strategy-of-text';
import { act, renderHook, waitFor } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { EditorStore } from './editor-store.ts';
import { usePreference } from './preferences.ts';
import { useCheckedStrategy } from './use-checked-strategy.ts';

afterEach(() => {
  vi.restoreAllMocks();
  localStorage.clear();
});

it('remembers a switch of the editor, each by its name, and without a storage for as long as it lives', () => {
  const switchOf = (name: string) => renderHook(() => usePreference(name, false)).result;
  const live = switchOf('live');
  act(() => live.current[1](true));
  expect(live.current[0]).toBe(true);
  expect(switchOf('live').current[0]).toBe(true);
  expect(switchOf('chart').current[0]).toBe(false);
  act(() => live.current[1](false));
  expect(switchOf('live').current[0]).toBe(false);
  vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
    throw new Error('full');
  });
  act(() => live.current[1](true));
  expect(live.current[0]).toBe(true);
});

it('checks a strategy as it opens and whenever it rests, and tells nothing new where nothing is', async () => {
  const algorithm = strategyOfText('if RSI(SPY, 10) > 79 then TLT else SPY');
  const store = new EditorStore({ name: 'S', isPublic: false, algorithm });
  const { result, rerender } = renderHook(({ known }) => useCheckedStrategy(store, known), {
    initialProps: { known: new Set(['SPY']) as ReadonlySet<string> },
  });
  const words = () => result.current.problems.map(({ message }) => message).join();
  expect(words()).toContain('TLT');
  const before = result.current.problems;
  const put = (text: string) =>
    act(() => store.edit('Edit', () => ({ ...algorithm, children: strategyOfText(text).children })));
  put('if RSI(SPY, 10) > 80 then TLT else SPY');
  // Not with every keystroke.
  expect(result.current.algorithm).toBe(algorithm);
  await waitFor(() => expect(result.current.algorithm).toBe(store.document.algorithm));
  put('SPY');
  await waitFor(() => expect(words()).not.toContain('TLT'));
  act(() => {
    store.undo();
    store.undo();
  });
  await waitFor(() => expect(words()).toContain('TLT'));
  const again = result.current.problems;
  act(() => store.rename('Other'));
  await waitFor(() => expect(result.current.algorithm).toBe(store.document.algorithm));
  rerender({ known: new Set(['SPY']) });
  expect(result.current.problems).toBe(again);
  rerender({ known: new Set(['SPY', 'TLT']) });
  await waitFor(() => expect(words()).not.toContain('TLT'));
  expect(before.length).toBeGreaterThan(0);
});
