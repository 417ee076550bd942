import * as adminActs from './admin-acts.ts';
import * as adminDashboard from './admin-dashboard.ts';
import * as adminUsers from './admin-users.ts';
import * as alerts from './alerts.ts';
import * as analysis from './analysis.ts';
import * as apiClients from './api-clients.ts';
import * as archive from './archive.ts';
import * as asLived from './as-lived.ts';
import * as backtestErrors from './backtest-errors.ts';
import * as backtests from './backtests.ts';
import * as batches from './batches.ts';
import * as billing from './billing.ts';
import * as certificates from './certificates.ts';
import * as drafts from './drafts.ts';
import * as favorites from './favorites.ts';
import * as forwardTests from './forward-tests.ts';
import * as histograms from './histograms.ts';
import * as history from './history.ts';
import * as marketData from './market-data.ts';
import * as marketDataImports from './market-data-imports.ts';
import * as oauthClients from './oauth-clients.ts';
import * as outOfSample from './out-of-sample.ts';
import * as paper from './paper.ts';
import * as parkedEvents from './parked-events.ts';
import * as preferences from './preferences.ts';
import * as resultViews from './result-views.ts';
import * as results from './results.ts';
import type { RouteContract } from './route.ts';
import * as sharedResults from './shared-results.ts';
import * as stability from './stability.ts';
import * as storage from './storage.ts';
import * as strategies from './strategies.ts';
import * as strategyRuns from './strategy-runs.ts';
import * as subscriptions from './subscriptions.ts';
import * as templates from './templates.ts';
import * as users from './users.ts';
import * as variableLists from './variable-lists.ts';
import * as waitlist from './waitlist.ts';
import * as walkForward from './walk-forward.ts';

const MODULES: readonly object[] = [
  strategies,
  drafts,
  templates,
  history,
  strategyRuns,
  sharedResults,
  forwardTests,
  asLived,
  alerts,
  paper,
  favorites,
  preferences,
  certificates,
  variableLists,
  backtests,
  batches,
  resultViews,
  results,
  analysis,
  histograms,
  outOfSample,
  walkForward,
  stability,
  marketData,
  marketDataImports,
  users,
  storage,
  archive,
  subscriptions,
  apiClients,
  oauthClients,
  billing,
  waitlist,
  backtestErrors,
  parkedEvents,
  adminUsers,
  adminActs,
  adminDashboard,
];

/** Whether an export of a file of contracts is one. */
export function isContract(value: unknown): value is RouteContract {
  const contract = value as Partial<RouteContract> | null;
  return (
    typeof contract === 'object' &&
    contract !== null &&
    typeof contract.id === 'string' &&
    typeof contract.path === 'string' &&
    contract.answer !== undefined &&
    contract.access !== undefined
  );
}

/**
 * Every route of the product, in the order of the documentation. A new file of contracts is added to the list
 * above.
 */
export const ALL_ROUTES: readonly RouteContract[] = MODULES.flatMap((module) =>
  Object.values(module).filter(isContract),
);
