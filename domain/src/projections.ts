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

/** The runner knows documents by their id alone, so the shape of each projection's own is dropped here. */
const any = (projection: unknown): Projection => projection as Projection;

/** Every projection of the product. A new one is added here: it is then run, rebuilt and verified like all others. */
export const PROJECTIONS: readonly Projection[] = [
  any(usersProjection),
  any(strategySummariesProjection),
  any(strategiesProjection),
  any(variableListsProjection),
  any(accountHistoryProjection),
  any(administratorActsProjection),
  any(batchesProjection),
  any(batchDefinitionsProjection),
  any(batchLooksProjection),
  any(usageMonthsProjection),
  any(quotaReservationsProjection),
  any(lineageTrialsProjection),
  any(backtestErrorsProjection),
  any(listingsProjection),
  any(storedBytesProjection),
  any(strategyRunsProjection),
  any(lastRunsProjection),
  any(sharedResultsProjection),
  any(followsProjection),
  any(forwardRecordsProjection),
  any(decisionsProjection),
  any(bandsProjection),
  any(evaluationFailuresProjection),
  any(alertSettingsProjection),
  any(alertsProjection),
  any(feedAddressesProjection),
  any(basketsProjection),
  any(favoritesProjection),
  any(preferencesProjection),
  any(resultViewsProjection),
  any(waitlistProjection),
];
