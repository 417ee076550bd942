import { passwordFault } from '@quantloom/domain/identity/password';
import { isIdentityError } from '@quantloom/domain/ports/identity';
import type { Middleware, ParameterizedContext } from 'koa';
import { errors, type Provider } from 'oidc-provider';
import type { Accounts } from './accounts.ts';
import type { Attempts } from './attempts.ts';
import { type Devices, newDevice } from './devices.ts';
import { noticePage, PAGE_CSS, PAGE_JS, type Screen, type SignInPage, signInPage } from './pages.ts';
import type { IssuerSettings } from './provider.ts';
import { addressOf, readForm } from './request.ts';

export interface SignInParts {
  readonly provider: Provider;
  readonly accounts: Accounts;
  readonly attempts: Attempts;
  readonly devices: Devices;
  readonly settings: IssuerSettings;
  readonly isBehindProxy: boolean;
}

type Fault = Pick<SignInPage, 'fault' | 'faultField'> & {
  readonly status: number;
  readonly retryAfter?: number;
};

const fault = (status: number, text: string, faultField: SignInPage['faultField']): Fault => ({
  status,
  fault: text,
  faultField,
});

const tooMany = (seconds: number): Fault => ({
  status: 429,
  fault: `Too many attempts. Please wait ${Math.ceil(seconds / 60)} minutes and try again.`,
  faultField: null,
  retryAfter: seconds,
});

/** A browser that has signed in keeps its own count of attempts. */
const DEVICE_COOKIE = 'quantloom_device';
/** What browsers keep at most. */
const DEVICE_COOKIE_DAYS = 400;

/** The pages under `/u/`: log-in, sign-up and what they need. */
export function signInPages(parts: SignInParts): Middleware {
  const { provider, accounts, attempts, devices, settings, isBehindProxy } = parts;

  const logIn = async (
    from: { readonly address: string; readonly device: string | null },
    email: string,
    password: string,
  ): Promise<string | Fault> => {
    const { address, device } = from;
    const knownDevice = device !== null && devices.isKnown(device, email) ? device : null;
    const attempt = { address, email, knownDevice };
    const wait = await attempts.login(attempt);
    if (wait !== null) return tooMany(wait);
    const account = await accounts.authenticate(email, password);
    if (!account) return fault(400, 'E-mail address and password do not match.', 'password');
    await attempts.loginSucceeded(attempt);
    return account.subject;
  };

  const signUp = async (address: string, email: string, password: string): Promise<string | Fault> => {
    const weak = passwordFault(password, email);
    if (weak !== null) return fault(400, `${weak}.`, 'password');
    const wait = await attempts.signUp(address);
    if (wait !== null) return tooMany(wait);
    try {
      return (await accounts.create(email, password)).subject;
    } catch (error) {
      if (isIdentityError(error)) return fault(400, `${error.message}.`, 'email');
      throw error;
    }
  };

  const rememberDevice = (ctx: ParameterizedContext, device: string, subject: string): void => {
    devices.remember(device, subject);
    const isHttps = settings.issuer.startsWith('https:');
    const seconds = DEVICE_COOKIE_DAYS * 24 * 60 * 60;
    ctx.append(
      'set-cookie',
      `${DEVICE_COOKIE}=${device}; Path=/u/; Max-Age=${seconds}; HttpOnly; SameSite=Lax${isHttps ? '; Secure' : ''}`,
    );
  };

  const show = (ctx: ParameterizedContext, screen: Screen, email: string, found: Fault | null): void => {
    ctx.status = found?.status ?? 200;
    if (found?.retryAfter) ctx.set('retry-after', String(found.retryAfter));
    ctx.type = 'html';
    ctx.body = signInPage({
      screen,
      action: ctx.path,
      email,
      fault: found?.fault ?? null,
      faultField: found?.faultField ?? null,
    });
  };

  const interact = async (ctx: ParameterizedContext): Promise<void> => {
    const interaction = await provider.interactionDetails(ctx.req, ctx.res);
    if (ctx.path !== `/u/${interaction.uid}`)
      throw new errors.SessionNotFound('this page belongs to another sign-in');
    const asked = ctx.query.screen ?? (interaction.params.screen_hint === 'signup' ? 'signup' : 'login');
    const hint = interaction.params.login_hint;
    if (ctx.method === 'GET')
      return show(ctx, asked === 'signup' ? 'signup' : 'login', typeof hint === 'string' ? hint : '', null);

    const origin = ctx.get('origin');
    if (origin !== '' && !settings.origins.includes(origin))
      throw new errors.InvalidRequest('the form was sent from another site', 403);
    const form = await readForm(ctx.req);
    const screen = form.get('screen');
    if (screen === 'cancel') {
      ctx.redirect(
        await provider.interactionResult(ctx.req, ctx.res, {
          error: 'access_denied',
          error_description: 'The sign-in was cancelled',
        }),
      );
      ctx.status = 303;
      return;
    }
    const email = form.get('email')?.trim() ?? '';
    const password = form.get('password') ?? '';
    const address = addressOf(ctx.req, isBehindProxy);
    const device = ctx.cookies.get(DEVICE_COOKIE, { signed: false }) ?? null;
    const result =
      screen === 'signup'
        ? await signUp(address, email, password)
        : await logIn({ address, device }, email, password);
    if (typeof result !== 'string') return show(ctx, screen === 'signup' ? 'signup' : 'login', email, result);
    rememberDevice(ctx, device ?? newDevice(), result);
    ctx.redirect(await provider.interactionResult(ctx.req, ctx.res, { login: { accountId: result } }));
    ctx.status = 303;
  };

  return async (ctx, next) => {
    if (!ctx.path.startsWith('/u/')) return await next();
    if (ctx.path === '/u/page.css' || ctx.path === '/u/page.js') {
      ctx.type = ctx.path.slice(-3) === 'css' ? 'css' : 'js';
      ctx.set('cache-control', 'public, max-age=3600');
      ctx.body = ctx.path === '/u/page.css' ? PAGE_CSS : PAGE_JS;
      return;
    }
    ctx.set('cache-control', 'no-store');
    if (ctx.method !== 'GET' && ctx.method !== 'POST') {
      ctx.status = 405;
      return;
    }
    try {
      await interact(ctx);
    } catch (error) {
      if (!(error instanceof errors.OIDCProviderError)) throw error;
      ctx.status = error.statusCode;
      ctx.type = 'html';
      ctx.body = noticePage(
        error instanceof errors.SessionNotFound ? 'This page has expired' : 'This did not work',
        'Please go back and start again from the page.',
      );
    }
  };
}
