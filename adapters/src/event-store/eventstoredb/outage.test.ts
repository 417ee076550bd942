import { outageSuite } from './outage-suite.ts';

outageSuite('eventstore');
