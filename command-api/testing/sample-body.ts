import type { RouteContract } from '@quantloom/domain/contracts/http/route';
import type { TSchema } from 'typebox';
import { Value } from 'typebox/value';

/** The smallest value that a schema takes; good enough to get past validation, where a route's example does not say more. */
export function sampleBody(contract: RouteContract): unknown {
  if (contract.example?.body !== undefined) return contract.example.body;
  return contract.body ? Value.Create(contract.body as TSchema) : undefined;
}
