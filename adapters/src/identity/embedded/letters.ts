import { normalizeEmail } from '@quantloom/domain/identity/email';
import type { IdentityAccount } from '@quantloom/domain/ports/identity';
import type { Links } from './links.ts';
import {
  accountExists,
  addressChanged,
  addressNamed,
  type CodesChange,
  codesChanged,
  factorsRemoved,
  newSignIn,
  passkeyAdded,
  passkeyRemoved,
  passwordChanged,
  resetPassword,
  unlockAccountMail,
  verifyAddress,
} from './mail-messages.ts';
import type { MailQueue } from './mail-queue.ts';

type Owner = Pick<IdentityAccount, 'subject' | 'email'>;

/** Has no account: links for it are worth nothing, and go with their time. */
const NOBODY: Owner = { subject: 'nobody', email: 'nobody@example.invalid' };

/** The messages that the issuer sends, with their links. */
export interface Letters {
  verify(owner: Owner): void;
  reset(owner: Owner): void;
  unlock(owner: Owner): void;
  passwordChanged(email: string, hasPasskeys: boolean): void;
  passkeyAdded(email: string, name: string): void;
  passkeyRemoved(email: string, name: string): void;
  codesChanged(email: string, change: CodesChange): void;
  factorsRemoved(email: string): void;
  addressChanged(oldEmail: string): void;
  newSignIn(email: string, device: string, address: string): void;
  /** To the owner of an address with which somebody signed up again. */
  accountExists(email: string): void;
  /** To the owner of an address that another account was given. */
  addressNamed(email: string): void;
  /** Costs what `reset` and `unlock` cost, for an address that has no account. */
  toNobody(purpose: 'reset' | 'unlock'): void;
}

/** @param issuer public address with a slash at the end */
export function createLetters(
  queue: MailQueue,
  links: Links,
  issuer: string,
  now: () => Date = () => new Date(),
): Letters {
  const linkTo = (purpose: 'verify' | 'reset' | 'unlock', { subject, email }: Owner): string =>
    `${issuer}u/${purpose}/${links.create(purpose, { subject, emailKey: normalizeEmail(email) })}`;
  const securityUrl = `${issuer}u/account`;
  return {
    verify: (owner) => queue.add(verifyAddress(owner.email, linkTo('verify', owner))),
    reset: (owner) => queue.add(resetPassword(owner.email, linkTo('reset', owner))),
    unlock: (owner) => queue.add(unlockAccountMail(owner.email, linkTo('unlock', owner))),
    passwordChanged: (email, hasPasskeys) =>
      queue.add(passwordChanged(email, `${issuer}u/reset`, hasPasskeys)),
    passkeyAdded: (email, name) => queue.add(passkeyAdded(email, name, securityUrl)),
    passkeyRemoved: (email, name) => queue.add(passkeyRemoved(email, name, securityUrl)),
    codesChanged: (email, change) => queue.add(codesChanged(email, change, securityUrl)),
    factorsRemoved: (email) => queue.add(factorsRemoved(email, `${issuer}u/reset`)),
    addressChanged: (oldEmail) => queue.add(addressChanged(oldEmail, issuer)),
    newSignIn: (email, device, address) =>
      queue.add(newSignIn(email, { device, address, at: now() }, securityUrl)),
    // A link that nobody gets, since `verify` makes one in their place: a stranger who names an address
    // learns nothing by the time.
    accountExists(email) {
      linkTo('verify', NOBODY);
      queue.add(accountExists(email, `${issuer}u/reset`));
    },
    addressNamed(email) {
      linkTo('verify', NOBODY);
      queue.add(addressNamed(email));
    },
    toNobody: (purpose) => queue.pretend(resetPassword(NOBODY.email, linkTo(purpose, NOBODY))),
  };
}
