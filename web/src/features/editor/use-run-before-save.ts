import { isSameBacktest } from '@quantloom/domain/strategy/same-backtest';
import { useSelector } from '@xstate/react';
import { useEffect, useRef } from 'react';
import type { EditorActor, RunActor } from './machines/actors.ts';
import { backtest } from './model/editor-api.ts';
import type { EditorStore } from './model/editor-store.ts';

/**
 * A run that was made before the first save belongs to the strategy from then on: lists show its figures, and
 * the server records it and counts it as a trial, as it does for a strategy that was saved before.
 */
export function useRunBeforeSave(actor: EditorActor, run: RunActor, store: EditorStore): void {
  const id = useSelector(actor, ({ context }) => context.id);
  const idBefore = useRef(id);
  useEffect(() => {
    const wasNew = idBefore.current === 'new' && id !== 'new';
    idBefore.current = id;
    const { answer, answered, label } = run.getSnapshot().context;
    if (!wasNew || !answer || !answered || label !== null) return;
    if (!isSameBacktest(answered.trading_bot, store.document.algorithm)) return;
    const ended = new AbortController();
    // Without it only the record on the server is missing, which the next run makes good.
    backtest({ ...answered, include: {} }, id, ended.signal).catch(() => undefined);
  }, [id, run, store]);
}
