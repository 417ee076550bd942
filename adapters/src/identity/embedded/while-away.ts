import { awayIn, DEPENDENCY_NAMES } from '@quantloom/domain/ports/outages';
import type { Middleware } from 'koa';
import { noticePage } from './pages.ts';

/** Seconds after which whoever asked may ask again, as the APIs say it. */
const RETRY_AFTER = '2';

/**
 * Answers what needs a server that is away: 503 and when to come back, as text for people and as JSON for
 * programs. It is nobody's fault, and told by whoever watches the servers: an error per request would hide
 * everything else.
 */
export const whileAway: Middleware = async (ctx, next) => {
  try {
    await next();
  } catch (error) {
    const away = awayIn(error);
    if (!away) throw error;
    const words = `The ${DEPENDENCY_NAMES[away.dependency]} does not answer just now. Please try again in a moment.`;
    ctx.status = 503;
    ctx.set('retry-after', RETRY_AFTER);
    ctx.set('cache-control', 'no-store');
    if (ctx.path.startsWith('/oauth/') || ctx.path.startsWith('/api/v2/')) {
      ctx.body = { error: 'temporarily_unavailable', error_description: words };
      return;
    }
    ctx.type = 'html';
    ctx.body = noticePage('Signing in is not possible right now', words);
  }
};
