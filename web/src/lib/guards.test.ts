import { FEATURES, type Feature } from '@quantloom/domain/identity/plans';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { accessOf, meetsPermissions, verdictOf } from './guards.ts';
import { BATCH_ACCESS } from './routing.ts';

const session = (
  status: 'loading' | 'authenticated' | 'anonymous' | 'failed',
  features: readonly string[] = [],
) => ({
  status,
  user: status === 'authenticated' ? { features } : null,
});
const authenticated = accessOf({ path: '/drafts', layout: 'authenticated' });
const marketing = accessOf({ path: '/', layout: 'marketing' });
const admin = accessOf({ path: '/admin/dashboard', layout: 'admin' });
const batch = accessOf({ path: '/batch-backtests', layout: 'authenticated', access: BATCH_ACCESS });

describe('the route guard', () => {
  it('lets everybody onto open routes, even while loading', () => {
    for (const status of ['loading', 'authenticated', 'anonymous', 'failed'] as const)
      expect(verdictOf(marketing, session(status))).toBe('allow');
  });

  it('waits while authentication is loading', () => {
    for (const access of [authenticated, admin, batch])
      expect(verdictOf(access, session('loading'))).toBe('wait');
  });

  it('sends visitors to sign in', () => {
    for (const access of [authenticated, admin, batch])
      expect(verdictOf(access, session('anonymous'))).toBe('sign-in');
  });

  it('shows Not found to whoever lacks the admin feature, Not Authorized for batches', () => {
    expect(verdictOf(admin, session('authenticated', ['web.batch-backtests.create']))).toBe('not-found');
    expect(verdictOf(batch, session('authenticated', ['web.admin.view']))).toBe('not-authorized');
    expect(verdictOf(admin, session('authenticated', ['web.admin.view']))).toBe('allow');
    expect(verdictOf(batch, session('authenticated', ['web.batch-backtests.create']))).toBe('allow');
  });

  it('never lets anybody past permissions who is not signed in', () => {
    const features = fc.subarray([...FEATURES] as Feature[]);
    fc.assert(
      fc.property(
        features,
        features,
        fc.constantFrom('loading', 'anonymous', 'failed'),
        (hasAll, hasAny, status) => {
          const access = { permissions: { hasAll, hasAny } };
          const needs = hasAll.length + hasAny.length > 0;
          expect(verdictOf(access, session(status)) === 'allow').toBe(!needs);
        },
      ),
    );
  });
});

describe('permissions', () => {
  it('are met by all of hasAll and one of hasAny', () => {
    const features = fc.subarray([...FEATURES] as Feature[]);
    fc.assert(
      fc.property(features, features, features, (owned, hasAll, hasAny) => {
        const expected =
          hasAll.every((one) => owned.includes(one)) &&
          (hasAny.length === 0 || hasAny.some((one) => owned.includes(one)));
        expect(meetsPermissions({ hasAll, hasAny }, owned)).toBe(expected);
      }),
    );
  });

  it('ask for nothing when there are none', () => {
    expect(meetsPermissions(undefined, null)).toBe(true);
    expect(meetsPermissions({ hasAll: [] }, undefined)).toBe(true);
    expect(meetsPermissions({ hasAny: ['web.admin.view'] }, undefined)).toBe(false);
  });
});
