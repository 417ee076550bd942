import {
  signInByForm,
  startTestIssuer,
  TestBrowser,
} from '@quantloom/adapters/testing/identity/test-browser';
import type { RateLimits } from '@quantloom/domain/ports/rate-limits';
import { describe, expect, it } from 'vitest';
import { PASSWORD } from '../../testing/account-api.ts';
import { openSignIn } from '../../testing/attacker.ts';

const NEXT = 'staple of the trade';

/** Nothing is counted: what is measured must not be a refusal. */
const WITHOUT_LIMITS: RateLimits = {
  hit: async () => ({ hits: 1, endsInMs: 1_000 }),
  reset: async () => {},
};

/** Every account is locked. */
const LOCKED: RateLimits = {
  hit: async (key) => ({ hits: key.startsWith('attempt:account:') ? 11 : 1, endsInMs: 1_000 }),
  reset: async () => {},
};

describe('whether an address has an account', () => {
  const median = (values: readonly number[]) =>
    values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

  const formOf = async (at: string) => {
    const browser = new TestBrowser(at);
    const { url } = await openSignIn(browser, {});
    return (fields: Record<string, string>) => browser.post(url, fields);
  };
  type Ask = (fields: { at: string; email: string; round: number }) => Promise<() => Promise<Response>>;
  const QUESTIONS: readonly (readonly [name: string, rounds: number, isLocked: boolean, ask: Ask])[] = [
    [
      'a request for a new password',
      40,
      false,
      async ({ at, email }) =>
        () =>
          new TestBrowser(at).post('/u/reset', { email }),
    ],
    [
      'a wrong password',
      14,
      false,
      async ({ at, email }) => {
        const send = await formOf(at);
        return () => send({ screen: 'login', email, password: 'not the password' });
      },
    ],
    [
      'one password too many',
      40,
      true,
      async ({ at, email }) => {
        const send = await formOf(at);
        return () => send({ screen: 'login', email, password: 'not the password' });
      },
    ],
    [
      'a sign-up',
      14,
      false,
      async ({ at, email, round }) => {
        const send = await formOf(at);
        return () => send({ screen: 'signup', email, password: `${NEXT} ${round}` });
      },
    ],
  ];
  it.each(QUESTIONS)(
    'is told neither by the answer to %s nor by its time',
    async (_name, rounds, isLocked, ask) => {
      const rateLimits = isLocked ? LOCKED : WITHOUT_LIMITS;
      const issuer = await startTestIssuer({ rateLimits });
      try {
        await signInByForm(new TestBrowser(issuer.origin), 'known@example.com', PASSWORD, 'signup');
        const seen = async (email: string, round: number) => {
          const send = await ask({ at: issuer.origin, email, round });
          const began = performance.now();
          const answer = await send();
          const body = await answer.text();
          // What is done after the answer holds up the next request.
          await fetch(`${issuer.origin}/u/page.css`);
          const ms = performance.now() - began;
          const text = `${answer.headers.get('location') ?? ''} ${body}`
            .replaceAll(email, 'EMAIL')
            .replaceAll(/\/(u|authorize)\/[\w-]+/g, '/$1/…');
          return { ms, text: `${answer.status} ${[...answer.headers.keys()].sort()} ${text}` };
        };
        const times = { known: [] as number[], unknown: [] as number[] };
        // One after the other, so that what else the machine does falls on both.
        for (let round = 0; round < rounds; round += 1) {
          const known = await seen('known@example.com', round);
          const unknown = await seen(`nobody-${round}@example.com`, round);
          expect(known.text).toBe(unknown.text);
          times.known.push(known.ms);
          times.unknown.push(unknown.ms);
        }
        // As ratios: one hash less would be a third of a sign-up, a message that only some get most of a
        // request for one.
        const ratio = median(times.known) / median(times.unknown);
        expect(ratio).toBeGreaterThan(0.55);
        expect(ratio).toBeLessThan(1.8);
      } finally {
        await issuer.close();
      }
    },
  );
});
