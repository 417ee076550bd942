import { type Refusal, refuse } from '@quantloom/domain/kernel/refusal';
import type { Identity } from '@quantloom/domain/ports/identity';
import type { FastifyInstance } from 'fastify';
import { askingIdentity } from './asking-identity.ts';
import { sendRefusal } from './errors.ts';
import { hasFeatures, type Principal } from './principal.ts';
import { contractOf } from './routes.ts';

/** A factor that was taken away counts for so long at most; each page of an administrator makes several calls. */
const KNOWN_FOR_MS = 20_000;

const SECOND_FACTOR_NEEDED = refuse(
  403,
  'second_factor_needed',
  'Administrators of this installation need a second factor: add a passkey or an authenticator app ' +
    'under Account, Password and security.',
);

/**
 * Lets administrators do what only they may do once something besides their password is asked for at sign-in,
 * where the operator wants it. Accounts of a provider that does not tell are let through: it has rules of its own.
 */
export function administratorsNeedSecondFactor(
  app: FastifyInstance,
  identity: Pick<Identity, 'account'>,
  knownForMs = KNOWN_FOR_MS,
): void {
  // Only who has one is remembered: whoever has just added it need not wait.
  const knownUntil = new Map<string, number>();
  const refusalOf = async ({ subject }: Principal): Promise<Refusal | null> => {
    if ((knownUntil.get(subject) ?? 0) > performance.now()) return null;
    const account = await askingIdentity(identity.account(subject));
    if (account?.hasSecondFactor === false) return SECOND_FACTOR_NEEDED;
    knownUntil.set(subject, performance.now() + knownForMs);
    return null;
  };
  app.addHook('preHandler', async (request, reply) => {
    const { principal } = request;
    if (contractOf(request)?.access.kind !== 'admin') return;
    // Others are refused as ever.
    if (!principal || principal.clientId !== null || !hasFeatures(principal, ['web.admin.view'])) return;
    const refusal = await refusalOf(principal);
    if (refusal) return sendRefusal(reply, refusal);
  });
}
