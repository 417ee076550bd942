import { accountHistoryProjection } from './account-history/projection.ts';
import { administratorActsProjection } from './administrator-acts/projection.ts';
import { alertsProjection } from './alerts/delivery.ts';
import { alertSettingsProjection } from './alerts/settings.ts';
import { backtestErrorsProjection } from './backtest-error/projections.ts';
import { batchLooksProjection } from './batch/looks.ts';
import { batchDefinitionsProjection, batchesProjection } from './batch/projections.ts';
import { favoritesProjection } from './favorites/favorites.ts';
import { feedAddressesProjection } from './feeds/feed-address.ts';
import { bandsProjection } from './forward-test/band-projection.ts';
import { evaluationFailuresProjection } from './forward-test/failure.ts';
import {
  decisionsProjection,
  followsProjection,
  forwardRecordsProjection,
} from './forward-test/projections.ts';
import type { Projection } from './kernel/projection.ts';
import { listingsProjection } from './listing/projection.ts';
import { basketsProjection } from './paper/basket.ts';
import { preferencesProjection } from './preferences/preferences.ts';
import { resultViewsProjection } from './result-views/result-views.ts';
import { sharedResultsProjection } from './shared-result/shared-result.ts';
import { storedBytesProjection } from './stored-bytes/projection.ts';
import { strategiesProjection, strategySummariesProjection } from './strategy/projection.ts';
import { lastRunsProjection, strategyRunsProjection } from './strategy-run/projections.ts';
import { lineageTrialsProjection } from './trials/trials.ts';
import { quotaReservationsProjection, usageMonthsProjection } from './usage/projections.ts';
import { usersProjection } from './user/projection.ts';
import { variableListsProjection } from './variable-list/projection.ts';
import { waitlistProjection } from './waitlist/projection.ts';

/** Every projection of the product. A new one is added here: it is then run, rebuilt and verified like all others. */
export const PROJECTIONS: readonly Projection[] = [
  usersProjection,
  strategySummariesProjection,
  strategiesProjection,
  variableListsProjection,
  accountHistoryProjection,
  administratorActsProjection,
  batchesProjection,
  batchDefinitionsProjection,
  batchLooksProjection,
  usageMonthsProjection,
  quotaReservationsProjection,
  lineageTrialsProjection,
  backtestErrorsProjection,
  listingsProjection,
  storedBytesProjection,
  strategyRunsProjection,
  lastRunsProjection,
  sharedResultsProjection,
  followsProjection,
  forwardRecordsProjection,
  decisionsProjection,
  bandsProjection,
  evaluationFailuresProjection,
  alertSettingsProjection,
  alertsProjection,
  feedAddressesProjection,
  basketsProjection,
  favoritesProjection,
  preferencesProjection,
  resultViewsProjection,
  waitlistProjection,
];
