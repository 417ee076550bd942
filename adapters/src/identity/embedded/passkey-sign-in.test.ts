import { expect, it } from 'vitest';
import { passkeySignIn } from './passkey-sign-in.ts';

const ANN = { subject: 'quantloom|ann', email: 'ann@example.com' };

/** Ann's sign-in by a passkey, from a browser that has signed in to these accounts before. */
async function signIn(signedInBefore: readonly string[], device: string | null) {
  const counted: unknown[] = [];
  const parts = {
    accounts: { find: (subject: string) => (subject === ANN.subject ? ANN : null) },
    attempts: {
      passkey: async (attempt: unknown) => {
        counted.push(attempt);
        return null;
      },
    },
    devices: { accountsOf: () => signedInBefore },
    passkeys: { namedBy: () => ANN.subject, signIn: async () => ({ subject: ANN.subject }) },
  };
  const from = { address: '203.0.113.7', device };
  const outcome = await passkeySignIn(parts as never)(from, 'sign-in-1', 'answer');
  return { outcome, counted };
}

it('counts a sign-in for the browser alone only where it has signed in to this very account before', async () => {
  const of = (knownDevice: string | null) => ({
    outcome: { subject: ANN.subject },
    counted: [{ address: '203.0.113.7', email: ANN.email, knownDevice }],
  });
  expect(await signIn([ANN.subject], 'browser')).toEqual(of('browser'));
  // The secret of a browser that knows somebody else is no room of its own at Ann's account.
  expect(await signIn(['quantloom|eve'], 'browser')).toEqual(of(null));
  expect(await signIn([], null)).toEqual(of(null));
});
