import {
  API_SCOPE,
  EMAIL_CLAIM,
  machineSubject,
  SESSION_CLAIM,
  USER_ID_CLAIM,
} from '@quantloom/domain/identity/issuer';
import {
  type AccessToken,
  type ClientCredentials,
  type Configuration,
  errors,
  interactionPolicy,
  type JWKS,
  Provider,
} from 'oidc-provider';
import type { Accounts } from './accounts.ts';
import { SIGN_IN_HOLDS_MS } from './challenges.ts';
import { createItemAdapters } from './item-adapter.ts';
import type { IssuerKeys } from './keys.ts';
import type { MachineClients } from './machine-clients.ts';
import { noticePage } from './pages.ts';
import type { IdentityStore } from './store.ts';

const DAY = 24 * 60 * 60;

export interface IssuerSettings {
  /** With a slash at the end, as Auth0's. */
  readonly issuer: string;
  readonly audience: string;
  readonly webClientId: string;
  readonly redirectUris: readonly string[];
  /** Origins that the page may be opened at. */
  readonly origins: readonly string[];
  /** Seconds. */
  readonly accessTokenTtl: number;
  /** The client of API processes that manage people and clients from outside. */
  readonly managementClient: { readonly clientId: string; readonly clientSecret: string } | null;
}

/** Audience of tokens for the management API, as Auth0's. */
export function managementAudience(settings: Pick<IssuerSettings, 'issuer'>): string {
  return `${settings.issuer}api/v2/`;
}

export interface IssuerParts {
  readonly settings: IssuerSettings;
  readonly store: IdentityStore;
  readonly accounts: Accounts;
  readonly clients: MachineClients;
  readonly keys: IssuerKeys;
}

const isMachineToken = (token: AccessToken | ClientCredentials): token is ClientCredentials =>
  token.kind === 'ClientCredentials';

/** What the page may ask for; all of it is granted at once, for the page is the issuer's own. */
const WEB_SCOPES = 'openid profile email offline_access';

function configuration({ settings, store, accounts, clients, keys }: IssuerParts): Configuration {
  const policy = interactionPolicy.base();
  policy.remove('consent');
  return {
    adapter: createItemAdapters(store, clients),
    jwks: { keys: keys.signing } as JWKS,
    clients: [
      {
        client_id: settings.webClientId,
        token_endpoint_auth_method: 'none',
        application_type: 'web',
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
        redirect_uris: [...settings.redirectUris],
      },
      ...(settings.managementClient
        ? [
            {
              client_id: settings.managementClient.clientId,
              client_secret: settings.managementClient.clientSecret,
              token_endpoint_auth_method: 'client_secret_post' as const,
              grant_types: ['client_credentials'],
              redirect_uris: [],
              response_types: [],
            },
          ]
        : []),
    ],
    scopes: ['openid', 'profile', 'email', 'offline_access', API_SCOPE],
    claims: {
      openid: ['sub', USER_ID_CLAIM],
      profile: ['name', 'nickname'],
      email: ['email', 'email_verified'],
    },
    conformIdTokenClaims: false,
    findAccount: async (_ctx, subject) => {
      const account = accounts.find(subject);
      if (!account) return undefined;
      return {
        accountId: subject,
        claims: async () => ({
          sub: subject,
          ...(account.userId !== null && { [USER_ID_CLAIM]: account.userId }),
          name: account.email,
          nickname: account.email.split('@')[0],
          email: account.email,
          email_verified: accounts.isVerified(subject),
        }),
      };
    },
    extraTokenClaims: (_ctx, token) => {
      if (isMachineToken(token)) {
        const client = clients.find(token.clientId ?? '');
        return client ? { [USER_ID_CLAIM]: client.userId } : undefined;
      }
      const account = accounts.find(token.accountId);
      if (!account) return undefined;
      return {
        [EMAIL_CLAIM]: account.email,
        ...(token.sessionUid !== undefined && { [SESSION_CLAIM]: token.sessionUid }),
        ...(account.userId !== null && { [USER_ID_CLAIM]: account.userId }),
      };
    },
    formats: {
      customizers: {
        jwt: (_ctx, token, parts) => {
          parts.payload.azp = token.clientId;
          if (!isMachineToken(token)) return;
          parts.payload.sub = machineSubject(token.clientId ?? '');
          parts.payload.gty = 'client-credentials';
        },
      },
    },
    routes: {
      authorization: '/authorize',
      token: '/oauth/token',
      userinfo: '/userinfo',
      jwks: '/.well-known/jwks.json',
      revocation: '/oauth/revoke',
      end_session: '/oidc/logout',
    },
    interactions: { policy, url: (_ctx, interaction) => `/u/${interaction.uid}` },
    features: {
      devInteractions: { enabled: false },
      rpInitiatedLogout: { enabled: false },
      userinfo: { enabled: true },
      revocation: { enabled: true },
      clientCredentials: { enabled: true },
      webMessageResponseMode: { enabled: true, ack: 'individual-draft-01' },
      resourceIndicators: {
        enabled: true,
        defaultResource: (_ctx, client) =>
          client.clientId === settings.managementClient?.clientId
            ? managementAudience(settings)
            : settings.audience,
        useGrantedResource: () => true,
        getResourceServerInfo: (_ctx, resource, client) => {
          const isManager = client.clientId === settings.managementClient?.clientId;
          if (resource !== (isManager ? managementAudience(settings) : settings.audience))
            throw new errors.InvalidTarget();
          return {
            scope: isManager ? '' : API_SCOPE,
            audience: resource,
            accessTokenTTL: settings.accessTokenTtl,
            accessTokenFormat: 'jwt',
            jwt: { sign: { alg: 'RS256' } },
          };
        },
      },
    },
    clientDefaults: { id_token_signed_response_alg: 'RS256' },
    enabledJWA: {
      idTokenSigningAlgValues: ['RS256'],
    },
    extraParams: ['audience', 'screen_hint', 'auth0Client'],
    pkce: { required: () => true },
    responseTypes: ['code'],
    // A refresh token dies with the session (log-out), is used once, and its reuse costs the family.
    issueRefreshToken: (_ctx, client) => client.grantTypeAllowed('refresh_token'),
    expiresWithSession: () => true,
    rotateRefreshToken: true,
    loadExistingGrant: async (ctx) => {
      const { client, session, provider, account } = ctx.oidc;
      if (!client || !session || !account) return undefined;
      const grantId = session.grantIdFor(client.clientId);
      const existing = grantId ? await provider.Grant.find(grantId) : undefined;
      if (existing?.accountId === account.accountId) return existing;
      const grant = new provider.Grant({ clientId: client.clientId, accountId: account.accountId });
      grant.addOIDCScope(WEB_SCOPES);
      grant.addResourceScope(settings.audience, WEB_SCOPES);
      await grant.save();
      return grant;
    },
    clientBasedCORS: (_ctx, origin) => settings.origins.includes(origin),
    cookies: {
      keys: [...keys.cookies],
      names: { session: 'quantloom_session', interaction: 'quantloom_sign_in', resume: 'quantloom_resume' },
      long: { httpOnly: true, sameSite: 'lax', signed: true, path: '/' },
      short: { httpOnly: true, sameSite: 'lax', signed: true, path: '/' },
    },
    ttl: {
      AccessToken: settings.accessTokenTtl,
      ClientCredentials: settings.accessTokenTtl,
      AuthorizationCode: 60,
      IdToken: settings.accessTokenTtl,
      RefreshToken: 14 * DAY,
      Interaction: SIGN_IN_HOLDS_MS / 1000,
      Session: 14 * DAY,
      Grant: 14 * DAY,
    },
    renderError: (ctx, out) => {
      ctx.type = 'html';
      ctx.body = noticePage(
        'This sign-in did not work',
        out.error_description
          ? `${out.error}: ${out.error_description}`
          : 'Please go back to the page and try again.',
      );
    },
  };
}

/** The OpenID provider, Auth0's way: its routes, `audience`, `screen_hint`, `web_message`, RS256 access tokens. */
export function createProvider(parts: IssuerParts): Provider {
  return new Provider(parts.settings.issuer, configuration(parts));
}
