import { isEmail } from '@quantloom/domain/identity/email';
import { type Identity, IdentityError } from '@quantloom/domain/ports/identity';
import { keptAnswer } from '../../kept-answer.ts';
import { createTokenVerifier } from '../token-verifier.ts';
import { createEndedSessions } from './ended-sessions.ts';
import {
  createManagementClient,
  type ManagementAnswer,
  type ManagementOptions,
} from './management-client.ts';
import { createRemoteKeys, type RemoteKeysOptions } from './remote-keys.ts';

export interface OidcIdentityOptions {
  /** As the provider publishes it, with or without the slash at the end. */
  readonly issuer: string;
  readonly audience: string;
  /**
   * Of an application that may read and update users and manage clients; without it the provider's records
   * stay as they are.
   */
  readonly management?: ManagementOptions;
  readonly keys?: Pick<RemoteKeysOptions, 'cooldownMs' | 'maxAgeMs'>;
  /**
   * True for the product's own issuer, which tells what sessions have ended: their access tokens are refused
   * within half a minute.
   */
  readonly refusesEndedSessions?: boolean;
  /** The one client that people sign in with, where the issuer has no others for them. */
  readonly webClientId?: string;
  /**
   * Origin under which this process reaches the issuer, where that is another one than people use, for
   * example `http://gateway:8080`.
   */
  readonly backchannelUrl?: string;
}

/** `app_metadata` field of a person, `client_metadata` field of a client; an Auth0 Action copies it into the tokens. */
export const USER_ID_FIELD = 'quantloom_user_id';

/**
 * Field of a change to a person by which the product’s own issuer is asked to end his sessions and the like;
 * no other issuer knows it.
 */
export const ASSISTANCE_FIELD = 'quantloom_assistance';

/** The same path at the origin of `backchannelUrl`, for addresses of the issuer itself. */
function reachable(url: string, { issuer, backchannelUrl }: OidcIdentityOptions): string {
  const origin = new URL(issuer).origin;
  if (!backchannelUrl || new URL(url).origin !== origin) return url;
  return new URL(backchannelUrl).origin + url.slice(origin.length);
}

async function discover(options: OidcIdentityOptions): Promise<{ issuer: string; jwksUrl: string }> {
  const { issuer } = options;
  const address = reachable(`${issuer.replace(/\/+$/, '')}/.well-known/openid-configuration`, options);
  try {
    const response = await fetch(address, { signal: AbortSignal.timeout(10_000) });
    const document = (await response.json()) as { issuer?: unknown; jwks_uri?: unknown };
    if (typeof document.issuer !== 'string' || typeof document.jwks_uri !== 'string')
      throw new Error(`${address} names no issuer and keys`);
    if (document.issuer.replace(/\/+$/, '') !== issuer.replace(/\/+$/, ''))
      throw new Error(`${address} is of another issuer (${document.issuer})`);
    return { issuer: document.issuer, jwksUrl: reachable(document.jwks_uri, options) };
  } catch (error) {
    throw new IdentityError('unavailable', 'The identity provider can not be reached', { cause: error });
  }
}

/** Turns what Auth0 says to a change of e-mail into our code. */
function emailError({ status, body }: ManagementAnswer): IdentityError | null {
  if (status === 200) return null;
  const message = typeof body.message === 'string' ? body.message : '';
  if (status === 404) return new IdentityError('unknown_subject', 'There is no such account');
  if (status === 409 || /already (exists|in use)/i.test(message))
    return new IdentityError('email_taken', 'This e-mail address belongs to another account');
  if (status === 400) return new IdentityError('invalid_email', 'This is not an e-mail address');
  return new IdentityError('unavailable', `The identity provider answered ${status}`);
}

/**
 * An external issuer: Auth0, or any other whose discovery document names RS256 keys. Its records of people
 * and machine clients are changed by Auth0's Management API v2; without its credentials people can sign in,
 * but neither e-mail addresses nor machine clients can be managed.
 */
export function createOidcIdentity(options: OidcIdentityOptions): Identity {
  const slashed = `${options.issuer.replace(/\/+$/, '')}/`;
  const management = options.management
    ? createManagementClient(slashed, options.management, reachable(slashed, options))
    : null;
  const ended = management && options.refusesEndedSessions ? createEndedSessions(management) : null;

  const openVerifier = keptAnswer(async () => {
    const { issuer, jwksUrl } = await discover(options);
    return createTokenVerifier({
      issuer,
      audience: options.audience,
      ...(options.webClientId !== undefined && { webClientId: options.webClientId }),
      keys: createRemoteKeys({ jwksUrl, ...options.keys }),
    });
  });
  const managed = () => {
    if (management) return management;
    throw new IdentityError('unavailable', 'This installation does not manage its identity provider');
  };
  const user = (subject: string) => `users/${encodeURIComponent(subject)}`;
  const client = (clientId: string) => `clients/${encodeURIComponent(clientId)}`;
  const expectStatus = (answer: ManagementAnswer, ...statuses: readonly number[]): ManagementAnswer => {
    if (statuses.includes(answer.status)) return answer;
    throw new IdentityError('unavailable', `The identity provider answered ${answer.status}`);
  };

  return {
    verify: async (token) => {
      const claims = await (await openVerifier())(token);
      if (claims.sessionId !== null && (await ended?.has(claims.sessionId)))
        throw new IdentityError('invalid_token', 'This session has ended');
      return claims;
    },
    account: async (subject) => {
      if (!management) return null;
      const answer = expectStatus(await management.call('GET', user(subject)), 200, 404);
      const {
        email,
        email_verified: isVerified,
        app_metadata: metadata,
        multifactor,
      } = answer.body as {
        email?: string;
        email_verified?: boolean;
        app_metadata?: Record<string, unknown>;
        multifactor?: unknown;
      };
      if (answer.status === 404 || typeof email !== 'string') return null;
      const userId = metadata?.[USER_ID_FIELD];
      return {
        subject,
        email,
        userId: typeof userId === 'string' ? userId : null,
        isEmailVerified: isVerified === true,
        hasSecondFactor: Array.isArray(multifactor) ? multifactor.length > 0 : null,
      };
    },
    linkUser: async (subject, userId) => {
      if (!management) return;
      const change = { app_metadata: { [USER_ID_FIELD]: userId } };
      const answer = expectStatus(await management.call('PATCH', user(subject), change), 200, 404);
      if (answer.status === 404) throw new IdentityError('unknown_subject', 'There is no such account');
    },
    changeEmail: async (subject, email) => {
      const address = email.trim();
      if (!isEmail(address)) throw new IdentityError('invalid_email', 'This is not an e-mail address');
      const error = emailError(
        await managed().call('PATCH', user(subject), { email: address, verify_email: true }),
      );
      if (error) throw error;
    },
    deleteAccount: async (subject) => {
      // Without a management client the account stays where it is: at the provider, whose account it is.
      if (management) expectStatus(await management.call('DELETE', user(subject)), 204, 404);
    },
    lastProof: async (sessionId) => {
      if (!management || !ended) return null;
      const { body } = expectStatus(
        await management.call('GET', `sessions/${encodeURIComponent(sessionId)}`),
        200,
      );
      return typeof body.confirmed_at === 'number' ? body.confirmed_at : 0;
    },
    canAssist: ended !== null,
    assist: async (subject, act) => {
      if (!management || !ended)
        throw new IdentityError('unavailable', 'The identity provider does this on its own pages');
      const error = emailError(await management.call('PATCH', user(subject), { [ASSISTANCE_FIELD]: act }));
      if (error) throw error;
    },
    createMachineClient: async ({ userId, scopes }) => {
      const api = managed();
      const created = expectStatus(
        await api.call('POST', 'clients', {
          name: `Quantloom API client of ${userId}`,
          app_type: 'non_interactive',
          grant_types: ['client_credentials'],
          token_endpoint_auth_method: 'client_secret_post',
          client_metadata: { [USER_ID_FIELD]: userId },
        }),
        201,
      );
      const { client_id: clientId, client_secret: clientSecret } = created.body;
      if (typeof clientId !== 'string' || typeof clientSecret !== 'string')
        throw new IdentityError('unavailable', 'The identity provider made a client without a secret');
      try {
        const grant = { client_id: clientId, audience: options.audience, scope: [...scopes] };
        expectStatus(await api.call('POST', 'client-grants', grant), 201, 409);
      } catch (error) {
        // A client without its grant would be of no use and never be found again.
        await api.call('DELETE', client(clientId)).catch(() => undefined);
        throw error;
      }
      return { clientId, clientSecret };
    },
    machineClient: async (clientId) => {
      if (!management) return null;
      const answer = expectStatus(await management.call('GET', client(clientId)), 200, 404);
      const secret = answer.body.client_secret;
      return answer.status === 200 && typeof secret === 'string' ? { clientId, clientSecret: secret } : null;
    },
    deleteMachineClient: async (clientId) => {
      expectStatus(await managed().call('DELETE', client(clientId)), 204, 404);
    },
  };
}
