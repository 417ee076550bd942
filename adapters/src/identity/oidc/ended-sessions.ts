import type { ManagementClient } from './management-client.ts';

/** How old the list may be, in ms: an ended session is refused after this time at the latest. */
const REFRESH_MS = 20_000;
/** The first token of a process waits this long for the list, in ms; an issuer that is away must not stop everybody. */
const FIRST_WAIT_MS = 2_000;

/** Which sessions of the product's own issuer have ended, as its management API tells. */
export interface EndedSessions {
  has(sessionId: string): Promise<boolean>;
}

/**
 * Asks the issuer at most every 20 s, and only while tokens are checked. While it can't be asked, what was
 * known last holds.
 */
export function createEndedSessions(
  management: Pick<ManagementClient, 'call'>,
  now: () => number = () => Date.now(),
): EndedSessions {
  let known: ReadonlySet<string> | null = null;
  let askedAt = Number.NEGATIVE_INFINITY;
  let asking: Promise<void> | null = null;

  const ask = async (): Promise<void> => {
    const { status, body } = await management.call('GET', 'ended-sessions');
    if (status === 200 && Array.isArray(body.sessions))
      known = new Set(body.sessions.filter((uid) => typeof uid === 'string'));
  };
  return {
    async has(sessionId) {
      if (now() - askedAt >= REFRESH_MS && !asking) {
        askedAt = now();
        asking = ask()
          // The tokens themselves are still verified; the issuer is asked again by a later call.
          .catch(() => undefined)
          .finally(() => {
            asking = null;
          });
      }
      if (known === null && asking) {
        const { promise, resolve } = Promise.withResolvers<void>();
        const timer = setTimeout(resolve, FIRST_WAIT_MS);
        await Promise.race([asking, promise]);
        clearTimeout(timer);
      }
      return known?.has(sessionId) ?? false;
    },
  };
}
