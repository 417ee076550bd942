import { useSyncExternalStore } from 'react';

/** Resolves what waits for a proof; null where nothing does. */
let answer: ((isGiven: boolean) => void) | null = null;
let asked: Promise<boolean> | null = null;
const listeners = new Set<() => void>();
const tell = () => {
  for (const listener of listeners) listener();
};

/** Asks the person to enter his password again, in a dialog of the layout. False where he would rather not. */
export function askForProof(): Promise<boolean> {
  if (asked) return asked;
  const { promise, resolve } = Promise.withResolvers<boolean>();
  asked = promise;
  answer = resolve;
  tell();
  return promise;
}

/** Ends the question: what was refused is sent once more, or stays refused. */
export function settleProof(isGiven: boolean): void {
  const resolve = answer;
  answer = null;
  asked = null;
  tell();
  resolve?.(isGiven);
}

/** Whether something waits for a proof. */
export function useProofAsked(): boolean {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => asked !== null,
    () => false,
  );
}
