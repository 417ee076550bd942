import { ApiError } from '@quantloom/domain/contracts/http/client';
import { QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import type { ReactNode } from 'react';
import { MemoryRouter } from 'react-router';
import { queryClient, setApi } from '../src/lib/api.ts';
import { type Session, SessionContext } from '../src/lib/auth/session.ts';
import { parseConfig, setConfig } from '../src/lib/config.ts';
import { type ToastMessage, toastQueue } from '../src/ui/toast.tsx';

/** What a page sends with a call. */
export interface Sent {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
  readonly ifMatch?: number;
}
type Answer = (sent: Sent) => unknown;

/** Plays the server: what each call is answered with. A call that nobody expects fails by its name. */
export function answer(...answers: readonly (readonly [route: object, answer: Answer])[]): void {
  const known = new Map(answers);
  const call = async (route: { readonly method: string; readonly path: string }, sent: Sent = {}) => {
    const found = known.get(route);
    if (!found) throw new Error(`Nothing answers ${route.method} ${route.path}`);
    return await found(sent);
  };
  setApi({ call, request: call } as never);
}

/** An answer that says no, with its sentence. */
export function refusal(error: string, code = 'refused', status = 422): ApiError {
  return new ApiError(status, { error, code, status });
}

/** Somebody who is signed in, with these features. */
const sessionOf = (features: readonly string[]) =>
  ({
    status: 'authenticated',
    user: { id: 'ann', email: 'ann@example.com', features },
    userChanged: () => {},
  }) as unknown as Session;

/** Shows a page or a part of one as the application would. */
export function show(
  children: ReactNode,
  { at = '/', features = [] }: { readonly at?: string; readonly features?: readonly string[] } = {},
) {
  setConfig(parseConfig({ clientId: 'web' }, window.location.origin));
  return render(
    <QueryClientProvider client={queryClient}>
      <SessionContext.Provider value={sessionOf(features)}>
        <MemoryRouter initialEntries={[at]}>{children}</MemoryRouter>
      </SessionContext.Provider>
    </QueryClientProvider>,
  );
}

const heard: ToastMessage[] = [];

/** What toasts have said in this test. */
export function toasts(): readonly ToastMessage[] {
  heard.push(...toastQueue.take());
  return heard;
}

/** To be done after each test. */
export function leave(): void {
  cleanup();
  queryClient.clear();
  toastQueue.take();
  heard.length = 0;
}

/** Presses a button, and waits for what a first press fetches. */
export async function press(name: string | RegExp): Promise<void> {
  const button = await screen.findByRole('button', { name });
  await act(async () => void fireEvent.click(button));
}
