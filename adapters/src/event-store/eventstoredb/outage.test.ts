import { outageSuite } from '../../../testing/event-store/eventstoredb/outage-suite.ts';

outageSuite('eventstore');
