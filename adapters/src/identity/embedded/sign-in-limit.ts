import type { Middleware } from 'koa';
import type { Attempts } from './attempts.ts';
import { noticePage } from './pages.ts';
import { addressOf } from './request.ts';

/** Each sign-in that begins is a row for an hour: a script must not fill the disk with them. A page that asks silently leaves none. */
export function limitSignIns(attempts: Pick<Attempts, 'begin'>, isBehindProxy: boolean): Middleware {
  return async (ctx, next) => {
    const isKept = ctx.path === '/authorize' && ctx.query.prompt !== 'none';
    const wait = isKept ? await attempts.begin(addressOf(ctx.req, isBehindProxy)) : null;
    if (wait === null) return await next();
    ctx.status = 429;
    ctx.set('retry-after', String(wait));
    ctx.set('cache-control', 'no-store');
    ctx.type = 'html';
    ctx.body = noticePage(
      'Too many sign-ins',
      `Please wait ${Math.ceil(wait / 60)} minutes, and start again from the page.`,
    );
  };
}
