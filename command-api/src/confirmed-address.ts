import { addApiClient } from '@quantloom/domain/contracts/http/api-clients';
import { createApiClient } from '@quantloom/domain/contracts/http/oauth-clients';
import { shareResult } from '@quantloom/domain/contracts/http/shared-results';
import { type Refusal, refuse } from '@quantloom/domain/kernel/refusal';
import type { Identity } from '@quantloom/domain/ports/identity';
import { askingIdentity } from '@quantloom/http/asking-identity';
import { sendRefusal } from '@quantloom/http/errors';
import type { Principal } from '@quantloom/http/principal';
import { contractOf } from '@quantloom/http/routes';
import type { FastifyInstance } from 'fastify';

/** What leaves the account: secrets for programs, and pages for everybody. Besides these, whatever is made public. */
const WAITING: ReadonlySet<string> = new Set([addApiClient.id, createApiClient.id, shareResult.id]);

/**
 * Null where somebody who reads mail at the address of the caller has said that it is his. @param what waits
 * for it, as the first words of a sentence
 */
export async function refuseUnconfirmed(
  identity: Pick<Identity, 'account'>,
  { subject }: Pick<Principal, 'subject'>,
  what: string,
): Promise<Refusal | null> {
  if ((await askingIdentity(identity.account(subject)))?.isEmailVerified) return null;
  return refuse(
    409,
    'email_not_verified',
    `${what} an e-mail address that you have confirmed. The link to do so is under Account, Security.`,
  );
}

/**
 * Lets API clients and everything public wait until the account's address is confirmed, where the operator
 * wants it. Programs of an account may what it may.
 */
export function shareWithConfirmedAddressOnly(
  app: FastifyInstance,
  identity: Pick<Identity, 'account'>,
): void {
  app.addHook('preHandler', async (request, reply) => {
    const { principal, body } = request;
    if (!principal || principal.clientId !== null) return;
    const isPublic = (body as { readonly is_public?: unknown } | null | undefined)?.is_public === true;
    if (!isPublic && !WAITING.has(contractOf(request)?.id ?? '')) return;
    const refusal = await refuseUnconfirmed(identity, principal, 'Sharing and API clients need');
    if (refusal) return sendRefusal(reply, refusal);
  });
}
