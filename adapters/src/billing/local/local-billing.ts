import { PLANS } from '@quantloom/domain/identity/plans';
import { type Billing, BillingError } from '@quantloom/domain/ports/billing';

/** Where the page shows plans, invoices and payment methods of an installation that manages them itself. */
export const MANAGEMENT_PATH = '/account/billing/manage';

/**
 * Plans without a provider: the price is the table's, nothing is charged, the management page is our own.
 * Where `isSelfService` is false, only administrators change plans.
 */
export function createLocalBilling({
  publicUrl,
  isSelfService = true,
}: {
  readonly publicUrl: string;
  readonly isSelfService?: boolean;
}): Billing {
  return {
    kind: 'local',
    isSelfService,
    subscription: async ({ planId }) => ({
      planId,
      product: { name: PLANS[planId].name },
      price: { unit_amount: PLANS[planId].priceCents },
      management_url: `${publicUrl}${MANAGEMENT_PATH}`,
    }),
    planChange: async () => {
      throw new BillingError('invalid_message', 'This installation has no billing provider');
    },
  };
}
