import type { Middleware } from 'koa';
import type { Attempts } from './attempts.ts';
import { noticePage } from './pages.ts';
import { addressOf } from './request.ts';

/**
 * The limit on everything that one place asks of the issuer, where no token tells who asks. What is the same
 * for everybody and costs nothing (keys, discovery) goes on, and so does the management API, through which
 * the APIs of the product ask for all people: there only refusals count.
 */
export function limitVisits(
  attempts: Pick<Attempts, 'visit' | 'manager'>,
  isBehindProxy: boolean,
): Middleware {
  return async (ctx, next) => {
    if (ctx.path.startsWith('/.well-known/')) return await next();
    const address = addressOf(ctx.req, isBehindProxy);
    const isManaged = ctx.path.startsWith('/api/v2/');
    const wait = await (isManaged ? attempts.manager(address, false) : attempts.visit(address));
    if (wait !== null) {
      ctx.status = 429;
      ctx.set('retry-after', String(wait));
      ctx.set('cache-control', 'no-store');
      ctx.body = {
        error: 'too_many_requests',
        error_description: `Too many requests. Please try again in ${wait} seconds.`,
      };
      return;
    }
    await next();
    if (isManaged && ctx.status === 401) await attempts.manager(address, true);
  };
}

/**
 * Characters of a request that begins a sign-in: the page's own has some 700, and all of it is kept with the
 * sign-in.
 */
const LONGEST_REQUEST = 3_000;

/**
 * Each sign-in that begins is a row for an hour, and one that ends silently leaves a code for a day: a script
 * must not fill the disk with either, neither by their number nor by what it puts into them.
 */
export function limitSignIns(
  attempts: Pick<Attempts, 'begin' | 'silent'>,
  isBehindProxy: boolean,
): Middleware {
  return async (ctx, next) => {
    if (ctx.path !== '/authorize' && !ctx.path.startsWith('/authorize/')) return await next();
    if (ctx.url.length > LONGEST_REQUEST) {
      ctx.status = 414;
      ctx.set('cache-control', 'no-store');
      ctx.type = 'html';
      ctx.body = noticePage('This sign-in did not work', 'The address of the request is too long.');
      return;
    }
    const kind = ctx.query.prompt === 'none' || ctx.path !== '/authorize' ? 'silent' : 'begin';
    const wait = await attempts[kind](addressOf(ctx.req, isBehindProxy));
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
