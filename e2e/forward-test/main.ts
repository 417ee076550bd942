/**
 * A year of real prices, fed night by night to a product that is killed on the way.
 *
 *   node e2e/forward-test/main.ts [--strategies 200] [--nights 252] [--kills 40] [--missed 30] [--seed 1]
 */
import { parseArgs } from 'node:util';
import { Random } from '../cluster/random.ts';
import { liveThrough } from './year-of-nights.ts';

const { values } = parseArgs({
  options: {
    strategies: { type: 'string', default: '200' },
    nights: { type: 'string', default: '252' },
    kills: { type: 'string', default: '40' },
    missed: { type: 'string', default: '30' },
    seed: { type: 'string', default: '1' },
  },
});
const report = await liveThrough({
  strategies: Number(values.strategies),
  nights: Number(values.nights),
  kills: Number(values.kills),
  missed: Number(values.missed),
  random: new Random(Number(values.seed)),
  onNight: (told) => console.log(told),
});
console.log(report);
process.exitCode = report.faults.length > 0 ? 1 : 0;
