import type { RouteContract } from '@quantloom/domain/contracts/http/route';
import { type Refusal, refuse } from '@quantloom/domain/kernel/refusal';
import type { Identity } from '@quantloom/domain/ports/identity';
import type { FastifyInstance } from 'fastify';
import { askingIdentity } from './asking-identity.ts';
import { sendRefusal } from './errors.ts';
import type { Principal } from './principal.ts';
import { contractOf } from './routes.ts';

/** As long as the issuer's own pages take a password for recent. */
const PROOF_HOLDS_MS = 10 * 60_000;

const CONFIRMATION_NEEDED = refuse(
  403,
  'confirmation_needed',
  'Please confirm that it is you: enter your password under Account, Security, and do this again.',
);

/** Null where the caller has proved lately who he is, or signs in with a provider that does not tell when. */
async function refuseOldProof(
  identity: Pick<Identity, 'lastProof'>,
  { sessionId = null }: Pick<Principal, 'sessionId'>,
  now: number,
): Promise<Refusal | null> {
  if (sessionId === null) return null;
  const provedAt = await askingIdentity(identity.lastProof(sessionId));
  return provedAt === null || now - provedAt < PROOF_HOLDS_MS ? null : CONFIRMATION_NEEDED;
}

export interface ProofGuard {
  readonly identity: Pick<Identity, 'lastProof'>;
  readonly now: () => number;
  /** What somebody at a browser that was left open must not do. */
  readonly guarded: readonly RouteContract[];
}

/** Lets these routes wait for a fresh password, and code where there is one. Programs never get as far. */
export function guardWithRecentProof(app: FastifyInstance, { identity, now, guarded }: ProofGuard): void {
  const ids = new Set(guarded.map(({ id }) => id));
  app.addHook('preHandler', async (request, reply) => {
    const { principal } = request;
    if (!principal || principal.clientId !== null || !ids.has(contractOf(request)?.id ?? '')) return;
    const refusal = await refuseOldProof(identity, principal, now());
    if (refusal) return sendRefusal(reply, refusal);
  });
}
