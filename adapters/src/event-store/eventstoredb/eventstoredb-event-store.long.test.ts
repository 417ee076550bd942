import { standInSuite } from './stand-in-suite.ts';

standInSuite('eventstore');
