import { USER_ID_CLAIM } from '@quantloom/domain/identity/issuer';
import { describe, expect, it } from 'vitest';
import { hasFeature, identityOf, parseUser } from './identity.ts';
import { returnTarget } from './return-to.ts';
import { signInSentence } from './sign-in-errors.ts';

describe('the identity', () => {
  it('is read from the claims, the user id from the custom one', () => {
    expect(identityOf({ sub: 'a|1', email: 'a@b.c', [USER_ID_CLAIM]: 'u1' })).toEqual({
      email: 'a@b.c',
      subject: 'a|1',
      userId: 'u1',
    });
    expect(identityOf({ sub: 'a|1' })).toEqual({ email: null, subject: 'a|1', userId: null });
    expect(identityOf(undefined)).toEqual({ email: null, subject: null, userId: null });
  });

  it('has no feature when user or list is missing', () => {
    expect(hasFeature(null, 'web.admin.view')).toBe(false);
    expect(hasFeature({}, 'web.admin.view')).toBe(false);
    expect(hasFeature({ features: ['web.admin.view'] }, 'web.admin.view')).toBe(true);
  });

  it('refuses an answer without an id', () => {
    expect(() => parseUser({ email: 'a@b.c' })).toThrow('carries no id');
    expect(parseUser({ id: 'u', email: 'a@b.c' })).toEqual({ id: 'u', email: 'a@b.c', features: [] });
  });
});

describe('the way back after sign-in', () => {
  it.each([
    ['/', '/drafts'],
    ['/login', '/drafts'],
    ['/register?x=1', '/drafts'],
    ['/auth/callback?code=1&state=2', '/drafts'],
    [null, '/drafts'],
    ['/editor/abc?run=1', '/editor/abc?run=1'],
    ['/batch-backtests', '/batch-backtests'],
    ['//evil.example', '/drafts'],
    ['/\\evil.example', '/drafts'],
    ['https://evil.example', '/drafts'],
  ])('from %s is %s', (from, to) => expect(returnTarget(from)).toBe(to));
});

describe('sign-in errors', () => {
  it.each([
    ['state_mismatch', /^Invalid state/],
    ['missing_transaction', /^Invalid state/],
    ['login_required', /signed out/],
    ['missing_refresh_token', /could not be renewed/],
    ['timeout', /in time/],
    ['popup_open', /popup/],
    ['cancelled', /closed/],
    ['mfa_required', /second factor/],
  ])('%s has a sentence', (code, sentence) =>
    expect(signInSentence(Object.assign(new Error('x'), { error: code }))).toMatch(sentence),
  );
  it('keeps what an unknown one says', () => {
    expect(signInSentence(new Error('There are no query params available for parsing.'))).toBe(
      'There are no query params available for parsing.',
    );
    expect(signInSentence(new Error("Timeout when executing 'fetch'"))).toMatch(/in time/);
    expect(signInSentence('?')).toMatch(/did not work/);
  });
});
