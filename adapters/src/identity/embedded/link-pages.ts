import { passwordFault } from '@quantloom/domain/identity/password';
import type { Middleware, ParameterizedContext } from 'koa';
import { forgotPage, newPasswordPage, pressPage } from './account-views.ts';
import type { Accounts } from './accounts.ts';
import type { Attempts } from './attempts.ts';
import { isCommonPassword } from './common-passwords.ts';
import type { Letters } from './letters.ts';
import type { Links } from './links.ts';
import { noticePage } from './pages.ts';
import type { IssuerSettings } from './provider.ts';
import { addressOf, readForm } from './request.ts';
import type { SecondFactor } from './second-factor.ts';
import type { Sessions } from './sessions.ts';

export interface LinkPagesParts {
  readonly accounts: Accounts;
  readonly attempts: Attempts;
  readonly links: Links;
  readonly letters: Letters;
  readonly sessions: Sessions;
  readonly secondFactor: SecondFactor;
  readonly settings: IssuerSettings;
  readonly isBehindProxy: boolean;
  /** Lets the owner of this address try to log in again. */
  readonly unlock: (email: string) => void;
}

/** Where links that were sent by mail lead: `/u/reset`, `/u/reset/TOKEN`, `/u/verify/TOKEN`, `/u/unlock/TOKEN`. */
export function linkPages(parts: LinkPagesParts): Middleware {
  const { accounts, attempts, links, letters, sessions, secondFactor, settings, isBehindProxy, unlock } =
    parts;

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
    // What differs in cost (a row in a file) happens after the answer.
    if (account) setImmediate(() => letters.reset(account));
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
    const hasSecondFactor = secondFactor.isEnabled(owner.subject);
    const again = (fault: string | null, status = 200) =>
      show(ctx, newPasswordPage({ action: ctx.path, fault, hasSecondFactor }), status);
    if (ctx.method === 'GET') return again(null);
    const form = await readForm(ctx.req);
    const password = form.get('password') ?? '';
    const weak = await passwordFault(password, owner.emailKey, isCommonPassword);
    if (weak !== null) return again(`${weak}.`, 400);
    if (hasSecondFactor) {
      if ((await attempts.code(owner.subject)) !== null) return again('Too many attempts. Please wait.', 429);
      if (!secondFactor.check(owner.subject, form.get('code') ?? ''))
        return again('The code is not right. Each code works once.', 400);
    }
    if (!links.use('reset', token)) return worthless(ctx);
    await accounts.setPassword(owner.subject, password);
    // Whoever reads the mail of an address owns it.
    accounts.verifyEmail(owner.subject, owner.emailKey);
    sessions.endOthers(owner.subject, null);
    unlock(owner.emailKey);
    const account = accounts.find(owner.subject);
    if (account) letters.passwordChanged(account.email);
    return say(ctx, 200, 'Your password is saved', 'You can log in with it now.');
  };

  const verify = async (ctx: ParameterizedContext, token: string) => {
    if (!links.find('verify', token)) return worthless(ctx);
    if (ctx.method === 'GET')
      return show(
        ctx,
        pressPage({
          title: 'Confirm your e-mail address',
          text: 'One click, and the address of your account is confirmed.',
          action: ctx.path,
          label: 'Confirm',
        }),
      );
    const owner = links.use('verify', token);
    if (!owner) return worthless(ctx);
    accounts.verifyEmail(owner.subject, owner.emailKey);
    return say(ctx, 200, 'Thank you', 'Your e-mail address is confirmed.');
  };

  const unlocked = async (ctx: ParameterizedContext, token: string) => {
    if (!links.find('unlock', token)) return worthless(ctx);
    if (ctx.method === 'GET')
      return show(
        ctx,
        pressPage({
          title: 'Try again',
          text: 'The failed attempts on your account are forgotten, and you can log in again.',
          action: ctx.path,
          label: 'Let me try again',
        }),
      );
    const owner = links.use('unlock', token);
    if (!owner) return worthless(ctx);
    unlock(owner.emailKey);
    return say(ctx, 200, 'You can log in again', 'If you have forgotten your password, choose a new one.');
  };

  const PAGES = { reset, verify, unlock: unlocked } as const;

  return async (ctx, next) => {
    const [, kind, token] = /^\/u\/(reset|verify|unlock)(?:\/([A-Za-z0-9_-]{16,64}))?$/.exec(ctx.path) ?? [];
    if (kind === undefined || (token === undefined && kind !== 'reset')) return await next();
    ctx.set('cache-control', 'no-store');
    if (ctx.method !== 'GET' && ctx.method !== 'POST') {
      ctx.status = 405;
      return;
    }
    const origin = ctx.get('origin');
    if (ctx.method === 'POST' && origin !== '' && !settings.origins.includes(origin))
      return say(ctx, 403, 'This did not work', 'The form was sent from another site.');
    if (token === undefined) return await forgot(ctx);
    await PAGES[kind as keyof typeof PAGES](ctx, token);
  };
}
