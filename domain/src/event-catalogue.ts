import { API_CLIENT_EVENTS } from './api-client/api-client.ts';
import { BACKTEST_ERROR_STREAM } from './backtest-error/stream.ts';
import { BATCH_STREAM } from './batch/stream.ts';
import { eventCatalogue } from './kernel/event-type.ts';
import { PARKED_EVENT_EVENTS } from './kernel/parked-event.ts';
import { STRATEGY_EVENTS } from './strategy/events.ts';
import { TRIALS_STREAM } from './trials/stream.ts';
import { USAGE_STREAM } from './usage/stream.ts';
import { INSTALLATION_EVENTS, USER_EVENTS } from './user/events.ts';
import { VARIABLE_LIST_EVENTS } from './variable-list/events.ts';
import { waitlistStream } from './waitlist/waitlist.ts';

/** Every event type of the product. A new context adds its list here; names are unique in the whole log. */
export const EVENT_CATALOGUE = eventCatalogue(
  STRATEGY_EVENTS,
  VARIABLE_LIST_EVENTS,
  waitlistStream.events,
  USER_EVENTS,
  INSTALLATION_EVENTS,
  API_CLIENT_EVENTS,
  PARKED_EVENT_EVENTS,
  BATCH_STREAM.events,
  USAGE_STREAM.events,
  BACKTEST_ERROR_STREAM.events,
  TRIALS_STREAM.events,
);
