import { orderedAppendsSuite } from '../ordered-appends-suite.ts';
import { outageSuite } from '../outage-suite.ts';
import { standInSuite } from '../stand-in-suite.ts';

standInSuite('kurrent');
outageSuite('kurrent');
orderedAppendsSuite('kurrent');
