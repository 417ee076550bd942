/**
 * Who may call what: the whole product in one table, written by hand so that it can disagree with the code. A
 * test walks every registered route through it with every role, and fails for a route that is not here.
 */

/**
 * `owner` is on a plan and owns the thing in question, `machine` acts for him, `other` is on the same plan,
 * `adminMachine` acts for `admin`.
 */
export const ROLES = [
  'visitor',
  'free',
  'owner',
  'other',
  'machine',
  'machineWithoutScope',
  'admin',
  'adminMachine',
] as const;
export type Role = (typeof ROLES)[number];

/** `ok`: let through (what the call then makes of its input is another matter). */
export type Outcome = 'ok' | 401 | 403 | 404;

/** What the `{id}` of a route names; it belongs to `owner` and is private. */
export type Thing =
  | 'tradingBot'
  | 'deletedTradingBot'
  | 'variableList'
  | 'deletedVariableList'
  | 'batch'
  | 'sharedResult'
  | 'none';

export interface AccessRow {
  readonly outcomes: Readonly<Record<Role, Outcome>>;
  readonly thing: Thing;
}

type Outcomes = AccessRow['outcomes'];

const EVERYBODY: Outcomes = {
  visitor: 'ok',
  free: 'ok',
  owner: 'ok',
  other: 'ok',
  machine: 'ok',
  machineWithoutScope: 'ok',
  admin: 'ok',
  adminMachine: 'ok',
};
const SIGNED_IN: Outcomes = { ...EVERYBODY, visitor: 401, machineWithoutScope: 403 };
const PEOPLE: Outcomes = { ...SIGNED_IN, machine: 403, adminMachine: 403 };
const ON_A_PLAN: Outcomes = { ...SIGNED_IN, free: 403 };
const PEOPLE_ON_A_PLAN: Outcomes = { ...PEOPLE, free: 403 };
const OWNER: Outcomes = { ...SIGNED_IN, free: 404, other: 404, admin: 404, adminMachine: 404 };
const OWNER_ON_A_PLAN: Outcomes = { ...OWNER, free: 403 };
const ADMIN: Outcomes = {
  visitor: 401,
  free: 403,
  owner: 403,
  other: 403,
  machine: 403,
  machineWithoutScope: 403,
  admin: 'ok',
  // A program that holds an administrator's secret must not be an administrator.
  adminMachine: 403,
};

// The signature of a link is the permission: without a good one nobody is let through.
const BY_SIGNATURE = Object.fromEntries(ROLES.map((role) => [role, 403])) as Outcomes;

const row = (outcomes: Outcomes, thing: Thing = 'none'): AccessRow => ({ outcomes, thing });

const BATCH_READS = [
  ...['results', 'results/failures', 'events'],
  ...[
    'histograms',
    'heat-map',
    'scatter',
    'variables',
    'peaks',
    'robust',
    'parallel',
    'compare',
    'verdict',
    'walk-forward',
    'stability',
  ].map((name) => `analysis/${name}`),
  'out-of-sample',
];

/** `METHOD path` → who may. */
export const ACCESS_TABLE: Readonly<Record<string, AccessRow>> = {
  'POST /api/v1/waitlist': row(EVERYBODY),

  'POST /api/v1/users': row(PEOPLE),
  'GET /api/v1/users/me': row(SIGNED_IN),
  'PATCH /api/v1/users/me': row(PEOPLE),
  'POST /api/v1/users/me/deletion': row(PEOPLE),
  'DELETE /api/v1/users/me/deletion': row(PEOPLE),
  'GET /api/v1/users/me/storage': row(SIGNED_IN),
  'GET /api/v1/users/me/history': row(PEOPLE),
  'GET /api/v1/users/me/archive': row(PEOPLE),
  'GET /api/v1/users/me/archive/download': row(BY_SIGNATURE),
  'GET /api/v1/subscriptions/me': row(SIGNED_IN),
  'GET /api/v1/oauth/clients': row(PEOPLE),
  'POST /api/v1/oauth/clients': row(PEOPLE_ON_A_PLAN),
  'DELETE /api/v1/oauth/clients': row(PEOPLE),
  'GET /api/v1/api-clients': row(PEOPLE),
  'POST /api/v1/api-clients': row(PEOPLE_ON_A_PLAN),
  'GET /api/v1/api-clients/{id}/secret': row(PEOPLE),
  'POST /api/v1/api-clients/{id}/replace': row(PEOPLE_ON_A_PLAN),
  'DELETE /api/v1/api-clients/{id}': row(PEOPLE),
  'GET /api/v1/billing': row(PEOPLE),
  'POST /api/v1/billing/plan': row(PEOPLE),
  'POST /api/v1/billing/stripe': row(EVERYBODY),

  'GET /api/v1/drafts': row(SIGNED_IN),
  'GET /api/v1/drafts/tags': row(SIGNED_IN),
  'DELETE /api/v1/drafts/{id}': row(OWNER, 'tradingBot'),
  'POST /api/v1/trading-bots': row(SIGNED_IN),
  'GET /api/v1/trading-bots/{id}': row(OWNER, 'tradingBot'),
  'PATCH /api/v1/trading-bots/{id}': row(OWNER, 'tradingBot'),
  'POST /api/v1/trading-bots/{id}/clone': row(OWNER, 'tradingBot'),
  'POST /api/v1/trading-bots/{id}/undo-delete': row(OWNER, 'deletedTradingBot'),
  'POST /api/v1/trading-bots/{id}/hold-out': row(OWNER, 'tradingBot'),
  'GET /api/v1/trading-bots/{id}/import': row(OWNER, 'tradingBot'),
  'GET /api/v1/trading-bots/{id}/history': row(OWNER, 'tradingBot'),
  'GET /api/v1/trading-bots/{id}/history/{revision}': row(OWNER, 'tradingBot'),
  'POST /api/v1/trading-bots/{id}/history/{revision}/restore': row(OWNER, 'tradingBot'),
  'GET /api/v1/trading-bots/{id}/runs': row(OWNER, 'tradingBot'),
  'GET /api/v1/trading-bots/{id}/runs/{run}': row(OWNER, 'tradingBot'),
  'GET /api/v1/trading-bots/{id}/runs/{run}/certificate': row(OWNER, 'tradingBot'),
  'POST /api/v1/certificates/verify': row(SIGNED_IN),
  'GET /api/v1/trading-bots/{id}/shared-results': row(OWNER, 'tradingBot'),
  'POST /api/v1/trading-bots/{id}/shared-results': row(OWNER, 'tradingBot'),
  'DELETE /api/v1/shared-results/{id}': row(OWNER, 'sharedResult'),
  'POST /api/v1/trading-bots/{id}/follow': row(OWNER, 'tradingBot'),
  'DELETE /api/v1/trading-bots/{id}/follow': row(OWNER, 'tradingBot'),
  'GET /api/v1/trading-bots/{id}/decisions': row(OWNER, 'tradingBot'),
  'GET /api/v1/trading-bots/{id}/as-lived': row(OWNER, 'tradingBot'),
  'GET /api/v1/follows': row(SIGNED_IN),
  'GET /api/v1/tomorrow': row(SIGNED_IN),
  'GET /api/v1/favorites': row(SIGNED_IN),
  'POST /api/v1/trading-bots/{id}/favorite': row(OWNER, 'tradingBot'),
  'DELETE /api/v1/trading-bots/{id}/favorite': row(OWNER, 'tradingBot'),
  'GET /api/v1/preferences': row(PEOPLE),
  'PATCH /api/v1/preferences': row(PEOPLE),
  'GET /api/v1/result-views': row(PEOPLE),
  'POST /api/v1/result-views': row(PEOPLE),
  'PATCH /api/v1/result-views/{id}': row(PEOPLE),
  'DELETE /api/v1/result-views/{id}': row(PEOPLE),
  'GET /api/v1/paper-account': row(PEOPLE),
  'POST /api/v1/paper-account': row(PEOPLE),
  'DELETE /api/v1/paper-account': row(PEOPLE),
  'POST /api/v1/paper-account/approve': row(PEOPLE),
  'GET /api/v1/alerts': row(PEOPLE),
  'PATCH /api/v1/alerts': row(PEOPLE),
  'POST /api/v1/alerts/webhook/secret': row(PEOPLE),
  'POST /api/v1/alerts/webhook/test': row(PEOPLE),
  'GET /api/v1/alerts/sent': row(PEOPLE),
  'GET /api/v1/alerts/feed': row(PEOPLE),
  'POST /api/v1/alerts/feed': row(PEOPLE),
  'DELETE /api/v1/alerts/feed': row(PEOPLE),
  'POST /api/v1/import': row(SIGNED_IN),
  'GET /api/v1/templates': row(ON_A_PLAN),

  'GET /api/v1/variable-lists': row(ON_A_PLAN),
  'POST /api/v1/variable-lists': row(ON_A_PLAN),
  'GET /api/v1/variable-lists/{id}': row(OWNER, 'variableList'),
  'PATCH /api/v1/variable-lists/{id}': row(OWNER_ON_A_PLAN, 'variableList'),
  'DELETE /api/v1/variable-lists/{id}': row(OWNER, 'variableList'),
  'POST /api/v1/variable-lists/{id}/clone': row(OWNER_ON_A_PLAN, 'variableList'),
  'POST /api/v1/variable-lists/{id}/undo-delete': row(OWNER, 'deletedVariableList'),
  'GET /api/v1/variable-lists/{id}/history': row(OWNER, 'variableList'),
  'GET /api/v1/variable-lists/{id}/history/{revision}': row(OWNER, 'variableList'),
  'POST /api/v1/variable-lists/{id}/history/{revision}/restore': row(OWNER_ON_A_PLAN, 'variableList'),

  'POST /api/v1/backtests': row(SIGNED_IN),
  'POST /api/v1/backtests/sensitivity': row(SIGNED_IN),
  'GET /api/v1/tickers': row(SIGNED_IN),
  'GET /api/v1/market-data': row(SIGNED_IN),

  'POST /api/v1/batch-backtests/estimate': row(ON_A_PLAN),
  'POST /api/v1/batch-backtests': row(ON_A_PLAN),
  'GET /api/v1/batch-backtests': row(ON_A_PLAN),
  'GET /api/v1/batch-backtests/quota': row(ON_A_PLAN),
  'GET /api/v1/batch-backtests/{id}': row(OWNER_ON_A_PLAN, 'batch'),
  'PATCH /api/v1/batch-backtests/{id}': row(OWNER_ON_A_PLAN, 'batch'),
  'DELETE /api/v1/batch-backtests/{id}': row(OWNER_ON_A_PLAN, 'batch'),
  'POST /api/v1/batch-backtests/{id}/stop': row(OWNER_ON_A_PLAN, 'batch'),
  'POST /api/v1/batch-backtests/{id}/pins': row(OWNER_ON_A_PLAN, 'batch'),
  'DELETE /api/v1/batch-backtests/{id}/pins/{combination}': row(OWNER_ON_A_PLAN, 'batch'),
  'POST /api/v1/batch-backtests/{id}/rows': row(OWNER_ON_A_PLAN, 'batch'),
  'POST /api/v1/batch-backtests/{id}/bands': row(OWNER_ON_A_PLAN, 'batch'),
  'POST /api/v1/batch-backtests/{id}/row-figures': row(OWNER_ON_A_PLAN, 'batch'),
  'POST /api/v1/batch-backtests/{id}/walk-forward': row(OWNER_ON_A_PLAN, 'batch'),
  'POST /api/v1/batch-backtests/{id}/out-of-sample': row(OWNER_ON_A_PLAN, 'batch'),
  ...Object.fromEntries(
    BATCH_READS.map((name) => [`GET /api/v1/batch-backtests/{id}/${name}`, row(OWNER_ON_A_PLAN, 'batch')]),
  ),
  'GET /api/v1/batch-backtests/{id}/results/download': row(BY_SIGNATURE),

  'GET /api/v1/backtests/errors': row(ADMIN),
  'GET /api/v1/backtests/errors/{id}': row(ADMIN),
  'POST /api/v1/backtests/errors/{id}/replay': row(ADMIN),
  'POST /api/v1/backtests/errors/replay': row(ADMIN),
  'GET /api/v1/admin/dashboard': row(ADMIN),
  'GET /api/v1/admin/acts': row(ADMIN),
  'GET /api/v1/admin/waitlist': row(ADMIN),
  'GET /api/v1/admin/users': row(ADMIN),
  'GET /api/v1/admin/users/{id}': row(ADMIN),
  'POST /api/v1/admin/users/{id}/features': row(ADMIN),
  'POST /api/v1/admin/users/{id}/access': row(ADMIN),
  'POST /api/v1/admin/users/{id}/assistance': row(ADMIN),
  'POST /api/v1/admin/users/{id}/deletion': row(ADMIN),
  'POST /api/v1/admin/users/{id}/plan': row(ADMIN),
  'GET /api/v1/admin/market-data': row(ADMIN),
  'GET /api/v1/admin/market-data/tickers/{ticker}': row(ADMIN),
  'POST /api/v1/admin/market-data/imports': row(ADMIN),
  'POST /api/v1/admin/market-data/imports/{id}/pieces': row(ADMIN),
  'POST /api/v1/admin/market-data/imports/{id}/run': row(ADMIN),
  'GET /api/v1/admin/market-data/imports/{id}': row(ADMIN),
  'POST /api/v1/admin/market-data/use': row(ADMIN),
  'GET /api/v1/admin/parked-events': row(ADMIN),
  'POST /api/v1/admin/parked-events/{id}/replay': row(ADMIN),
};

/** What API clients change, by the one scope that lets them. */
export const CHANGES_BY_SCOPE: Readonly<Record<'backtest' | 'batches', readonly string[]>> = {
  backtest: [
    'DELETE /api/v1/drafts/{id}',
    'POST /api/v1/trading-bots',
    'PATCH /api/v1/trading-bots/{id}',
    'POST /api/v1/trading-bots/{id}/hold-out',
    'POST /api/v1/trading-bots/{id}/clone',
    'POST /api/v1/trading-bots/{id}/undo-delete',
    'POST /api/v1/trading-bots/{id}/history/{revision}/restore',
    'POST /api/v1/trading-bots/{id}/shared-results',
    'DELETE /api/v1/shared-results/{id}',
    'POST /api/v1/trading-bots/{id}/follow',
    'DELETE /api/v1/trading-bots/{id}/follow',
    'POST /api/v1/trading-bots/{id}/favorite',
    'DELETE /api/v1/trading-bots/{id}/favorite',
    'POST /api/v1/certificates/verify',
    'POST /api/v1/import',
    'POST /api/v1/backtests',
    'POST /api/v1/backtests/sensitivity',
  ],
  batches: [
    'POST /api/v1/variable-lists',
    'PATCH /api/v1/variable-lists/{id}',
    'DELETE /api/v1/variable-lists/{id}',
    'POST /api/v1/variable-lists/{id}/clone',
    'POST /api/v1/variable-lists/{id}/undo-delete',
    'POST /api/v1/variable-lists/{id}/history/{revision}/restore',
    'POST /api/v1/batch-backtests/estimate',
    'POST /api/v1/batch-backtests',
    'PATCH /api/v1/batch-backtests/{id}',
    'DELETE /api/v1/batch-backtests/{id}',
    'POST /api/v1/batch-backtests/{id}/stop',
    'POST /api/v1/batch-backtests/{id}/pins',
    'DELETE /api/v1/batch-backtests/{id}/pins/{combination}',
    'POST /api/v1/batch-backtests/{id}/rows',
    'POST /api/v1/batch-backtests/{id}/bands',
    'POST /api/v1/batch-backtests/{id}/row-figures',
    'POST /api/v1/batch-backtests/{id}/walk-forward',
    'POST /api/v1/batch-backtests/{id}/out-of-sample',
  ],
};

/**
 * What API clients may look at with another scope than `read`, too: batches that they run, and what is
 * nobody's own.
 */
export const READS_BY_SCOPE: Readonly<Record<'backtest' | 'batches', readonly string[]>> = {
  backtest: ['GET /api/v1/tickers', 'GET /api/v1/market-data'],
  batches: [
    'GET /api/v1/variable-lists',
    'GET /api/v1/variable-lists/{id}',
    'GET /api/v1/variable-lists/{id}/history',
    'GET /api/v1/variable-lists/{id}/history/{revision}',
    'GET /api/v1/batch-backtests',
    'GET /api/v1/batch-backtests/quota',
    'GET /api/v1/batch-backtests/{id}',
    ...BATCH_READS.map((name) => `GET /api/v1/batch-backtests/{id}/${name}`),
    'GET /api/v1/tickers',
    'GET /api/v1/market-data',
  ],
};

/**
 * What `other` gets of a thing that its owner has made public: to be looked at and copied, not to be changed,
 * and its past is the owner's.
 */
export const WHEN_PUBLIC: Readonly<Record<string, Outcome>> = {
  'DELETE /api/v1/drafts/{id}': 403,
  'GET /api/v1/trading-bots/{id}': 'ok',
  'PATCH /api/v1/trading-bots/{id}': 403,
  'POST /api/v1/trading-bots/{id}/clone': 'ok',
  'POST /api/v1/trading-bots/{id}/hold-out': 403,
  'GET /api/v1/trading-bots/{id}/import': 404,
  'POST /api/v1/trading-bots/{id}/follow': 'ok',
  'DELETE /api/v1/trading-bots/{id}/follow': 'ok',
  'POST /api/v1/trading-bots/{id}/favorite': 'ok',
  'DELETE /api/v1/trading-bots/{id}/favorite': 'ok',
  'GET /api/v1/trading-bots/{id}/decisions': 'ok',
  'GET /api/v1/trading-bots/{id}/as-lived': 'ok',
  'GET /api/v1/trading-bots/{id}/shared-results': 404,
  'POST /api/v1/trading-bots/{id}/shared-results': 404,
  'GET /api/v1/trading-bots/{id}/runs': 404,
  'GET /api/v1/trading-bots/{id}/runs/{run}/certificate': 404,
  'GET /api/v1/trading-bots/{id}/runs/{run}': 404,
  'GET /api/v1/trading-bots/{id}/history': 404,
  'GET /api/v1/trading-bots/{id}/history/{revision}': 404,
  'POST /api/v1/trading-bots/{id}/history/{revision}/restore': 404,

  'GET /api/v1/variable-lists/{id}': 'ok',
  'PATCH /api/v1/variable-lists/{id}': 403,
  'DELETE /api/v1/variable-lists/{id}': 403,
  'POST /api/v1/variable-lists/{id}/clone': 'ok',
  'GET /api/v1/variable-lists/{id}/history': 404,
  'GET /api/v1/variable-lists/{id}/history/{revision}': 404,
  'POST /api/v1/variable-lists/{id}/history/{revision}/restore': 404,

  'GET /api/v1/batch-backtests/{id}': 'ok',
  'PATCH /api/v1/batch-backtests/{id}': 404,
  'DELETE /api/v1/batch-backtests/{id}': 404,
  'POST /api/v1/batch-backtests/{id}/stop': 404,
  'POST /api/v1/batch-backtests/{id}/pins': 404,
  'DELETE /api/v1/batch-backtests/{id}/pins/{combination}': 404,
  'POST /api/v1/batch-backtests/{id}/rows': 'ok',
  'POST /api/v1/batch-backtests/{id}/bands': 'ok',
  'POST /api/v1/batch-backtests/{id}/row-figures': 'ok',
  'POST /api/v1/batch-backtests/{id}/walk-forward': 'ok',
  'POST /api/v1/batch-backtests/{id}/out-of-sample': 404,
  ...Object.fromEntries(
    BATCH_READS.map((name) => [`GET /api/v1/batch-backtests/{id}/${name}`, 'ok' as const]),
  ),
};
