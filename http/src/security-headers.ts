import type { FastifyReply } from 'fastify';

export interface SecurityHeaderOptions {
  /** True when people reach the server by https: browsers are then told to stay there. */
  readonly isHttps: boolean;
  /** Origins other than the own one that the page talks to (an external issuer). */
  readonly connectOrigins?: readonly string[];
}

/**
 * The headers of every answer. No inline script; styles may be inline, because chart and menu libraries set
 * them on elements.
 */
export function securityHeaderValues({
  isHttps,
  connectOrigins = [],
}: SecurityHeaderOptions): Readonly<Record<string, string>> {
  const others = connectOrigins.length > 0 ? ` ${connectOrigins.join(' ')}` : '';
  const policy = [
    "default-src 'self'",
    "script-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self' data:",
    `connect-src 'self'${others}`,
    // The silent sign-in opens the issuer in a hidden frame.
    `frame-src 'self'${others}`,
    "worker-src 'self' blob:",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    ...(isHttps ? ['upgrade-insecure-requests'] : []),
  ].join('; ');
  return {
    'content-security-policy': policy,
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'same-origin',
    // The sign-in popup must be able to answer the page that has opened it.
    'cross-origin-opener-policy': 'same-origin-allow-popups',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
    ...(isHttps && { 'strict-transport-security': 'max-age=63072000; includeSubDomains' }),
  };
}

/** Sets the headers that the answer has not set itself. */
export function setSecurityHeaders(reply: FastifyReply, values: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(values)) if (!reply.hasHeader(name)) reply.header(name, value);
}
