import { realServerSuite } from '../real-server-suite.ts';

await realServerSuite('kurrent');
