import type { Accounts } from './accounts.ts';
import type { Attempts } from './attempts.ts';
import type { Devices } from './devices.ts';
import type { Passkeys } from './passkeys.ts';

export interface PasskeySignInParts {
  readonly accounts: Pick<Accounts, 'find'>;
  readonly attempts: Pick<Attempts, 'passkey'>;
  readonly devices: Pick<Devices, 'accountsOf'>;
  readonly passkeys: Pick<Passkeys, 'namedBy' | 'signIn'>;
}

/** `wait`: seconds until another one is looked at. */
export type PasskeySignIn =
  | { readonly subject: string }
  | { readonly wait: number }
  | { readonly fault: 'late' | 'refused' };

/**
 * Signs in by a passkey alone, whose owner was verified by it. The account is the one that the passkey names,
 * so that nothing has to be typed, and nothing tells which accounts there are.
 */
export function passkeySignIn({ accounts, attempts, devices, passkeys }: PasskeySignInParts) {
  return async (
    from: { readonly address: string; readonly device: string | null },
    boundTo: string,
    answer: string,
  ): Promise<PasskeySignIn> => {
    const named = passkeys.namedBy(answer);
    const account = named === null ? null : accounts.find(named);
    const isKnown =
      account !== null &&
      from.device !== null &&
      devices.accountsOf(from.device, account.email).includes(account.subject);
    const wait = await attempts.passkey({
      address: from.address,
      email: account?.email ?? '',
      knownDevice: isKnown ? from.device : null,
    });
    if (wait !== null) return { wait };
    const found = await passkeys.signIn(boundTo, answer);
    if (typeof found === 'string') return { fault: found };
    // Whoever was erased meanwhile has no account to come to.
    return accounts.find(found.subject) ? found : { fault: 'refused' };
  };
}
