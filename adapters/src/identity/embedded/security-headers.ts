import type { Middleware } from 'koa';
import type { IssuerSettings } from './provider.ts';

const policy = (formAction: string): string =>
  [
    "default-src 'none'",
    "style-src 'self'",
    "script-src 'self'",
    "img-src 'self' data:",
    "font-src 'self'",
    `form-action ${formAction}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');

/** No inline script or style, no frames; the answer of a silent sign-in alone may be framed, by the page itself. */
export function securityHeaders(settings: IssuerSettings): Middleware {
  // The form's answer redirects to the page, and browsers hold the redirect to `form-action` as well
  // (an IPv6 address is no valid source there).
  const origins = settings.origins.filter((origin) => !origin.includes('['));
  const csp = policy(["'self'", ...origins].join(' '));
  const isHttps = settings.issuer.startsWith('https:');
  return async (ctx, next) => {
    ctx.set({
      'content-security-policy': csp,
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'same-origin',
      ...(isHttps && { 'strict-transport-security': 'max-age=63072000; includeSubDomains' }),
    });
    await next();
    if (!ctx.response.get('x-frame-options')) {
      const current = ctx.response
        .get('content-security-policy')
        .split(';')
        .filter((directive) => directive.trim() !== '' && !directive.includes('frame-ancestors'));
      ctx.set(
        'content-security-policy',
        [...current, `frame-ancestors 'self' ${origins.join(' ')}`].join(';'),
      );
    }
  };
}
