import { PRODUCT_NAME } from '@quantloom/domain/kernel/product';
import { letter } from '@quantloom/domain/mail/letter';
import type { MailMessage } from '@quantloom/domain/ports/mail';

/** Asks the owner of an address to confirm it. */
export const verifyAddress = (to: string, url: string): MailMessage =>
  letter({
    to,
    subject: 'Confirm your e-mail address',
    paragraphs: ['Please confirm that this address is yours. The link works for seven days.'],
    button: { label: 'Confirm this address', url },
    closing:
      `You get this because somebody used this address for an account at ${PRODUCT_NAME}. ` +
      'If that was not you, ignore it.',
  });

/** The way back for somebody who has forgotten the password. */
export const resetPassword = (to: string, url: string): MailMessage =>
  letter({
    to,
    subject: 'Choose a new password',
    paragraphs: [
      'Somebody asked for a new password for your account. The link works once, and for one hour.',
      'Choosing a new password signs you out everywhere.',
    ],
    button: { label: 'Choose a new password', url },
    closing: 'If you did not ask for it, ignore this message: your password stays as it is.',
  });

/** Tells the old address that the account has left it. */
export const addressChanged = (to: string, securityUrl: string): MailMessage =>
  letter({
    to,
    subject: 'The e-mail address of your account was changed',
    paragraphs: ['Your account now has another e-mail address. Messages no longer go to this one.'],
    closing:
      'If you did not change it, somebody else is in your account: ' +
      `write to the operator of ${securityUrl} at once.`,
  });

/** Tells the owner that the password is another one now. */
export const passwordChanged = (to: string, resetUrl: string, hasPasskeys: boolean): MailMessage =>
  letter({
    to,
    subject: 'Your password was changed',
    paragraphs: [
      'Your account has a new password. All other browsers were signed out.' +
        (hasPasskeys ? ' Its passkeys go on working.' : ''),
    ],
    button: { label: 'That was not me', url: resetUrl },
    closing: 'If you changed it yourself, there is nothing to do.',
  });

const WHO_CHANGED_IT =
  'If that was not you, change your password, and look at the passkeys and codes of your account.';

/** Tells the owner of a way to sign in that is new. */
export const passkeyAdded = (to: string, name: string, securityUrl: string): MailMessage =>
  letter({
    to,
    subject: 'A passkey was added to your account',
    paragraphs: [
      `The passkey “${name}” was added. Whoever has it can log in to your account.`,
      WHO_CHANGED_IT,
    ],
    button: { label: 'Look at my passkeys', url: securityUrl },
    closing: 'If it was you, there is nothing to do.',
  });

/** Tells the owner of a way to sign in that is gone. */
export const passkeyRemoved = (to: string, name: string, securityUrl: string): MailMessage =>
  letter({
    to,
    subject: 'A passkey was removed from your account',
    paragraphs: [`The passkey “${name}” was removed, and signs nobody in any more.`, WHO_CHANGED_IT],
    button: { label: 'Look at my passkeys', url: securityUrl },
    closing: 'If it was you, there is nothing to do.',
  });

const CODES_CHANGES = {
  on: {
    subject: 'An authenticator app was turned on for your account',
    what: 'From now on, logging in with your password asks for a code of that app.',
  },
  off: {
    subject: 'The authenticator app of your account was turned off',
    what: 'From now on, logging in with your password asks for no code of an app.',
  },
  renewed: {
    subject: 'The recovery codes of your account were renewed',
    what: 'New recovery codes were shown. The old ones no longer work.',
  },
} as const;

/** What was done with the codes that are asked for after the password. */
export type CodesChange = keyof typeof CODES_CHANGES;

/** Tells the owner of codes that are new or gone: with them somebody else would get in, or keep the owner out. */
export const codesChanged = (to: string, change: CodesChange, securityUrl: string): MailMessage =>
  letter({
    to,
    subject: CODES_CHANGES[change].subject,
    paragraphs: [CODES_CHANGES[change].what, WHO_CHANGED_IT],
    button: { label: 'Look at my account', url: securityUrl },
    closing: 'If it was you, there is nothing to do.',
  });

/** Tells the owner that somebody who runs the place has taken passkeys and codes away. */
export const factorsRemoved = (to: string, resetUrl: string): MailMessage =>
  letter({
    to,
    subject: 'Passkeys and codes were removed from your account',
    paragraphs: [
      'An administrator removed all passkeys, the codes of your app and your recovery codes, ' +
        'and signed you out everywhere.',
      'From now on your password alone is asked for, until you add a passkey or an app again.',
    ],
    button: { label: 'Choose a new password', url: resetUrl },
    closing: 'If you did not ask for this, choose a new password now, and write to whoever runs this place.',
  });

/** Tells the owner of a sign-in from a browser that the account has not seen. */
export const newSignIn = (
  to: string,
  where: { readonly device: string; readonly address: string; readonly at: Date },
  securityUrl: string,
): MailMessage =>
  letter({
    to,
    subject: 'New sign-in to your account',
    paragraphs: [
      `Somebody signed in with your password: ${where.device}, from ${where.address}, ` +
        `on ${where.at.toISOString().slice(0, 16).replace('T', ' at ')} UTC.`,
      'If it was not you, change your password: that signs out everybody else.',
    ],
    button: { label: 'Look at my sessions', url: securityUrl },
    closing: 'If it was you, there is nothing to do.',
  });

/** The way in for somebody whose account was locked by attempts of others. */
export const unlockAccountMail = (to: string, url: string): MailMessage =>
  letter({
    to,
    subject: 'Too many attempts to log in to your account',
    paragraphs: [
      'Somebody tried many passwords, and log-in from unknown browsers is closed for a while.',
      'If that was you, this link lets you try again at once. It works once, and for one hour.',
    ],
    button: { label: 'Let me try again', url },
    closing: 'If it was not you, there is nothing to do: nobody got in.',
  });

/**
 * Tells the owner of an address that somebody signed up with it again: the page does not say so, or it would
 * tell strangers.
 */
export const accountExists = (to: string, resetUrl: string): MailMessage =>
  letter({
    to,
    subject: 'You have an account already',
    paragraphs: [
      'Somebody signed up with your address, which has an account already. That account is as it was.',
      'If that was you: the new password opened an empty second account. ' +
        'Log out, and log in with the password that you had, or choose a new one.',
    ],
    button: { label: 'Choose a new password', url: resetUrl },
    closing: 'If it was not you, there is nothing to do: nobody got into your account.',
  });

/** Tells the owner of an address that another account was given it. */
export const addressNamed = (to: string): MailMessage =>
  letter({
    to,
    subject: 'Somebody entered your e-mail address',
    paragraphs: [
      'Another account was given your address. It gets none of your messages, and your account is as it was.',
    ],
    closing: 'If that was you, enter another address in that account. If not, there is nothing to do.',
  });
