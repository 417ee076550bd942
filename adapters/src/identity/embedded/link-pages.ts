import { passwordFault } from '@quantloom/domain/identity/password';
import type { Middleware, ParameterizedContext } from 'koa';
import { forgotPage, newPasswordPage, pressPage } from './account-views.ts';
import type { Accounts } from './accounts.ts';
import type { Attempts } from './attempts.ts';
import { isCommonPassword } from './common-passwords.ts';
import { bringsPasskey, type Factors } from './factors.ts';
import type { Letters } from './letters.ts';
import type { LinkOwner, LinkPurpose, Links } from './links.ts';
import { noticePage } from './pages.ts';
import type { IssuerSettings } from './provider.ts';
import { addressOf, isFromElsewhere, readForm } from './request.ts';
import type { Sessions } from './sessions.ts';
import type { SignInChanges } from './sign-in-changes.ts';
import { hashOf } from './store.ts';

export interface LinkPagesParts {
  readonly accounts: Accounts;
  readonly attempts: Attempts;
  readonly links: Links;
  readonly letters: Letters;
  readonly changes: SignInChanges;
  readonly sessions: Sessions;
  readonly factors: Factors;
  readonly settings: IssuerSettings;
  readonly isBehindProxy: boolean;
  /** Lets the owner of this address try to log in again. */
  readonly unlock: (email: string) => void;
}

/** Where links that were sent by mail lead: `/u/reset`, `/u/reset/TOKEN`, `/u/verify/TOKEN`, `/u/unlock/TOKEN`. */
export function linkPages(parts: LinkPagesParts): Middleware {
  const { accounts, attempts, links, letters, changes, sessions, factors } = parts;
  const { settings, isBehindProxy, unlock } = parts;

  const say = (ctx: ParameterizedContext, status: number, title: string, text: string) => {
    ctx.status = status;
    ctx.type = 'html';
    ctx.body = noticePage(title, text);
  };
  const show = (ctx: ParameterizedContext, body: string, status = 200) => {
    ctx.status = status;
    ctx.type = 'html';
    ctx.body = body;
  };
  const worthless = (ctx: ParameterizedContext) =>
    say(ctx, 410, 'This link no longer works', 'It was used, or is too old. Please ask for a new one.');

  /** The answer and its time are the same whether or not the address has an account. */
  const forgot = async (ctx: ParameterizedContext) => {
    if (ctx.method === 'GET') return show(ctx, forgotPage({ email: '', fault: null }));
    const email = (await readForm(ctx.req)).get('email')?.trim() ?? '';
    const wait =
      (await attempts.reset(addressOf(ctx.req, isBehindProxy))) ?? (await attempts.letter('reset', email));
    if (wait !== null) {
      ctx.set('retry-after', String(wait));
      const fault = `Too many requests. Please wait ${Math.ceil(wait / 60)} minutes and try again.`;
      return show(ctx, forgotPage({ email, fault }), 429);
    }
    const account = accounts.findByEmail(email);
    // After the answer, and the same where there is nobody to write to: the next request would tell.
    setImmediate(() => (account ? letters.reset(account) : letters.toNobody('reset')));
    return say(
      ctx,
      200,
      'Look into your mail',
      'If this address has an account, a link to a new password is on its way. It works for one hour.',
    );
  };

  const reset = async (ctx: ParameterizedContext, token: string) => {
    const owner = links.find('reset', token);
    if (!owner) return worthless(ctx);
    const place = { purpose: 'reset', boundTo: hashOf(token) } as const;
    const again = async (fault: string | null, status = 200) => {
      const asked = await factors.ask(owner.subject, place);
      show(ctx, newPasswordPage({ action: ctx.path, fault, factors: asked }), status);
    };
    if (ctx.method === 'GET') return await again(null);
    const form = await readForm(ctx.req);
    const password = form.get('password') ?? '';
    const weak = await passwordFault(password, owner.emailKey, isCommonPassword);
    if (weak !== null) return await again(`${weak}.`, 400);
    if (factors.isOn(owner.subject)) {
      if (!bringsPasskey(form) && (await attempts.code(owner.subject)) !== null)
        return await again('Too many attempts. Please wait.', 429);
      const found = await factors.faultOf(owner.subject, place, form);
      if (found !== null) return await again(found, 400);
    }
    if (!links.use('reset', token)) return worthless(ctx);
    await accounts.setPassword(owner.subject, password);
    // Whoever reads the mail of an address owns it.
    accounts.verifyEmail(owner.subject, owner.emailKey);
    sessions.endOthers(owner.subject, null);
    unlock(owner.emailKey);
    changes.note(owner.subject, 'PasswordReset');
    const account = accounts.find(owner.subject);
    const hasPasskeys = factors.hasPasskey(owner.subject);
    const mayWrite = account && (await attempts.letter('passwordChanged', account.email)) === null;
    if (mayWrite && accounts.ownsItsEmail(owner.subject)) letters.passwordChanged(account.email, hasPasskeys);
    // Whoever was in the account before may have left one.
    const more = hasPasskeys
      ? ' The passkeys of your account go on working: look through them under “Password and security”.'
      : '';
    return say(ctx, 200, 'Your password is saved', `You can log in with it now.${more}`);
  };

  /** A link that does something once its button is pressed. */
  const pressed =
    (
      purpose: LinkPurpose,
      page: { readonly title: string; readonly text: string; readonly label: string },
      /** False: the link is worth nothing any more. */
      act: (owner: LinkOwner) => boolean,
      done: readonly [title: string, text: string],
    ) =>
    async (ctx: ParameterizedContext, token: string) => {
      if (ctx.method === 'GET' && links.find(purpose, token))
        return show(ctx, pressPage({ ...page, action: ctx.path }));
      const owner = ctx.method === 'POST' ? links.use(purpose, token) : null;
      if (!owner || !act(owner)) return worthless(ctx);
      return say(ctx, 200, ...done);
    };
  const verify = pressed(
    'verify',
    {
      title: 'Confirm your e-mail address',
      text: 'One click, and the address of your account is confirmed.',
      label: 'Confirm',
    },
    ({ subject, emailKey }) => accounts.verifyEmail(subject, emailKey),
    ['Thank you', 'Your e-mail address is confirmed.'],
  );
  const unlocked = pressed(
    'unlock',
    {
      title: 'Try again',
      text: 'The failed attempts on your account are forgotten, and you can log in again.',
      label: 'Let me try again',
    },
    ({ emailKey }) => {
      unlock(emailKey);
      return true;
    },
    ['You can log in again', 'If you have forgotten your password, choose a new one.'],
  );

  const PAGES = { reset, verify, unlock: unlocked } as const;

  return async (ctx, next) => {
    const [, kind, token] = /^\/u\/(reset|verify|unlock)(?:\/([A-Za-z0-9_-]{16,64}))?$/.exec(ctx.path) ?? [];
    if (kind === undefined || (token === undefined && kind !== 'reset')) return await next();
    ctx.set('cache-control', 'no-store');
    if (ctx.method !== 'GET' && ctx.method !== 'POST') {
      ctx.status = 405;
      return;
    }
    if (ctx.method === 'POST' && isFromElsewhere(ctx.req, settings.origins))
      return say(ctx, 403, 'This did not work', 'The form was sent from another site.');
    if (token === undefined) return await forgot(ctx);
    await PAGES[kind as keyof typeof PAGES](ctx, token);
  };
}
