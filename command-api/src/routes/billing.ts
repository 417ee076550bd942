import { systemCommand } from '@quantloom/domain/batch/system-command';
import { changePlan, receiveStripeMessage } from '@quantloom/domain/contracts/http/billing';
import type { SubscriptionAnswer } from '@quantloom/domain/contracts/http/subscriptions';
import { derivedId } from '@quantloom/domain/kernel/ids';
import { isRefusal, refuse } from '@quantloom/domain/kernel/refusal';
import { isBillingError, type ProviderPlanChange, type Subscription } from '@quantloom/domain/ports/billing';
import { USER_STREAM } from '@quantloom/domain/user/user';
import { UnavailableError } from '@quantloom/http/principal';
import { mountRoute } from '@quantloom/http/routes';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { runCommand } from '../command-call.ts';
import type { CommandApiDeps, WriteDeps } from '../deps.ts';

type BillingDeps = WriteDeps & Pick<CommandApiDeps, 'billing'>;

const MANAGED_ELSEWHERE = refuse(
  409,
  'plan_managed_elsewhere',
  'Plans are managed by the billing provider. Please use its page.',
);
const GIVEN_BY_ADMINISTRATORS = refuse(
  403,
  'plan_not_available',
  'Plans are given by the administrators of this installation. Please ask them.',
);
const NO_PROVIDER = refuse(404, 'not_found', 'This installation has no billing provider.');
const INVALID_MESSAGE = refuse(400, 'invalid_message', 'This is not a message of the billing provider.');

const answerOf = ({ planId, product, price, management_url }: Subscription): SubscriptionAnswer => ({
  plan_id: planId,
  product,
  price,
  management_url,
});

/** Changes of plan: by the user in an installation that manages plans itself, else by the provider's messages. */
export async function mountBilling(app: FastifyInstance, deps: BillingDeps): Promise<void> {
  const { billing, eventStore, clock, stateCache } = deps;

  mountRoute(app, changePlan, async (call) => {
    if (billing.kind === 'provider') return MANAGED_ELSEWHERE;
    if (!billing.isSelfService) return GIVEN_BY_ADMINISTRATORS;
    const { userId } = call.principal;
    const result = await runCommand(call, deps, USER_STREAM, userId, {
      type: 'ChangePlan',
      planId: call.body.plan_id,
      source: 'user',
      effectiveAt: null,
    });
    if (isRefusal(result)) return result;
    if (result.state.status === 'none') throw new Error('There is no user after the command');
    const { email, planId } = result.state;
    return answerOf(await billing.subscription({ userId, email, planId }));
  });

  // However many others write to the user: what is refused is answered as received all the same, and does
  // not come again.
  const apply = (change: ProviderPlanChange, request: FastifyRequest) =>
    systemCommand(
      eventStore,
      USER_STREAM,
      change.userId,
      {
        type: 'ChangePlan',
        planId: change.planId,
        source: 'provider',
        effectiveAt: change.effectiveAt,
      },
      {
        // The message decides: delivered twice, it is carried out once.
        commandId: derivedId(Date.parse(change.effectiveAt), 'billing', change.messageId),
        correlationId: request.id,
        actor: { kind: 'system', name: 'billing' },
        now: clock.now().toISOString(),
        mayRepeat: true,
      },
      stateCache,
    );

  await app.register(async (scope) => {
    // The signature is over the bytes.
    scope.removeContentTypeParser('application/json');
    scope.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) => {
      done(null, body);
    });
    mountRoute(scope, receiveStripeMessage, async (call) => {
      if (billing.kind === 'local') return NO_PROVIDER;
      const signature = call.request.headers['stripe-signature'];
      const { body } = call.request;
      let change: ProviderPlanChange | null;
      try {
        change = await billing.planChange({
          body: Buffer.isBuffer(body) ? body : new Uint8Array(),
          signature: typeof signature === 'string' ? signature : undefined,
        });
      } catch (error) {
        if (isBillingError(error, 'invalid_message')) return INVALID_MESSAGE;
        if (isBillingError(error)) throw new UnavailableError(error.message, { cause: error });
        throw error;
      }
      if (change) {
        const result = await apply(change, call.request);
        // An unknown user is not the provider's fault; asking it to repeat would not help.
        if (isRefusal(result))
          call.request.log.warn({ refusal: result, messageId: change.messageId }, 'billing message refused');
      }
      return { received: true };
    });
  });
}
