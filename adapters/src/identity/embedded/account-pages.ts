import { passwordFault } from '@quantloom/domain/identity/password';
import type { Middleware, ParameterizedContext } from 'koa';
import type { Provider } from 'oidc-provider';
import { confirmPage, type SecurityView, securityPage } from './account-views.ts';
import type { Accounts, StoredAccount } from './accounts.ts';
import type { Attempts, LetterPurpose } from './attempts.ts';
import { isCommonPassword } from './common-passwords.ts';
import { bringsPasskey, type Factors } from './factors.ts';
import type { Letters } from './letters.ts';
import type { Outcome } from './page-parts.ts';
import { noticePage } from './pages.ts';
import { type AddedPasskey, MAX_PASSKEYS, type Passkeys, passkeyName } from './passkeys.ts';
import type { IssuerSettings } from './provider.ts';
import { addressOf, isFromElsewhere, readForm } from './request.ts';
import type { SecondFactor } from './second-factor.ts';
import { deviceName, type SessionRecord, type Sessions } from './sessions.ts';
import type { SignInChanges } from './sign-in-changes.ts';

export interface AccountPagesParts {
  readonly provider: Provider;
  readonly accounts: Accounts;
  readonly attempts: Attempts;
  readonly sessions: Sessions;
  readonly secondFactor: SecondFactor;
  readonly passkeys: Passkeys;
  readonly factors: Factors;
  readonly letters: Letters;
  readonly changes: SignInChanges;
  readonly settings: IssuerSettings;
  readonly isBehindProxy: boolean;
  readonly now: () => number;
}

/** A password that was given this long ago is asked for again before the account can be changed. */
const CONFIRMED_FOR_MS = 10 * 60_000;

/** What the page says after a redirect, by the word in its address. */
const OUTCOMES: Readonly<Record<string, string>> = {
  password: 'Your password was changed. All other browsers are signed out.',
  session: 'That browser is signed out.',
  others: 'All other browsers are signed out.',
  'totp-off': 'The authenticator app is no longer asked for.',
  'passkey-added': 'The passkey was added.',
  'passkey-removed': 'The passkey was removed. Delete it on your device, too.',
  'verify-sent': 'The message is on its way.',
};

const PASSKEY_FAULTS: Readonly<Record<Exclude<AddedPasskey, 'ok'>, string>> = {
  late: 'That took too long. Please try again.',
  refused: 'The passkey was not accepted. Please try again.',
  full: `An account has ${MAX_PASSKEYS} passkeys at most.`,
  known: 'That passkey is known here already.',
};

interface Visitor {
  readonly account: StoredAccount;
  readonly session: SessionRecord;
  /** Browser and system in words. */
  readonly device: string;
}

/** What an action leads to: a redirect with a word, or the page with something that is shown once. */
type Done =
  | { readonly word: string }
  | {
      readonly outcome: Outcome;
      readonly more?: Partial<Pick<SecurityView, 'enrolment' | 'newRecoveryCodes'>>;
      readonly passkeyName?: string;
    };

/** Where a confirmation is asked for. */
const placeOf = ({ uid }: SessionRecord) => ({ purpose: 'confirm', boundTo: uid }) as const;

const fault = (text: string): Done => ({ outcome: { isFault: true, text } });

/**
 * `/u/account`: password, second factor and sessions of the person who is signed in, each change after a
 * fresh proof of who it is.
 */
export function accountPages(parts: AccountPagesParts): Middleware {
  const { provider, accounts, attempts, sessions, secondFactor, passkeys, factors } = parts;
  const { letters, changes, settings, isBehindProxy, now } = parts;

  const visitorOf = async (ctx: ParameterizedContext): Promise<Visitor | null> => {
    const session = await provider.Session.get(ctx as never);
    const account = session.accountId ? accounts.find(session.accountId) : null;
    if (!account) return null;
    const device = deviceName(ctx.get('user-agent'));
    // A session of before there were records has none yet.
    const record = sessions.find(session.uid);
    if (record?.subject === account.subject) return { account, session: record, device };
    sessions.seen({
      uid: session.uid,
      subject: account.subject,
      device: 'This browser',
      address: addressOf(ctx.req, isBehindProxy),
      loginAt: null,
    });
    const made = sessions.find(session.uid);
    return made && { account, session: made, device };
  };

  const passkeysOf = async ({ account, session }: Visitor, name: string) => {
    if (!passkeys.isAvailable) return null;
    const list = passkeys.list(account.subject);
    const options =
      list.length < MAX_PASSKEYS
        ? await passkeys.beginAdding(account.subject, account.email, session.uid)
        : null;
    return { list, options, name };
  };

  const show = async (
    ctx: ParameterizedContext,
    visitor: Visitor,
    done: Exclude<Done, { word: string }> | null,
  ) => {
    const { account, session } = visitor;
    ctx.status = done?.outcome.isFault ? 400 : 200;
    ctx.type = 'html';
    ctx.body = securityPage({
      email: account.email,
      isEmailVerified: accounts.isVerified(account.subject),
      outcome: done?.outcome ?? null,
      sessions: sessions.list(account.subject),
      currentUid: session.uid,
      hasSecondFactor: secondFactor.isEnabled(account.subject),
      passkeys: await passkeysOf(visitor, done?.passkeyName ?? ''),
      recoveryCodesLeft: secondFactor.recoveryCodesLeft(account.subject),
      newRecoveryCodes: null,
      enrolment: null,
      ...done?.more,
    });
  };

  /** The password with what else is asked for, or a passkey that knows its owner, which is both at once. */
  const faultOfProof = async (
    { subject, email }: StoredAccount,
    place: ReturnType<typeof placeOf>,
    form: URLSearchParams,
  ): Promise<string | null> => {
    const password = form.get('password') ?? '';
    if (password === '' && bringsPasskey(form))
      return await factors.faultOfPasskeyAlone(subject, place, form);
    if (password === '') return 'Please enter your password.';
    const matching = await accounts.authenticate(email, password);
    if (!matching.some((found) => found.subject === subject))
      return 'This is not the password of your account.';
    return factors.isOn(subject) ? await factors.faultOf(subject, place, form) : null;
  };

  const confirm = async (
    ctx: ParameterizedContext,
    { account, session }: Visitor,
    form: URLSearchParams,
  ): Promise<string | null> => {
    const attempt = {
      address: addressOf(ctx.req, isBehindProxy),
      email: account.email,
      knownDevice: session.uid,
    };
    if ((await attempts.login(attempt)) !== null) return 'Too many attempts. Please wait and try again.';
    const found = await faultOfProof(account, placeOf(session), form);
    if (found !== null) return found;
    await attempts.loginSucceeded(attempt);
    sessions.confirm(session.uid);
    return null;
  };

  /** The owner learns of the first ones at once; nobody's mailbox is filled by changing things without end. */
  const tellOwner = async (
    { subject, email }: StoredAccount,
    about: LetterPurpose,
    letter: () => void,
  ): Promise<void> => {
    if (accounts.ownsItsEmail(subject) && (await attempts.letter(about, email)) === null) letter();
  };

  const addPasskey = async (visitor: Visitor, form: URLSearchParams): Promise<Done> => {
    const { account, session, device } = visitor;
    const { subject, email } = account;
    const wanted = form.get('name') ?? '';
    const name = passkeyName(wanted, device);
    const hadFactor = factors.isOn(subject);
    const added = await passkeys.add(subject, session.uid, name, form.get('passkey') ?? '');
    if (added !== 'ok') return { ...fault(PASSKEY_FAULTS[added]), passkeyName: wanted } as Done;
    changes.note(subject, 'PasskeyAdded');
    await tellOwner(account, 'passkey', () => letters.passkeyAdded(email, name));
    if (hadFactor) return { word: 'passkey-added' };
    return {
      outcome: {
        isFault: false,
        text: 'The passkey was added. It logs you in by itself, and is asked for after the password.',
      },
      more: { newRecoveryCodes: secondFactor.renewRecoveryCodes(subject) },
    };
  };

  const act = async (visitor: Visitor, action: string, form: URLSearchParams): Promise<Done> => {
    const { account, session } = visitor;
    const { subject } = account;
    if (action === 'password') {
      const password = form.get('password') ?? '';
      const weak = await passwordFault(password, account.email, isCommonPassword);
      if (weak !== null) return fault(`${weak}.`);
      if ((await attempts.newPassword(subject)) !== null)
        return fault('Your password was changed many times already. Please wait an hour.');
      await accounts.setPassword(subject, password);
      sessions.endOthers(subject, session.uid);
      changes.note(subject, 'PasswordChanged');
      await tellOwner(account, 'passwordChanged', () =>
        letters.passwordChanged(account.email, factors.hasPasskey(subject)),
      );
      return { word: 'password' };
    }
    if (action === 'end-session') {
      const uid = form.get('uid') ?? '';
      if (sessions.find(uid)?.subject !== subject) return fault('That browser is signed out already.');
      sessions.end(uid);
      changes.note(subject, 'BrowserSignedOut');
      return { word: 'session' };
    }
    if (action === 'end-others') {
      sessions.endOthers(subject, session.uid);
      changes.note(subject, 'OtherBrowsersSignedOut');
      return { word: 'others' };
    }
    if (action === 'verify-send') {
      const wait =
        (await attempts.letter('verify', account.email)) ?? (await attempts.accountLetter(subject));
      if (wait !== null) return fault('We have sent several messages already. Please look for them first.');
      const owner = accounts.findByEmail(account.email);
      // Whoever reads that mail has an account with it: a link in it would give the address to this one.
      if (owner && owner.subject !== subject && accounts.isVerified(owner.subject))
        letters.accountExists(account.email);
      else letters.verify(account);
      return { word: 'verify-sent' };
    }
    if (action === 'passkey-add' && passkeys.isAvailable) return await addPasskey(visitor, form);
    if (action === 'passkey-remove') {
      const removed = passkeys.remove(subject, form.get('id') ?? '');
      if (removed === null) return fault('That passkey was removed already.');
      changes.note(subject, 'PasskeyRemoved');
      await tellOwner(account, 'passkey', () => letters.passkeyRemoved(account.email, removed));
      return { word: 'passkey-removed' };
    }
    if (action === 'totp-begin' && !secondFactor.isEnabled(subject))
      return {
        outcome: { isFault: false, text: 'One more step: enter the code below.' },
        more: { enrolment: secondFactor.begin(subject, account.email) },
      };
    if (action === 'totp-enable' && !secondFactor.isEnabled(subject)) {
      const codes = secondFactor.enable(subject, form.get('code') ?? '');
      if (codes) {
        changes.note(subject, 'AuthenticatorAppTurnedOn');
        await tellOwner(account, 'codes', () => letters.codesChanged(account.email, 'on'));
        return {
          outcome: { isFault: false, text: 'The authenticator app is on.' },
          more: { newRecoveryCodes: codes },
        };
      }
      return {
        ...fault('The code is not right. Is the clock of your phone set by itself?'),
        more: { enrolment: secondFactor.begin(subject, account.email) },
      } as Done;
    }
    if (action === 'recovery-new' && factors.isOn(subject)) {
      const newRecoveryCodes = secondFactor.renewRecoveryCodes(subject);
      changes.note(subject, 'RecoveryCodesRenewed');
      await tellOwner(account, 'codes', () => letters.codesChanged(account.email, 'renewed'));
      return {
        outcome: { isFault: false, text: 'The old recovery codes no longer work.' },
        more: { newRecoveryCodes },
      };
    }
    if (action === 'totp-disable') {
      const wasOn = secondFactor.isEnabled(subject);
      secondFactor.disable(subject);
      if (wasOn) {
        changes.note(subject, 'AuthenticatorAppTurnedOff');
        await tellOwner(account, 'codes', () => letters.codesChanged(account.email, 'off'));
      }
      return { word: 'totp-off' };
    }
    return fault('This was not understood. Please try again.');
  };

  const askAgain = async (ctx: ParameterizedContext, { account, session }: Visitor, found: string | null) => {
    ctx.status = found === null ? 200 : 400;
    ctx.type = 'html';
    ctx.body = confirmPage({
      email: account.email,
      factors: await factors.ask(account.subject, placeOf(session)),
      fault: found,
    });
  };

  return async (ctx, next) => {
    if (ctx.path !== '/u/account') return await next();
    ctx.set('cache-control', 'no-store');
    if (ctx.method === 'POST' && isFromElsewhere(ctx.req, settings.origins)) {
      ctx.status = 403;
      ctx.type = 'html';
      ctx.body = noticePage('This did not work', 'The form was sent from another site.');
      return;
    }
    const visitor = await visitorOf(ctx);
    if (!visitor) {
      ctx.status = 401;
      ctx.type = 'html';
      ctx.body = noticePage('You are signed out', 'Please log in, and open this page again.');
      return;
    }
    const isConfirmed = now() - visitor.session.confirmedAt < CONFIRMED_FOR_MS;
    if (ctx.method === 'GET') {
      if (!isConfirmed) return await askAgain(ctx, visitor, null);
      const text = OUTCOMES[typeof ctx.query.done === 'string' ? ctx.query.done : ''];
      return await show(ctx, visitor, text === undefined ? null : { outcome: { isFault: false, text } });
    }
    if (ctx.method !== 'POST') {
      ctx.status = 405;
      return;
    }
    const form = await readForm(ctx.req);
    const action = form.get('action') ?? '';
    if (action === 'confirm') {
      const found = await confirm(ctx, visitor, form);
      if (found !== null) return await askAgain(ctx, visitor, found);
    } else if (!isConfirmed) return await askAgain(ctx, visitor, null);
    const done: Done = action === 'confirm' ? { word: '' } : await act(visitor, action, form);
    if (!('word' in done)) return await show(ctx, visitor, done);
    ctx.redirect(done.word === '' ? '/u/account' : `/u/account?done=${done.word}`);
    ctx.status = 303;
  };
}
