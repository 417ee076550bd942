import { outageSuite } from '../outage-suite.ts';
import { standInSuite } from '../stand-in-suite.ts';

standInSuite('kurrent');
outageSuite('kurrent');
