import { ApiError } from '@quantloom/domain/contracts/http/client';
import { QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, fireEvent, render, screen, within } from '@testing-library/react';
import type { ReactNode } from 'react';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { vi } from 'vitest';
import { queryClient, setApi } from '../src/lib/api.ts';
import { type Session, SessionContext } from '../src/lib/auth/session.ts';
import { parseConfig, setConfig } from '../src/lib/config.ts';
import { ChartDrawer } from '../src/ui/chart-drawer.ts';
import { type ToastMessage, toastQueue } from '../src/ui/toast.tsx';
import { SeenChart } from './charts.tsx';

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
  setApi({ call, request: call, open: call } as never);
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

/** Shows a page or a part of one as the application would, with a router that a page can hold up. */
export function show(
  children: ReactNode,
  { at = '/', features = [] }: { readonly at?: string; readonly features?: readonly string[] } = {},
) {
  setConfig(parseConfig({ clientId: 'web' }, window.location.origin));
  const router = createMemoryRouter([{ path: '*', element: children }], { initialEntries: [at] });
  return render(
    <QueryClientProvider client={queryClient}>
      <SessionContext.Provider value={sessionOf(features)}>
        <ChartDrawer value={SeenChart}>
          <RouterProvider router={router} />
        </ChartDrawer>
      </SessionContext.Provider>
    </QueryClientProvider>,
  );
}

/** Shows what opens with a window, which is fetched at its first use: React would wait for it without end. */
export async function showWindow(children: ReactNode) {
  return await act(async () => {
    const page = show(children);
    await import('../src/ui/DialogWindow.tsx');
    return page;
  });
}

const heard: ToastMessage[] = [];

/** What toasts have said in this test. */
export function toasts(): readonly ToastMessage[] {
  heard.push(...toastQueue.take());
  return heard;
}

interface Download {
  readonly name: string;
  readonly address: string;
  /** What the page itself has put together. */
  readonly content: Blob | undefined;
}
let giveBack = () => {};

/** What the page hands to the browser to save, from now on. A link that is really followed would end the page. */
export function downloads(): readonly Download[] {
  const saved: Download[] = [];
  const blobs: Blob[] = [];
  const made = vi.spyOn(URL, 'createObjectURL').mockImplementation((blob) => {
    blobs.push(blob as Blob);
    return `blob:${blobs.length - 1}`;
  });
  const click = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (
    this: HTMLAnchorElement,
  ) {
    const content = blobs[Number(/^blob:(\d+)$/.exec(this.href)?.[1] ?? -1)];
    saved.push({ name: this.download, address: this.href, content });
  });
  giveBack = () => {
    made.mockRestore();
    click.mockRestore();
  };
  return saved;
}

/** To be done after each test. */
export function leave(): void {
  giveBack();
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

/** Chooses an option of a select, which takes no click without a press before it. */
export async function choose(select: string, option: string | RegExp): Promise<void> {
  fireEvent.click(await screen.findByRole('combobox', { name: select }));
  const found = await screen.findByRole('option', { name: option });
  fireEvent.pointerDown(found);
  await act(async () => void fireEvent.click(found));
}

/** What a table of figures says, row by row, its head first. */
export async function figuresOf(caption: string): Promise<readonly (readonly (string | null)[])[]> {
  const lines = within(await screen.findByRole('table', { name: caption })).getAllByRole('row');
  return lines.map((line) => [...line.querySelectorAll('th, td')].map(({ textContent }) => textContent));
}

/** Asks again for what is shown, as after a change, until the page has heard how that ended. */
export async function askAgain(...queryKey: readonly string[]): Promise<void> {
  await act(async () => {
    await queryClient.invalidateQueries({ queryKey });
    // What the page is told comes a moment later.
    await new Promise((heard) => setTimeout(heard));
  });
}
