import type { Middleware } from 'koa';
import type { Provider } from 'oidc-provider';
import { noticePage } from './pages.ts';
import type { IssuerSettings } from './provider.ts';
import type { Sessions } from './sessions.ts';

/**
 * `GET /v2/logout?client_id&returnTo`, as Auth0's: ends the session, revokes what it has granted (tokens),
 * and goes back to `returnTo` where that is an address of the page.
 */
export function logout(
  provider: Provider,
  settings: IssuerSettings,
  sessions: Pick<Sessions, 'end'>,
): Middleware {
  return async (ctx, next) => {
    if (ctx.path !== '/v2/logout') return await next();
    ctx.set('cache-control', 'no-store');
    const returnTo = typeof ctx.query.returnTo === 'string' ? URL.parse(ctx.query.returnTo) : null;
    if (typeof ctx.query.returnTo === 'string' && !(returnTo && settings.origins.includes(returnTo.origin))) {
      ctx.status = 400;
      ctx.type = 'html';
      ctx.body = noticePage('This did not work', 'The address to return to is not one of this installation.');
      return;
    }
    const session = await provider.Session.get(ctx as never);
    if (session.accountId) {
      for (const { grantId } of Object.values(session.authorizations ?? {})) {
        if (!grantId) continue;
        await provider.RefreshToken.revokeByGrantId(grantId);
        await (await provider.Grant.find(grantId))?.destroy();
      }
      await session.destroy();
      sessions.end(session.uid);
    }
    ctx.cookies.set(provider.cookieName('session'), null, {
      httpOnly: true,
      sameSite: 'lax',
      path: '/',
      overwrite: true,
    });
    ctx.redirect(returnTo?.href ?? settings.issuer);
  };
}
