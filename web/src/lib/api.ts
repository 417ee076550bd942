import { type ApiClient, ApiError, MISSING_AUTHORIZATION } from '@quantloom/domain/contracts/http/client';
import { QueryClient } from '@tanstack/react-query';
import { askForProof } from './proof.ts';

export { ApiError } from '@quantloom/domain/contracts/http/client';

let client: ApiClient | null = null;

/** Set once by the entry (and by tests). */
export function setApi(next: ApiClient): void {
  client = {
    call: (...input) => withProof(() => next.call(...input)),
    request: (...input) => withProof(() => next.request(...input)),
    open: (...input) => next.open(...input),
    get position() {
      return next.position;
    },
  };
}

/** Sends again what was refused because the password is too old, once the person has given it. */
async function withProof<T>(send: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await send();
    } catch (error) {
      if (codeOf(error) !== 'confirmation_needed' || !(await askForProof())) throw error;
    }
  }
}

/** The typed API client of this page: `await api().call(contract, {params, query, body})`. */
export function api(): ApiClient {
  if (client === null) throw new Error('api() was used before the entry had set it');
  return client;
}

/** The sentence to show for whatever was thrown. */
export function messageOf(error: unknown): string {
  if (isSignedOut(error)) return 'You are signed out. Sign in again to go on.';
  if (error instanceof ApiError) return error.message;
  if (error instanceof TypeError) return 'The server cannot be reached. Check the connection and try again.';
  return error instanceof Error && error.message !== '' ? error.message : 'Something went wrong.';
}

/** The client found no token to send, or the server did not take it. Its own sentence is for programs. */
function isSignedOut(error: unknown): boolean {
  return error instanceof ApiError
    ? error.status === 401 && error.code === 'unauthenticated'
    : error instanceof Error && error.message === MISSING_AUTHORIZATION;
}

/** Status of an API answer, null for every other failure. */
export function statusOf(error: unknown): number | null {
  return error instanceof ApiError ? error.status : null;
}

/** Id of the first block that a refusal names; null where it names none. */
export function blockOf(error: unknown): string | null {
  if (!(error instanceof ApiError) || typeof error.body !== 'object' || error.body === null) return null;
  const { errors } = error.body as { readonly errors?: unknown };
  if (!Array.isArray(errors)) return null;
  for (const fault of errors as readonly { readonly nodeId?: unknown }[])
    if (typeof fault?.nodeId === 'string') return fault.nodeId;
  return null;
}

/** Code of a refusal, null for every other failure. */
export function codeOf(error: unknown): string | null {
  return error instanceof ApiError ? (error.code ?? null) : null;
}

/** Refusals are final; only an unreachable or broken server is asked again. */
function shouldRetry(failures: number, error: unknown): boolean {
  const status = statusOf(error);
  return failures < 2 && (status === null ? error instanceof TypeError : status >= 500 || status === 429);
}

/** One cache for the page. Keys start with the resource: `['drafts']`, `['trading-bots', id]`. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: { staleTime: 5_000, gcTime: 10 * 60_000, retry: shouldRetry, refetchOnWindowFocus: true },
    mutations: { retry: false },
  },
});
