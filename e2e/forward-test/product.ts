/**
 * The embedded product with a clock of its own for the nights: whoever has started it says by message which
 * night it is, and it fetches prices at once. `NIGHT` is the first one. A night passes a hundred times as
 * fast as a real one, so that what waits for minutes is seen to go on.
 */
import { readConfig } from '@quantloom/deploy/config';
import { startEmbedded } from '@quantloom/deploy/embedded';
import { Metrics } from '@quantloom/deploy/metrics/metrics';
import { createLog } from '@quantloom/deploy/wiring/log';

const SPEED = 100;
/** A night as it is told: when it began, in its own time and by the clock on the wall (milliseconds). */
export interface Night {
  readonly at: number;
  readonly began: number;
}

let night = JSON.parse(process.env.NIGHT ?? '{}') as Night;
const clock = { now: () => new Date(night.at + (Date.now() - night.began) * SPEED) };
const config = readConfig({ LOG_LEVEL: 'warn', ...process.env });
const metrics = new Metrics('embedded');
const log = createLog(config, 'embedded', () => metrics.errorLogged());
const product = await startEmbedded(config, log, metrics, { nights: { clock, lookEveryMs: 100 } });
let refreshing = Promise.resolve();
process.on('message', (told: Night) => {
  night = told;
  // One after the other: a refresh that is under way has looked already, and would miss the closes of a night
  // that begins meanwhile.
  refreshing = refreshing.then(() => product.refreshMarketData());
  void refreshing.then(() => process.send?.('refreshed'));
});
process.on('disconnect', () => void product.close().then(() => process.exit(0)));
process.send?.('ready');
