import { expect, test } from 'vitest';
import { securityHeaderValues, setSecurityHeaders } from './security-headers.ts';

test('pages run scripts of their own only, and stand in no frame of others', () => {
  const values = securityHeaderValues({ isHttps: false });
  const policy = values['content-security-policy']?.split('; ') ?? [];
  for (const rule of [
    "default-src 'self'",
    "script-src 'self'",
    "connect-src 'self'",
    "frame-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ])
    expect(policy).toContain(rule);
  expect(values).toMatchObject({
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'same-origin',
    'cross-origin-opener-policy': 'same-origin-allow-popups',
    'cross-origin-resource-policy': 'same-origin',
  });
});

test('who has come by https stays there, and nobody else is sent there', () => {
  const [plain, secure] = [securityHeaderValues({ isHttps: false }), securityHeaderValues({ isHttps: true })];
  expect(secure['strict-transport-security']).toBe('max-age=63072000; includeSubDomains');
  expect(secure['content-security-policy']).toMatch(/; upgrade-insecure-requests$/);
  expect(plain).not.toHaveProperty('strict-transport-security');
  expect(plain['content-security-policy']).not.toContain('upgrade');
});

test('an issuer elsewhere can be asked and opened in a hidden frame', () => {
  const connectOrigins = ['https://id.example', 'https://id2.example'];
  const policy = securityHeaderValues({ isHttps: true, connectOrigins })['content-security-policy']?.split(
    '; ',
  );
  for (const name of ['connect-src', 'frame-src'])
    expect(policy).toContain(`${name} 'self' https://id.example https://id2.example`);
  expect(policy).toContain("script-src 'self'");
});

test('what an answer has set itself stays', () => {
  const set = new Map<string, string>([['referrer-policy', 'no-referrer']]);
  const reply = {
    hasHeader: (name: string) => set.has(name),
    header: (name: string, value: string) => set.set(name, value),
  };
  setSecurityHeaders(reply as never, { 'referrer-policy': 'same-origin', 'x-frame-options': 'DENY' });
  expect(Object.fromEntries(set)).toEqual({ 'referrer-policy': 'no-referrer', 'x-frame-options': 'DENY' });
});
