/** Codes after which this page has no session any more: only a new sign-in helps. */
const LOST = new Set([
  'login_required',
  'consent_required',
  'interaction_required',
  'invalid_grant',
  'missing_refresh_token',
]);

type FetchToken = (options: { cacheMode: 'on' | 'off' }) => Promise<string | undefined>;

/** Access tokens for the API client, and the news that there are none any more. */
export interface TokenSource {
  /** The current access token, null for a visitor. Waits until the silent check at start has been answered. */
  accessToken(options: { fresh: boolean }): Promise<string | null>;
  /** Tells how to get tokens (null: nobody is signed in), once that is known. */
  settle(fetchToken: FetchToken | null): void;
  /** Calls back when silent renewal found the session gone. Returns how to stop listening. */
  onLost(listener: () => void): () => void;
}

/** Asks the official client, which caches tokens in memory and renews them 60 s early. */
export function createTokenSource(): TokenSource {
  const listeners = new Set<() => void>();
  let current: FetchToken | null = null;
  let isSettled = false;
  let settled: () => void = () => {};
  const ready = new Promise<void>((resolve) => {
    settled = resolve;
  });
  return {
    async accessToken({ fresh }) {
      if (!isSettled) await ready;
      if (current === null) return null;
      try {
        return (await current({ cacheMode: fresh ? 'off' : 'on' })) ?? null;
      } catch (error) {
        const code = (error as { error?: unknown }).error;
        if (typeof code === 'string' && LOST.has(code)) {
          current = null;
          for (const listener of listeners) listener();
        } else console.error('No access token', error);
        return null;
      }
    },
    settle(fetchToken) {
      current = fetchToken;
      isSettled = true;
      settled();
    },
    onLost(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
