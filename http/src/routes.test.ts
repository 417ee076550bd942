import { ALL_ROUTES } from '@quantloom/domain/contracts/http/all-routes';
import { describe, expect, it } from 'vitest';
import type { Principal } from './principal.ts';
import { refuseAccess } from './routes.ts';

const FOR_ADMINISTRATORS = ALL_ROUTES.filter(({ access }) => access.kind === 'admin');

const administrator: Principal = {
  userId: 'user-1',
  subject: 'auth0|1',
  email: 'admin@example.com',
  planId: 'free',
  features: ['web.admin.view'],
  clientId: null,
  scopes: [],
  actor: { kind: 'user', userId: 'user-1' },
};
const theirClient: Principal = {
  ...administrator,
  subject: 'c1@clients',
  clientId: 'c1',
  scopes: ['api:backtester', 'read', 'backtest', 'batches'],
};

describe("administrators' routes", () => {
  it('are many', () => expect(FOR_ADMINISTRATORS.length).toBeGreaterThan(5));

  it.each(FOR_ADMINISTRATORS.map((contract) => [`${contract.method} ${contract.path}`, contract] as const))(
    '%s is for an administrator in person alone, not for their API client or anybody else',
    (_, contract) => {
      expect(refuseAccess(contract, administrator)).toBeNull();
      expect(refuseAccess(contract, theirClient)).toMatchObject({ status: 403 });
      expect(refuseAccess(contract, { ...administrator, features: [] })).toMatchObject({ status: 403 });
      expect(refuseAccess(contract, null)).toMatchObject({ status: 401 });
    },
  );
});
