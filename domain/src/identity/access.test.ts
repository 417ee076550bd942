import { describe, expect, it } from 'vitest';
import { scopesThatAllow } from './api-scopes.ts';
import { featuresOf } from './entitlements.ts';
import { clientIdOfSubject, machineSubject } from './issuer.ts';
import { PLANS } from './plans.ts';

describe('what a machine client needs for a call', () => {
  it.each([
    ['GET', '/api/v1/strategies', ['read']],
    ['POST', '/api/v1/strategies', ['backtest']],
    ['POST', '/api/v1/backtests', ['backtest']],
    ['GET', '/api/v1/batch-backtests', ['read', 'batches']],
    ['GET', '/api/v1/batch-backtests/{id}', ['read', 'batches']],
    ['POST', '/api/v1/batch-backtests', ['batches']],
    ['DELETE', '/api/v1/variable-lists/{id}', ['batches']],
    ['GET', '/api/v1/variable-lists', ['read', 'batches']],
    ['GET', '/api/v1/tickers', ['read', 'backtest', 'batches']],
    ['GET', '/api/v1/market-data/versions', ['read', 'backtest', 'batches']],
    ['POST', '/api/v1/market-data/imports', ['backtest']],
    // Another path that begins alike.
    ['POST', '/api/v1/batch-backtests-of-others', ['backtest']],
    ['GET', '/api/v1/tickers-of-others', ['read']],
  ])('%s %s', (method, path, scopes) => expect(scopesThatAllow({ method, path })).toEqual(scopes));
});

describe('the features of an account', () => {
  const of = (over: object) =>
    featuresOf({ planId: 'free', grantedFeatures: [], revokedFeatures: [], ...over });

  it('are those of its plan, and what administrators gave and took', () => {
    expect(of({})).toEqual([]);
    expect(of({ planId: 'api' })).toEqual([
      'web.batch-backtests.create',
      'web.slippage.view',
      'web.settings.api-clients.view',
      'web.z-score.view',
      'web.simulated-tickers.view',
    ]);
    expect(of({ planId: 'copy-trader' })).toEqual(of({ planId: 'api' }));
    expect(of({ grantedFeatures: ['web.z-score.view', 'web.admin.view'] })).toEqual([
      'web.admin.view',
      'web.z-score.view',
    ]);
    expect(of({ planId: 'api', revokedFeatures: ['web.slippage.view'] })).not.toContain('web.slippage.view');
    expect(of({ grantedFeatures: ['web.admin.view'], revokedFeatures: ['web.admin.view'] })).toEqual([]);
  });

  it('cost what the plans say, and one plan is not to be had yet', () => {
    expect(
      Object.values(PLANS).map(({ id, name, priceCents, isAvailable }) => [
        id,
        name,
        priceCents,
        isAvailable,
      ]),
    ).toEqual([
      ['free', 'Free', 0, true],
      ['api', 'API Plan', 3000, true],
      ['copy-trader', 'Copy Trader + API Plan', 4000, false],
    ]);
  });

  it('come with as much use a month, a night and a minute as the plans say', () => {
    const uses = Object.values(PLANS).map((plan) => [
      plan.monthlyBacktests,
      plan.followedStrategies,
      plan.requestsPerMinute,
    ]);
    expect(uses).toEqual([
      [0, 3, 0],
      [1_500_000, 100, 300],
      [2_500_000, 200, 300],
    ]);
  });
});

describe('the subject of a token', () => {
  it('tells machines from people', () => {
    expect(machineSubject('c1')).toBe('c1@clients');
    expect(clientIdOfSubject('c1@clients')).toBe('c1');
    expect(clientIdOfSubject('auth0|1')).toBeNull();
    expect(clientIdOfSubject('c1@clients.example')).toBeNull();
  });
});
