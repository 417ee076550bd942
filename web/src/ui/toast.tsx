import type { ReactNode } from 'react';

export interface ToastOptions {
  readonly description?: ReactNode;
  /** `Undo` and the like. The toast closes when it is used. */
  readonly action?: { readonly label: string; readonly onSelect: () => void };
  /** Milliseconds; 0 stays until closed. Default 5000, 8000 with an action. */
  readonly timeout?: number;
  /** A toast with the id of an open one replaces it. */
  readonly id?: string;
}

export interface ToastMessage {
  readonly id: string;
  readonly kind: 'success' | 'error' | 'info';
  readonly title: ReactNode;
  readonly options: ToastOptions;
}

let waiting: ToastMessage[] = [];
let closing: string[] = [];
let count = 0;
let version = 0;
const listeners = new Set<() => void>();

function changed(): void {
  version++;
  for (const listener of listeners) listener();
}

function show(kind: ToastMessage['kind'], title: ReactNode, options: ToastOptions = {}): string {
  const id = options.id ?? `toast-${++count}`;
  waiting.push({ id, kind, title, options });
  changed();
  return id;
}

/** Short news at the edge of the screen, from anywhere. `toast.success('Saved')`; each answers the toast's id. */
export const toast = {
  success: (title: ReactNode, options?: ToastOptions) => show('success', title, options),
  error: (title: ReactNode, options?: ToastOptions) => show('error', title, options),
  info: (title: ReactNode, options?: ToastOptions) => show('info', title, options),
  close: (id: string) => {
    closing.push(id);
    changed();
  },
};

/** What waits to be shown and closed, for the one component that shows toasts. */
export const toastQueue = {
  subscribe: (listener: () => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
  version: () => version,
  take: (): readonly ToastMessage[] => {
    const taken = waiting;
    waiting = [];
    return taken;
  },
  closed: (): readonly string[] => {
    const taken = closing;
    closing = [];
    return taken;
  },
};
