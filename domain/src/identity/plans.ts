/** Every feature flag of the product. */
export const FEATURES = [
  'web.batch-backtests.create',
  'web.admin.view',
  'web.slippage.view',
  'web.settings.api-clients.view',
  'web.z-score.view',
  'web.simulated-tickers.view',
] as const;
export type Feature = (typeof FEATURES)[number];

export type PlanId = 'free' | 'api' | 'copy-trader';

export interface Plan {
  readonly id: PlanId;
  readonly name: string;
  /** In cents, a month. */
  readonly priceCents: number;
  readonly isAvailable: boolean;
  readonly features: readonly Feature[];
  /** Batch backtests a calendar month (UTC). */
  readonly monthlyBacktests: number;
  /** Strategies whose decisions are kept night by night, at the same time. */
  readonly followedStrategies: number;
  /** Requests a minute of all API clients of an account together; 0: no API. */
  readonly requestsPerMinute: number;
}

const PAID: readonly Feature[] = [
  'web.batch-backtests.create',
  'web.slippage.view',
  'web.settings.api-clients.view',
  'web.z-score.view',
  'web.simulated-tickers.view',
];

/** The one table of plans: features, quota and rate limit. */
export const PLANS: Readonly<Record<PlanId, Plan>> = {
  free: {
    id: 'free',
    name: 'Free',
    priceCents: 0,
    isAvailable: true,
    features: [],
    monthlyBacktests: 0,
    followedStrategies: 3,
    requestsPerMinute: 0,
  },
  api: {
    id: 'api',
    name: 'API Plan',
    priceCents: 3000,
    isAvailable: true,
    features: PAID,
    monthlyBacktests: 1_500_000,
    followedStrategies: 100,
    requestsPerMinute: 300,
  },
  'copy-trader': {
    id: 'copy-trader',
    name: 'Copy Trader + API Plan',
    priceCents: 4000,
    isAvailable: false,
    features: PAID,
    monthlyBacktests: 2_500_000,
    followedStrategies: 200,
    requestsPerMinute: 300,
  },
};
