import {
  addApiClient,
  removeApiClient,
  replaceApiClient,
} from '@quantloom/domain/contracts/http/api-clients';
import { createApiClient, deleteApiClient } from '@quantloom/domain/contracts/http/oauth-clients';
import { requestDeletion, updateCurrentUser } from '@quantloom/domain/contracts/http/users';
import { type Refusal, refuse } from '@quantloom/domain/kernel/refusal';
import { type Identity, isIdentityError } from '@quantloom/domain/ports/identity';
import { sendRefusal } from '@quantloom/http/errors';
import { type Principal, UnavailableError } from '@quantloom/http/principal';
import { contractOf } from '@quantloom/http/routes';
import type { FastifyInstance } from 'fastify';

/** What somebody at a browser that was left open must not do: secrets for programs, another address, the end of the account. */
const GUARDED: ReadonlySet<string> = new Set([
  addApiClient.id,
  replaceApiClient.id,
  removeApiClient.id,
  createApiClient.id,
  deleteApiClient.id,
  updateCurrentUser.id,
  requestDeletion.id,
]);

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
  try {
    const provedAt = await identity.lastProof(sessionId);
    return provedAt === null || now - provedAt < PROOF_HOLDS_MS ? null : CONFIRMATION_NEEDED;
  } catch (error) {
    if (isIdentityError(error, 'unavailable')) throw new UnavailableError(error.message, { cause: error });
    throw error;
  }
}

/** Lets changes of the account itself wait for a fresh password, and code where there is one. Programs never get as far. */
export function guardWithRecentProof(
  app: FastifyInstance,
  { identity, now }: { readonly identity: Pick<Identity, 'lastProof'>; readonly now: () => number },
): void {
  app.addHook('preHandler', async (request, reply) => {
    const { principal } = request;
    if (!principal || principal.clientId !== null || !GUARDED.has(contractOf(request)?.id ?? '')) return;
    const refusal = await refuseOldProof(identity, principal, now());
    if (refusal) return sendRefusal(reply, refusal);
  });
}
