import { createLocalBilling } from '@quantloom/adapters/billing/local/local-billing';
import { createStripeBilling } from '@quantloom/adapters/billing/stripe/stripe-billing';
import type { Billing } from '@quantloom/domain/ports/billing';
import type { Config } from '../config.ts';

/** Stripe where the configuration has its keys, else plans that the installation manages itself. */
export function openBilling(config: Config): Billing {
  const { STRIPE_SECRET_KEY: secretKey, STRIPE_WEBHOOK_SECRET: webhookSecret, publicUrl } = config;
  const { STRIPE_API_PRICE: api, STRIPE_COPY_TRADER_PRICE: copyTrader, SELF_SERVICE_PLANS } = config;
  if (!secretKey || !webhookSecret || !api)
    return createLocalBilling({ publicUrl, isSelfService: SELF_SERVICE_PLANS });
  return createStripeBilling({
    secretKey,
    webhookSecret,
    prices: { api, ...(copyTrader && { 'copy-trader': copyTrader }) },
    returnUrl: `${publicUrl}/account/billing`,
  });
}
