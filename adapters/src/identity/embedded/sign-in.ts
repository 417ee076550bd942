import { passwordFault } from '@quantloom/domain/identity/password';
import { isIdentityError } from '@quantloom/domain/ports/identity';
import type { Middleware, ParameterizedContext } from 'koa';
import { LRUCache } from 'lru-cache';
import { errors, type Provider } from 'oidc-provider';
import { codePage } from './account-views.ts';
import type { Accounts } from './accounts.ts';
import type { Attempts } from './attempts.ts';
import { isCommonPassword } from './common-passwords.ts';
import { type Devices, newDevice } from './devices.ts';
import { bringsPasskey, type Factors } from './factors.ts';
import type { Letters } from './letters.ts';
import { PAGE_JS } from './page-script.ts';
import { noticePage, PAGE_CSS, type Screen, type SignInPage, signInPage } from './pages.ts';
import { passkeySignIn } from './passkey-sign-in.ts';
import type { Passkeys } from './passkeys.ts';
import type { IssuerSettings } from './provider.ts';
import { addressOf, isFromElsewhere, readForm } from './request.ts';
import { deviceName } from './sessions.ts';

export interface SignInParts {
  readonly provider: Provider;
  readonly accounts: Accounts;
  readonly attempts: Attempts;
  readonly devices: Devices;
  readonly factors: Factors;
  readonly passkeys: Passkeys;
  readonly letters: Letters;
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

/** Where a form comes from. */
interface Place {
  readonly address: string;
  /** Secret of the browser, where it has signed in before. */
  readonly device: string | null;
}

const tooMany = (seconds: number): Fault => ({
  status: 429,
  fault: `Too many attempts. Please wait ${Math.ceil(seconds / 60)} minutes and try again.`,
  faultField: null,
  retryAfter: seconds,
});

const PASSKEY_FAULTS = {
  late: 'That took too long. Please try again.',
  refused: 'The passkey was not accepted. Please try another one, or log in with your password.',
} as const;

/** A browser that has signed in keeps its own count of attempts. */
const DEVICE_COOKIE = 'quantloom_device';
/** The second factor is given within this time after the password. */
const CODE_WITHIN_MS = 10 * 60_000;
/** What browsers keep at most. */
const DEVICE_COOKIE_DAYS = 400;

/** The pages under `/u/`: log-in, sign-up and what they need. */
export function signInPages(parts: SignInParts): Middleware {
  const { provider, accounts, attempts, devices, factors, passkeys, letters, settings, isBehindProxy } =
    parts;
  const signInByPasskey = passkeySignIn(parts);
  /** Who has given the right password, by the sign-in that waits for a passkey or a code. */
  const waiting = new LRUCache<string, string>({ max: 10_000, ttl: CODE_WITHIN_MS });

  const logIn = async (from: Place, email: string, password: string): Promise<string | Fault> => {
    const { address, device } = from;
    const own = device === null ? [] : devices.accountsOf(device, email);
    const attempt = { address, email, knownDevice: own.length > 0 ? device : null };
    const wait = await attempts.login(attempt);
    if (wait !== null) {
      if ((await attempts.letter('unlock', email)) === null) {
        const owner = accounts.findByEmail(email);
        if (owner) letters.unlock(owner);
        else letters.toNobody('unlock');
      }
      return tooMany(wait);
    }
    const matching = await accounts.authenticate(email, password);
    const known = matching.find(({ subject }) => own.includes(subject));
    if (known) {
      await attempts.loginSucceeded(attempt);
      return known.subject;
    }
    // A device is known to one account: for all others of this address its attempts count as those of a stranger.
    const asStranger = { ...attempt, knownDevice: null };
    const strangersWait = attempt.knownDevice === null ? null : await attempts.login(asStranger);
    if (strangersWait === null && matching[0]) {
      await attempts.loginSucceeded(asStranger);
      return matching[0].subject;
    }
    return fault(400, 'E-mail address and password do not match.', 'password');
  };

  /** The answer is the same whether or not the address has an account: its owner learns of it by mail. */
  const signUp = async (address: string, email: string, password: string): Promise<string | Fault> => {
    const weak = await passwordFault(password, email, isCommonPassword);
    if (weak !== null) return fault(400, `${weak}.`, 'password');
    const wait = await attempts.signUp(address, email);
    if (wait !== null) return tooMany(wait);
    // Somebody who has forgotten that there is an account, but not its password.
    const [known] = await accounts.authenticate(email, password);
    if (known) return known.subject;
    try {
      const account = await accounts.create(email, password);
      const mayWrite = (await attempts.letter('signUp', email)) === null;
      if (!mayWrite) return account.subject;
      if (accounts.ownsItsEmail(account.subject)) letters.verify(account);
      else letters.accountExists(account.email);
      return account.subject;
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

  const show = async (
    ctx: ParameterizedContext,
    uid: string,
    screen: Screen,
    email: string,
    found: Fault | null,
  ): Promise<void> => {
    const passkeyOptions =
      screen === 'login' && passkeys.isAvailable ? await passkeys.beginSignIn(uid) : null;
    ctx.status = found?.status ?? 200;
    if (found?.retryAfter) ctx.set('retry-after', String(found.retryAfter));
    ctx.type = 'html';
    ctx.body = signInPage({
      screen,
      action: ctx.path,
      email,
      fault: found?.fault ?? null,
      faultField: found?.faultField ?? null,
      passkeyOptions,
    });
  };

  const interact = async (ctx: ParameterizedContext): Promise<void> => {
    const interaction = await provider.interactionDetails(ctx.req, ctx.res);
    if (ctx.path !== `/u/${interaction.uid}`)
      throw new errors.SessionNotFound('this page belongs to another sign-in');
    const asked = ctx.query.screen ?? (interaction.params.screen_hint === 'signup' ? 'signup' : 'login');
    const hint = interaction.params.login_hint;
    if (ctx.method === 'GET')
      return await show(
        ctx,
        interaction.uid,
        asked === 'signup' ? 'signup' : 'login',
        typeof hint === 'string' ? hint : '',
        null,
      );

    if (isFromElsewhere(ctx.req, settings.origins))
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
    const goOn = async (subject: string): Promise<void> => {
      const known = ctx.cookies.get(DEVICE_COOKIE, { signed: false }) ?? null;
      const account = accounts.find(subject);
      const isKnown =
        known !== null && account !== null && devices.accountsOf(known, account.email).includes(subject);
      const isNews = screen !== 'signup' && account && !isKnown && accounts.ownsItsEmail(subject);
      if (isNews && (await attempts.letter('newSignIn', account.email)) === null)
        letters.newSignIn(
          account.email,
          deviceName(ctx.get('user-agent')),
          addressOf(ctx.req, isBehindProxy),
        );
      rememberDevice(ctx, known ?? newDevice(), subject);
      ctx.redirect(await provider.interactionResult(ctx.req, ctx.res, { login: { accountId: subject } }));
      ctx.status = 303;
    };
    const place = { purpose: 'login', boundTo: interaction.uid } as const;
    const showFactors = async (subject: string, status: number, found: string | null): Promise<void> => {
      ctx.status = status;
      ctx.type = 'html';
      ctx.body = codePage({ action: ctx.path, factors: await factors.ask(subject, place), fault: found });
    };
    if (screen === 'code') {
      const subject = waiting.get(interaction.uid);
      if (subject === undefined)
        return await show(
          ctx,
          interaction.uid,
          'login',
          '',
          fault(400, 'That took too long. Please enter your password again.', null),
        );
      const wait = bringsPasskey(form) ? null : await attempts.code(subject);
      const found = wait === null ? await factors.faultOf(subject, place, form) : (tooMany(wait).fault ?? '');
      if (found !== null) return await showFactors(subject, wait === null ? 400 : 429, found);
      waiting.delete(interaction.uid);
      return await goOn(subject);
    }
    const address = addressOf(ctx.req, isBehindProxy);
    const device = ctx.cookies.get(DEVICE_COOKIE, { signed: false }) ?? null;
    if (screen === 'passkey' && passkeys.isAvailable) {
      const found = await signInByPasskey({ address, device }, interaction.uid, form.get('passkey') ?? '');
      if ('subject' in found) return await goOn(found.subject);
      const told = 'wait' in found ? tooMany(found.wait) : fault(400, PASSKEY_FAULTS[found.fault], null);
      return await show(ctx, interaction.uid, 'login', '', told);
    }
    const email = form.get('email')?.trim() ?? '';
    const password = form.get('password') ?? '';
    const result =
      screen === 'signup'
        ? await signUp(address, email, password)
        : await logIn({ address, device }, email, password);
    if (typeof result !== 'string')
      return await show(ctx, interaction.uid, screen === 'signup' ? 'signup' : 'login', email, result);
    if (!factors.isOn(result)) return await goOn(result);
    waiting.set(interaction.uid, result);
    await showFactors(result, 200, null);
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
      // Who presses Back after signing in comes here, and has nothing to start again.
      ctx.body =
        error instanceof errors.SessionNotFound
          ? noticePage(
              'This page has expired',
              'It was used already, or opened too long ago. If you are signed in, simply go on; ' +
                'otherwise sign in again from there.',
            )
          : noticePage('This did not work', 'Please go back and start again from the page.');
    }
  };
}
