import { orderedAppendsSuite } from '../../../testing/event-store/eventstoredb/ordered-appends-suite.ts';
import { standInSuite } from '../../../testing/event-store/eventstoredb/stand-in-suite.ts';

standInSuite('eventstore');
orderedAppendsSuite('eventstore');
