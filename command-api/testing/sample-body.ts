import type { RouteContract } from '@quantloom/domain/contracts/http/route';
import type { TSchema } from 'typebox';
import { Value } from 'typebox/value';

/** Bodies that a schema alone does not give. */
const BODIES: Readonly<Record<string, unknown>> = {
  computeBatchBands: { combinations: [0] },
  computeBatchRowFigures: { combinations: [0] },
  computeBatchWalkForward: {},
  createApiClient: { grants: ['client_credentials'], scopes: ['api:backtester'] },
};

/** A body that gets past validation: the route's example, or the smallest value of its schema. */
export function sampleBody(contract: RouteContract): unknown {
  if (contract.example?.body !== undefined) return contract.example.body;
  if (Object.hasOwn(BODIES, contract.id)) return BODIES[contract.id];
  if (!contract.body) return undefined;
  try {
    return Value.Create(contract.body as TSchema);
  } catch {
    // Some constraints (unique items) have no smallest value; the call then stops at validation.
    return {};
  }
}
