import { realServerSuite } from '../../../testing/event-store/eventstoredb/real-server-suite.ts';

await realServerSuite('eventstore');
