import { ALERT_EVENTS } from './alerts/delivery.ts';
import { ALERT_SETTINGS_EVENTS } from './alerts/settings.ts';
import { API_CLIENT_EVENTS } from './api-client/api-client.ts';
import { BACKTEST_ERROR_EVENTS } from './backtest-error/events.ts';
import { BATCH_EVENTS } from './batch/events.ts';
import { FAVORITE_EVENTS } from './favorites/favorites.ts';
import { FEED_ADDRESS_EVENTS } from './feeds/feed-address.ts';
import { BAND_EVENTS } from './forward-test/band.ts';
import { DECISION_EVENTS } from './forward-test/decision.ts';
import { EVALUATION_EVENTS } from './forward-test/failure.ts';
import { FOLLOW_EVENTS } from './forward-test/follow.ts';
import { FOLLOW_PLACE_EVENTS } from './forward-test/follow-places.ts';
import { eventCatalogue } from './kernel/event-type.ts';
import { PARKED_EVENT_EVENTS } from './kernel/parked-event.ts';
import { BASKET_EVENTS, PAPER_EVENTS } from './paper/events.ts';
import { PREFERENCE_EVENTS } from './preferences/preferences.ts';
import { RESULT_VIEW_EVENTS } from './result-views/result-views.ts';
import { SHARED_RESULT_EVENTS } from './shared-result/shared-result.ts';
import { SIGN_IN_EVENTS } from './sign-in/sign-in.ts';
import { STRATEGY_EVENTS } from './strategy/events.ts';
import { TREE_EVENTS } from './strategy/stored-tree.ts';
import { STRATEGY_RUN_EVENTS } from './strategy-run/events.ts';
import { TRIAL_EVENTS } from './trials/trials.ts';
import { USAGE_EVENTS } from './usage/usage.ts';
import { INSTALLATION_EVENTS, USER_EVENTS } from './user/events.ts';
import { VARIABLE_LIST_EVENTS } from './variable-list/events.ts';
import { WAITLIST_EVENTS } from './waitlist/waitlist.ts';

/** Every event type of the product. A new context adds its declaration here; names are unique in the whole log. */
export const EVENT_CATALOGUE = eventCatalogue(
  ...[
    STRATEGY_EVENTS,
    TREE_EVENTS,
    STRATEGY_RUN_EVENTS,
    SHARED_RESULT_EVENTS,
    VARIABLE_LIST_EVENTS,
    WAITLIST_EVENTS,
    USER_EVENTS,
    INSTALLATION_EVENTS,
    API_CLIENT_EVENTS,
    PARKED_EVENT_EVENTS,
    BATCH_EVENTS,
    USAGE_EVENTS,
    BACKTEST_ERROR_EVENTS,
    TRIAL_EVENTS,
    FOLLOW_EVENTS,
    FOLLOW_PLACE_EVENTS,
    DECISION_EVENTS,
    BAND_EVENTS,
    EVALUATION_EVENTS,
    ALERT_SETTINGS_EVENTS,
    ALERT_EVENTS,
    FEED_ADDRESS_EVENTS,
    PAPER_EVENTS,
    BASKET_EVENTS,
    FAVORITE_EVENTS,
    PREFERENCE_EVENTS,
    RESULT_VIEW_EVENTS,
    SIGN_IN_EVENTS,
  ].map(({ events }) => events),
);
