import type { Problem } from '@quantloom/domain/kernel/refusal';
import type { Algorithm } from '@quantloom/domain/strategy/tree';
import { useEffect, useMemo, useRef, useState } from 'react';
import type { EditorStore } from './editor-store.ts';
import { problemContext, problemsOf } from './problems.ts';

/** How long the strategy must rest before it is checked: no keystroke waits for the check of a large tree. */
const CHECK_DELAY = 150;

/** A strategy and what keeps it from running. */
export interface CheckedStrategy {
  readonly algorithm: Algorithm;
  readonly problems: readonly Problem[];
}

/**
 * The strategy as it was last checked: at once when it opens, then whenever it rests. `known`: the tickers
 * that exist, once they are loaded.
 */
export function useCheckedStrategy(
  store: EditorStore,
  known: ReadonlySet<string> | undefined,
): CheckedStrategy {
  const context = useMemo(() => problemContext(known), [known]);
  const check = (before: readonly Problem[]): CheckedStrategy => {
    const { algorithm } = store.document;
    return { algorithm, problems: sameWhileEqual(before, problemsOf(algorithm, context)) };
  };
  const [checked, setChecked] = useState<CheckedStrategy>(() => check([]));
  const latest = useRef(check);
  latest.current = check;
  // biome-ignore lint/correctness/useExhaustiveDependencies: another set of known tickers asks for another check
  useEffect(() => {
    let timer = 0;
    let seen: Algorithm | null = null;
    const checkNow = () => {
      seen = store.document.algorithm;
      setChecked(({ problems }) => latest.current(problems));
    };
    checkNow();
    const stop = store.subscribe(() => {
      if (store.document.algorithm === seen) return;
      window.clearTimeout(timer);
      timer = window.setTimeout(checkNow, CHECK_DELAY);
    });
    return () => {
      stop();
      window.clearTimeout(timer);
    };
  }, [store, known]);
  return checked;
}

/** The earlier list as long as the new one says the same, so that what shows it need not be drawn again. */
function sameWhileEqual(before: readonly Problem[], now: readonly Problem[]): readonly Problem[] {
  const isEqual =
    before.length === now.length &&
    now.every(({ message, nodeId }, index) => {
      const old = before[index];
      return old?.message === message && old.nodeId === nodeId;
    });
  return isEqual ? before : now;
}
