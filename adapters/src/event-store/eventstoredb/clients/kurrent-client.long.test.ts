import { orderedAppendsSuite } from '../../../../testing/event-store/eventstoredb/ordered-appends-suite.ts';
import { outageSuite } from '../../../../testing/event-store/eventstoredb/outage-suite.ts';
import { standInSuite } from '../../../../testing/event-store/eventstoredb/stand-in-suite.ts';

standInSuite('kurrent');
outageSuite('kurrent');
orderedAppendsSuite('kurrent');
