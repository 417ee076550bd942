import { API_SCOPE } from '@quantloom/domain/identity/issuer';
import type { Middleware } from 'koa';
import type { Attempts } from './attempts.ts';
import { type IssuerSettings, managementAudience } from './provider.ts';
import { addressOf, BadRequest, readForm, replaceBody } from './request.ts';

function refuse(ctx: Parameters<Middleware>[0], status: number, error: string, description: string): void {
  ctx.status = status;
  ctx.set('cache-control', 'no-store');
  ctx.body = { error, error_description: description };
}

function clientOf(form: URLSearchParams, authorization: string): string {
  const basic = /^basic (.+)$/i.exec(authorization)?.[1];
  return (
    form.get('client_id') ?? (basic ? (Buffer.from(basic, 'base64').toString().split(':')[0] ?? '') : '')
  );
}

/** What a request for tokens is held against. */
export interface TokenRequestParts {
  readonly settings: IssuerSettings;
  readonly attempts: Pick<Attempts, 'client' | 'renew'>;
  /** Whether there is such a client: nothing is counted for others, of which anybody can think of any number. */
  readonly isClient: (clientId: string) => boolean;
  /** The session that a refresh token or a code belongs to, by its hash. */
  readonly grantOf: (model: 'RefreshToken' | 'AuthorizationCode', id: string) => string | null;
  readonly isBehindProxy: boolean;
}

/**
 * What Auth0's `/oauth/token` accepts beyond the standard: JSON bodies, `audience`, no scope at all (then all
 * that the client has).
 */
export function tokenRequests({
  settings,
  attempts,
  isClient,
  grantOf,
  isBehindProxy,
}: TokenRequestParts): Middleware {
  const renewal = async (form: URLSearchParams): Promise<number | null> => {
    const isRefresh = form.get('grant_type') === 'refresh_token';
    const id = form.get(isRefresh ? 'refresh_token' : 'code');
    const grantId = id === null ? null : grantOf(isRefresh ? 'RefreshToken' : 'AuthorizationCode', id);
    return grantId === null ? null : await attempts.renew(isRefresh ? 'refresh' : 'redeem', grantId);
  };
  return async (ctx, next) => {
    const isToken = ctx.path === '/oauth/token';
    if (!(isToken || ctx.path === '/oauth/revoke') || ctx.method !== 'POST') return await next();
    let form: URLSearchParams;
    try {
      form = await readForm(ctx.req);
    } catch (error) {
      if (error instanceof BadRequest) return refuse(ctx, error.status, 'invalid_request', error.message);
      throw error;
    }
    const audience = form.get('audience');
    const isManager =
      settings.managementClient !== null && form.get('client_id') === settings.managementClient.clientId;
    if (
      isToken &&
      audience !== null &&
      audience !== (isManager ? managementAudience(settings) : settings.audience)
    )
      return refuse(ctx, 403, 'access_denied', `Service not found: ${audience}`);
    if (form.get('grant_type') === 'client_credentials' && !form.get('scope') && !isManager)
      form.set('scope', API_SCOPE);
    // Asked for when the session began; the family keeps it.
    if (form.get('grant_type') === 'refresh_token') form.delete('scope');
    replaceBody(ctx.req, form);

    const clientId = clientOf(form, ctx.get('authorization'));
    const address = addressOf(ctx.req, isBehindProxy);
    const isKnown = isClient(clientId);
    const wait = isKnown ? await attempts.client(address, clientId, false) : null;
    if (wait !== null) {
      ctx.set('retry-after', String(wait));
      return refuse(ctx, 429, 'too_many_attempts', 'Too many failed attempts. Please wait and try again.');
    }
    const untilNext = isToken ? await renewal(form) : null;
    if (untilNext !== null) {
      ctx.set('retry-after', String(untilNext));
      return refuse(ctx, 429, 'too_many_requests', 'Too many new tokens. Please wait and try again.');
    }
    await next();
    if (isKnown && ctx.status === 401) await attempts.client(address, clientId, true);
  };
}
