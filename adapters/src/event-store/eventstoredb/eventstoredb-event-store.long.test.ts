import { orderedAppendsSuite } from './ordered-appends-suite.ts';
import { standInSuite } from './stand-in-suite.ts';

standInSuite('eventstore');
orderedAppendsSuite('eventstore');
