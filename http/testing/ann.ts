import type { Principal } from '../src/principal.ts';

/** Who a server takes the caller for: somebody on the API plan, signed in. */
export const ANN: Principal = {
  userId: 'ann',
  subject: 'ann',
  email: 'ann@example.com',
  planId: 'api',
  features: [],
  clientId: null,
  scopes: [],
  actor: { kind: 'user', userId: 'ann' },
};
