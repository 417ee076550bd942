import type { EventEmitter } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import path from 'node:path';
import { normalizeEmail } from '@quantloom/domain/identity/email';
import { API_SCOPE, CALLBACK_PATH, DEFAULT_AUDIENCE, WEB_CLIENT_ID } from '@quantloom/domain/identity/issuer';
import { PRODUCT_NAME } from '@quantloom/domain/kernel/product';
import type { Assistance, Identity } from '@quantloom/domain/ports/identity';
import { IdentityError } from '@quantloom/domain/ports/identity';
import type { Mail } from '@quantloom/domain/ports/mail';
import type { RateLimits } from '@quantloom/domain/ports/rate-limits';
import { createLocalJWKSet } from 'jose';
import type { KoaContextWithOIDC } from 'oidc-provider';
import { createOutboxMail } from '../../mail/outbox/outbox-mail.ts';
import { createSqliteRateLimits } from '../../rate-limits/sqlite/rate-limits.ts';
import { openSqliteDatabase } from '../../sqlite/database.ts';
import { createSecretBox } from '../secret-box.ts';
import { createTokenVerifier } from '../token-verifier.ts';
import { accountPages } from './account-pages.ts';
import { createAccounts, type StoredAccount } from './accounts.ts';
import { createAttempts } from './attempts.ts';
import { createDevices, unlockAccount, unlocksOf } from './devices.ts';
import { createFactors } from './factors.ts';
import { grantIdOf, removeExpired } from './item-adapter.ts';
import {
  type IssuerKeys,
  isRotationDue,
  keysVersion,
  loadKeys,
  publicJwks,
  readKeys,
  rotateSigningKey,
} from './keys.ts';
import { createLetters } from './letters.ts';
import { linkPages } from './link-pages.ts';
import { createLinks } from './links.ts';
import { logout } from './logout.ts';
import { createMachineClients } from './machine-clients.ts';
import { createMailQueue } from './mail-queue.ts';
import { managementApi } from './management-api.ts';
import { createPasskeys } from './passkeys.ts';
import { createProvider, type IssuerSettings, managementAudience } from './provider.ts';
import { Remains } from './remains.ts';
import { addressOf } from './request.ts';
import { createSecondFactor } from './second-factor.ts';
import { securityHeaders } from './security-headers.ts';
import { createSessions, deviceName } from './sessions.ts';
import { signInPages } from './sign-in.ts';
import { createSignInChanges, type ToldChange } from './sign-in-changes.ts';
import { limitSignIns, limitVisits } from './sign-in-limit.ts';
import { openIdentityStore } from './store.ts';
import { tokenRequests } from './token-request.ts';
import { whileAway } from './while-away.ts';

export interface EmbeddedIdentityOptions {
  /** Public address of the one port that serves page, APIs and issuer; http only on loopback. */
  readonly issuerUrl: string;
  /** Folder for `identity.sqlite`. */
  readonly dataDir: string;
  /** 32 bytes as 64 hexadecimal digits; without it accounts survive, but keys, secrets and sessions can't be read. */
  readonly encryptionKey: string;
  readonly audience?: string;
  /** Default: windows in `identity.sqlite`. */
  readonly rateLimits?: RateLimits;
  /** True when a proxy in front sets `X-Forwarded-For`. */
  readonly isBehindProxy?: boolean;
  /** Seconds; default 3600. */
  readonly accessTokenTtl?: number;
  /**
   * Opens a management API (`/api/v2/`, as Auth0's) to this client: for API processes that share this issuer.
   * Default: closed.
   */
  readonly managementClient?: { readonly clientId: string; readonly clientSecret: string };
  /** How often keys that another process has rotated are looked for, in ms (default 30,000). */
  readonly keyCheckMs?: number;
  /** Delivers the issuer's messages. Default: the outbox in `dataDir`. */
  readonly mail?: Mail;
  /** Clock of confirmations, in ms; for tests. */
  readonly now?: () => number;
  /**
   * Takes over what people change about how they sign in; it may come twice, and comes again where this
   * rejects. Default: another process tells it.
   */
  readonly onChange?: (change: ToldChange) => Promise<void>;
  /** Errors that no visitor should read. */
  readonly onError?: (error: unknown) => void;
}

export interface EmbeddedIdentity {
  readonly identity: Identity;
  /** What the page needs to sign in. */
  readonly settings: { readonly issuer: string; readonly clientId: string; readonly audience: string };
  /** True for paths that `handler` serves. */
  handles(pathname: string): boolean;
  /** Issuer, sign-in pages, log-out. The request body must not have been read. */
  readonly handler: (request: IncomingMessage, response: ServerResponse) => void;
  /** A machine client with a given id and secret; repeating it changes nothing. */
  bootstrapClient(id: string, secret: string, userId: string): void;
  /** New tokens are signed by a new key; the old one is published until its last token has expired. */
  rotateSigningKey(): Promise<void>;
  /** Forgets the failed attempts on an account; false where there is none of this address. */
  unlock(email: string): boolean;
  /** Takes passkeys and codes off an account and ends its sessions; false where there is none of this address. */
  removeFactors(email: string): boolean;
  /** Resolves once every message that is due has been tried. */
  sendMails(): Promise<void>;
  /** Resolves once every change that waits has been told. */
  tellChanges(): Promise<void>;
  close(): Promise<void>;
}

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];
const PREFIXES = ['/authorize', '/oauth/', '/v2/logout', '/userinfo', '/u/'];
const WELL_KNOWN = [
  '/.well-known/openid-configuration',
  '/.well-known/oauth-authorization-server',
  '/.well-known/jwks.json',
];
const CLEAN_EVERY_MS = 60 * 60 * 1000;

function settingsOf(options: EmbeddedIdentityOptions): IssuerSettings {
  const url = new URL(options.issuerUrl);
  const isLoopback = LOOPBACK.includes(url.hostname);
  if (url.protocol !== 'https:' && !isLoopback)
    throw new Error(
      `Sign-in over plain http works on this machine only: set PUBLIC_URL to the https address (it is ${url.origin})`,
    );
  // On this machine the page may be opened by any of its names.
  const origins = isLoopback
    ? LOOPBACK.map((host) => `${url.protocol}//${host}${url.port ? `:${url.port}` : ''}`)
    : [url.origin];
  return {
    issuer: `${url.origin}/`,
    audience: options.audience ?? DEFAULT_AUDIENCE,
    webClientId: WEB_CLIENT_ID,
    origins,
    redirectUris: origins.flatMap((origin) => [`${origin}${CALLBACK_PATH}`, origin]),
    accessTokenTtl: options.accessTokenTtl ?? 3600,
    managementClient: options.managementClient ?? null,
  };
}

/** The issuer inside the process: people, sessions, keys and machine clients in one file, `oidc-provider` in front. */
export async function createEmbeddedIdentity(options: EmbeddedIdentityOptions): Promise<EmbeddedIdentity> {
  const settings = settingsOf(options);
  const database = openSqliteDatabase(path.join(options.dataDir, 'identity.sqlite'));
  const store = openIdentityStore(database, createSecretBox(options.encryptionKey, 'identity'));
  const accounts = createAccounts(store);
  const clients = createMachineClients(store);
  const attempts = createAttempts(options.rateLimits ?? createSqliteRateLimits(database), (email) =>
    unlocksOf(store, email),
  );
  const devices = createDevices(store);
  const sessions = createSessions(store);
  const secondFactor = createSecondFactor(store, PRODUCT_NAME);
  const now = options.now ?? (() => Date.now());
  const passkeys = createPasskeys(store, settings.issuer, now);
  const factors = createFactors(secondFactor, passkeys);
  const links = createLinks(store);
  const report = (error: unknown) => options.onError?.(error);
  const remains = new Remains(database, report);
  const outbox = createOutboxMail(options.dataDir);
  const mails = createMailQueue(store, options.mail ?? outbox, report);
  const letters = createLetters(mails, links, settings.issuer);
  const changes = createSignInChanges(store, options.onChange ?? null, report, now);
  const unlock = (email: string): boolean => unlockAccount(store, email);
  const isBehindProxy = options.isBehindProxy ?? false;
  const { host, protocol } = new URL(settings.issuer);

  /** Messages about a new address, none without end to one that a stranger names again and again. */
  const tell = async (before: StoredAccount, wasOwner: boolean, after: StoredAccount): Promise<void> => {
    if (wasOwner && (await attempts.letter('addressChanged', before.email)) === null)
      letters.addressChanged(before.email);
    if ((await attempts.letter('address', after.email)) !== null) return;
    if ((await attempts.accountLetter(after.subject)) !== null) return;
    if (accounts.ownsItsEmail(after.subject)) letters.verify(after);
    else letters.addressNamed(after.email);
  };
  const changeEmail = async (subject: string, email: string): Promise<void> => {
    const before = accounts.find(subject);
    const wasOwner = accounts.ownsItsEmail(subject);
    accounts.changeEmail(subject, email);
    const after = accounts.find(subject);
    if (!before || !after || normalizeEmail(before.email) === normalizeEmail(after.email)) return;
    await tell(before, wasOwner, after);
  };

  const deleteAccount = async (subject: string, addresses: readonly string[]): Promise<void> => {
    sessions.endOthers(subject, null);
    const keys = new Set(addresses.map(normalizeEmail));
    await mails.forget(keys);
    await outbox.forget(keys);
    changes.forget(subject);
    accounts.remove(subject);
    remains.left();
  };

  const removeFactors = ({ subject, email }: StoredAccount): void => {
    const wasOn = factors.removeAll(subject);
    sessions.endOthers(subject, null);
    // Done a second time, it has changed nothing that anybody should be told.
    if (wasOn && accounts.ownsItsEmail(subject)) letters.factorsRemoved(email);
  };
  const assist = async (subject: string, act: Assistance): Promise<void> => {
    const account = accounts.find(subject);
    if (!account) throw new IdentityError('unknown_subject', 'There is no such account');
    if (act === 'sign_out') sessions.endOthers(subject, null);
    else if (act === 'unlock') unlock(account.email);
    else if (act === 'remove_factors') removeFactors(account);
    else if (accounts.ownsItsEmail(subject)) letters.reset(account);
    else throw new IdentityError('invalid_email', 'The address of this account belongs to another one');
  };

  const open = (keys: IssuerKeys) => {
    const provider = createProvider({ settings, store, accounts, clients, keys });
    // The scheme that people see is the issuer's, whatever stands in front of this process.
    provider.proxy = true;
    provider.use(securityHeaders(settings));
    provider.use(whileAway);
    provider.use(limitVisits(attempts, isBehindProxy));
    provider.use(limitSignIns(attempts, isBehindProxy));
    provider.use(logout(provider, settings, sessions));
    const people = { accounts, attempts, sessions, factors, letters, changes, settings, isBehindProxy };
    provider.use(linkPages({ ...people, links, unlock: (email) => void unlock(email) }));
    provider.use(accountPages({ ...people, provider, secondFactor, passkeys, now }));
    provider.use(signInPages({ ...people, provider, devices, passkeys }));
    if (settings.managementClient)
      provider.use(
        managementApi({
          accounts,
          factors,
          changeEmail,
          deleteAccount,
          assist,
          clients,
          sessions,
          audience: settings.audience,
          verify: createTokenVerifier({
            issuer: settings.issuer,
            audience: managementAudience(settings),
            keys: createLocalJWKSet(publicJwks(keys)),
          }),
        }),
      );
    provider.use(
      tokenRequests({
        settings,
        attempts,
        isClient: (clientId) =>
          clientId === settings.webClientId ||
          clientId === settings.managementClient?.clientId ||
          clients.find(clientId) !== null,
        grantOf: (model, id) => grantIdOf(store, model, id),
        isBehindProxy,
      }),
    );
    const seen = (
      ctx: KoaContextWithOIDC,
      uid: string | undefined,
      subject: string | undefined,
      loginTs?: number,
    ) => {
      if (uid === undefined || subject === undefined) return;
      sessions.seen({
        uid,
        subject,
        device: deviceName(ctx.get('user-agent')),
        address: addressOf(ctx.req, isBehindProxy),
        loginAt: loginTs === undefined ? null : loginTs * 1000,
      });
    };
    provider.on('authorization.success', (ctx) => {
      const { session } = ctx.oidc;
      seen(ctx, session?.uid, session?.accountId, session?.loginTs);
    });
    provider.on('grant.success', (ctx) => {
      const token = ctx.oidc.entities.RefreshToken;
      seen(ctx, token?.sessionUid, token?.accountId);
    });
    provider.on('server_error', (_ctx, error) => report(error));
    (provider as EventEmitter).on('error', report);
    return {
      handle: provider.callback(),
      verify: createTokenVerifier({
        issuer: settings.issuer,
        audience: settings.audience,
        webClientId: settings.webClientId,
        keys: createLocalJWKSet(publicJwks(keys)),
      }),
    };
  };
  let current = open(await loadKeys(store));
  let version = keysVersion(store);
  const reload = () => {
    current = open(readKeys(store));
    version = keysVersion(store);
  };
  const rotate = async () => {
    await rotateSigningKey(store);
    reload();
  };
  const every = (ms: number, work: () => void | Promise<void>) =>
    setInterval(() => {
      // A busy file is tried again the next time.
      void (async () => await work())().catch((error: unknown) => options.onError?.(error));
    }, ms).unref();
  const timers = [
    every(CLEAN_EVERY_MS, async () => {
      removeExpired(store);
      links.removeExpired();
      sessions.removeOld();
      if (isRotationDue(store, Date.now())) await rotate();
    }),
    // Another process (the command line) may have rotated them.
    every(options.keyCheckMs ?? 30_000, () => {
      if (keysVersion(store) !== version) reload();
    }),
  ];

  const identity: Identity = {
    verify: async (token) => {
      const claims = await current.verify(token);
      if (claims.sessionId !== null && sessions.isEnded(claims.sessionId))
        throw new IdentityError('invalid_token', 'This session has ended');
      return claims;
    },
    account: async (subject) => {
      const account = accounts.find(subject);
      return (
        account && {
          ...account,
          isEmailVerified: accounts.isVerified(subject),
          hasSecondFactor: factors.isOn(subject),
        }
      );
    },
    linkUser: async (subject, userId) => accounts.linkUser(subject, userId),
    changeEmail,
    deleteAccount,
    lastProof: async (sessionId) => sessions.find(sessionId)?.confirmedAt ?? 0,
    canAssist: true,
    assist,
    createMachineClient: async (wanted) => clients.create(wanted),
    machineClient: async (clientId) => {
      const found = clients.find(clientId);
      return found && { clientId: found.clientId, clientSecret: found.clientSecret };
    },
    deleteMachineClient: async (clientId) => clients.remove(clientId),
  };

  return {
    identity,
    settings: { issuer: settings.issuer, clientId: settings.webClientId, audience: settings.audience },
    handles: (pathname) =>
      WELL_KNOWN.includes(pathname) ||
      (settings.managementClient !== null && pathname.startsWith('/api/v2/')) ||
      PREFIXES.some((prefix) => pathname === prefix || pathname.startsWith(prefix.replace(/\/?$/, '/'))),
    handler: (request, response) => {
      // Cookies belong to one host: a sign-in begun under another name of this machine goes on under the issuer's.
      if (
        request.method === 'GET' &&
        request.headers.host !== host &&
        request.url?.startsWith('/authorize?')
      ) {
        response.writeHead(307, { location: new URL(request.url, settings.issuer).href }).end();
        return;
      }
      request.headers.host = host;
      delete request.headers['x-forwarded-host'];
      request.headers['x-forwarded-proto'] = protocol.slice(0, -1);
      void current.handle(request, response);
    },
    bootstrapClient: (clientId, clientSecret, userId) =>
      clients.put({ clientId, clientSecret, userId, scopes: [API_SCOPE] }),
    unlock,
    removeFactors: (email) => {
      const account = accounts.findByEmail(email);
      if (account) removeFactors(account);
      return account !== null;
    },
    sendMails: () => mails.flush(),
    tellChanges: () => changes.flush(),
    rotateSigningKey: rotate,
    close: async () => {
      for (const timer of timers) clearInterval(timer);
      await mails.close();
      await changes.close();
      await remains.close();
      database.close();
    },
  };
}
