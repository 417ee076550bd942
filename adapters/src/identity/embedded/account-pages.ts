import { passwordFault } from '@quantloom/domain/identity/password';
import type { Middleware, ParameterizedContext } from 'koa';
import type { Provider } from 'oidc-provider';
import { confirmPage, type Outcome, type SecurityView, securityPage } from './account-views.ts';
import type { Accounts, StoredAccount } from './accounts.ts';
import type { Attempts } from './attempts.ts';
import { isCommonPassword } from './common-passwords.ts';
import type { Letters } from './letters.ts';
import { noticePage } from './pages.ts';
import type { IssuerSettings } from './provider.ts';
import { addressOf, isFromElsewhere, readForm } from './request.ts';
import type { SecondFactor } from './second-factor.ts';
import type { SessionRecord, Sessions } from './sessions.ts';

export interface AccountPagesParts {
  readonly provider: Provider;
  readonly accounts: Accounts;
  readonly attempts: Attempts;
  readonly sessions: Sessions;
  readonly secondFactor: SecondFactor;
  readonly letters: Letters;
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
  'totp-off': 'The second factor is off.',
  'verify-sent': 'The message is on its way.',
};

interface Visitor {
  readonly account: StoredAccount;
  readonly session: SessionRecord;
}

/** What an action leads to: a redirect with a word, or the page with something that is shown once. */
type Done =
  | { readonly word: string }
  | {
      readonly outcome: Outcome;
      readonly more?: Partial<Pick<SecurityView, 'enrolment' | 'newRecoveryCodes'>>;
    };

const fault = (text: string): Done => ({ outcome: { isFault: true, text } });

/** `/u/account`: password, second factor and sessions of the person who is signed in, each change after a fresh proof of who it is. */
export function accountPages(parts: AccountPagesParts): Middleware {
  const { provider, accounts, attempts, sessions, secondFactor, letters, settings, isBehindProxy, now } =
    parts;

  const visitorOf = async (ctx: ParameterizedContext): Promise<Visitor | null> => {
    const session = await provider.Session.get(ctx as never);
    const account = session.accountId ? accounts.find(session.accountId) : null;
    if (!account) return null;
    // A session of before there were records has none yet.
    const record = sessions.find(session.uid);
    if (record?.subject === account.subject) return { account, session: record };
    sessions.seen({
      uid: session.uid,
      subject: account.subject,
      device: 'This browser',
      address: addressOf(ctx.req, isBehindProxy),
      loginAt: null,
    });
    const made = sessions.find(session.uid);
    return made && { account, session: made };
  };

  const show = (
    ctx: ParameterizedContext,
    { account, session }: Visitor,
    done: Exclude<Done, { word: string }> | null,
  ) => {
    ctx.status = done?.outcome.isFault ? 400 : 200;
    ctx.type = 'html';
    ctx.body = securityPage({
      email: account.email,
      isEmailVerified: accounts.isVerified(account.subject),
      outcome: done?.outcome ?? null,
      sessions: sessions.list(account.subject),
      currentUid: session.uid,
      hasSecondFactor: secondFactor.isEnabled(account.subject),
      recoveryCodesLeft: secondFactor.recoveryCodesLeft(account.subject),
      newRecoveryCodes: null,
      enrolment: null,
      ...done?.more,
    });
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
    const matching = await accounts.authenticate(account.email, form.get('password') ?? '');
    if (!matching.some(({ subject }) => subject === account.subject))
      return 'This is not the password of your account.';
    if (
      secondFactor.isEnabled(account.subject) &&
      !secondFactor.check(account.subject, form.get('code') ?? '')
    )
      return 'The code is not right. Each code works once.';
    await attempts.loginSucceeded(attempt);
    sessions.confirm(session.uid);
    return null;
  };

  const act = async (visitor: Visitor, action: string, form: URLSearchParams): Promise<Done> => {
    const { account, session } = visitor;
    const { subject } = account;
    if (action === 'password') {
      const password = form.get('password') ?? '';
      const weak = await passwordFault(password, account.email, isCommonPassword);
      if (weak !== null) return fault(`${weak}.`);
      await accounts.setPassword(subject, password);
      sessions.endOthers(subject, session.uid);
      if (accounts.ownsItsEmail(subject)) letters.passwordChanged(account.email);
      return { word: 'password' };
    }
    if (action === 'end-session') {
      const uid = form.get('uid') ?? '';
      if (sessions.find(uid)?.subject !== subject) return fault('That browser is signed out already.');
      sessions.end(uid);
      return { word: 'session' };
    }
    if (action === 'end-others') {
      sessions.endOthers(subject, session.uid);
      return { word: 'others' };
    }
    if (action === 'verify-send') {
      const wait = await attempts.letter('verify', account.email);
      if (wait !== null) return fault('We have sent several messages already. Please look for them first.');
      const owner = accounts.findByEmail(account.email);
      // Whoever reads that mail has an account with it: a link in it would give the address to this one.
      if (owner && owner.subject !== subject && accounts.isVerified(owner.subject))
        letters.accountExists(account.email);
      else letters.verify(account);
      return { word: 'verify-sent' };
    }
    if (action === 'totp-begin' && !secondFactor.isEnabled(subject))
      return {
        outcome: { isFault: false, text: 'One more step: enter the code below.' },
        more: { enrolment: secondFactor.begin(subject, account.email) },
      };
    if (action === 'totp-enable' && !secondFactor.isEnabled(subject)) {
      const codes = secondFactor.enable(subject, form.get('code') ?? '');
      if (codes)
        return {
          outcome: { isFault: false, text: 'The second factor is on.' },
          more: { newRecoveryCodes: codes },
        };
      return {
        ...fault('The code is not right. Is the clock of your phone set by itself?'),
        more: { enrolment: secondFactor.begin(subject, account.email) },
      } as Done;
    }
    if (action === 'recovery-new' && secondFactor.isEnabled(subject))
      return {
        outcome: { isFault: false, text: 'The old recovery codes no longer work.' },
        more: { newRecoveryCodes: secondFactor.renewRecoveryCodes(subject) },
      };
    if (action === 'totp-disable') {
      secondFactor.disable(subject);
      return { word: 'totp-off' };
    }
    return fault('This was not understood. Please try again.');
  };

  const askAgain = (ctx: ParameterizedContext, { account }: Visitor, found: string | null) => {
    ctx.status = found === null ? 200 : 400;
    ctx.type = 'html';
    ctx.body = confirmPage({
      email: account.email,
      hasSecondFactor: secondFactor.isEnabled(account.subject),
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
      if (!isConfirmed) return askAgain(ctx, visitor, null);
      const text = OUTCOMES[typeof ctx.query.done === 'string' ? ctx.query.done : ''];
      return show(ctx, visitor, text === undefined ? null : { outcome: { isFault: false, text } });
    }
    if (ctx.method !== 'POST') {
      ctx.status = 405;
      return;
    }
    const form = await readForm(ctx.req);
    const action = form.get('action') ?? '';
    if (action === 'confirm') {
      const found = await confirm(ctx, visitor, form);
      if (found !== null) return askAgain(ctx, visitor, found);
    } else if (!isConfirmed) return askAgain(ctx, visitor, null);
    const done: Done = action === 'confirm' ? { word: '' } : await act(visitor, action, form);
    if (!('word' in done)) return show(ctx, visitor, done);
    ctx.redirect(done.word === '' ? '/u/account' : `/u/account?done=${done.word}`);
    ctx.status = 303;
  };
}
