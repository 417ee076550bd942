import '../code-cache.ts';
import { awayIn } from '@quantloom/domain/ports/outages';
import closeWithGrace from 'close-with-grace';
import type { Logger } from 'pino';
import { type Config, ConfigurationError, readConfig } from '../config.ts';
import { Metrics } from '../metrics/metrics.ts';
import { openTracing, type ProcessTracing } from '../tracing/open-tracing.ts';
import { awaitServers } from '../wiring/await-servers.ts';
import { createLog } from '../wiring/log.ts';
import { openStartingPage, type StartingPage } from '../wiring/starting-page.ts';

/** A running part of the cluster. */
export interface RunningService {
  /** Address of its HTTP server (health, metrics, and routes where it has any). */
  readonly url: string;
  close(): Promise<void>;
}

/** What a service is made of. */
export interface StartingParts {
  readonly config: Config;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly tracing: ProcessTracing;
  /** For its stores: what is told until the service is up. */
  readonly starting: StartingPage;
}

/** kafkajs 2.2.4 asks for timers in the past and gets what it wants; the warnings about it would hide others. */
function silenceNegativeTimers(): void {
  const emitWarning = process.emitWarning.bind(process) as (...words: unknown[]) => void;
  process.emitWarning = ((...words: unknown[]) => {
    if (words[1] !== 'TimeoutNegativeWarning') emitWarning(...words);
  }) as typeof process.emitWarning;
}

/**
 * Ends this process in an orderly way for an error that only a new one can mend: Kubernetes, or whoever else
 * keeps it, starts that.
 */
export function endProcess(error: Error): void {
  setImmediate(() => {
    throw error;
  });
}

/**
 * The frame of every service's process: configuration, log, one line when it is ready, an orderly end. Never
 * returns before the service is up.
 */
export async function runService(
  name: string,
  start: (parts: StartingParts) => Promise<RunningService>,
): Promise<void> {
  silenceNegativeTimers();
  try {
    const config = readConfig();
    const metrics = new Metrics(name);
    const log = createLog(config, name, () => metrics.errorLogged());
    const starting = await openStartingPage(config);
    await awaitServers(config, name, log, starting);
    const tracing = await openTracing(name);
    const service = await start({ config, log, metrics, tracing, starting });
    await starting.end();
    closeWithGrace({ delay: 20_000, logger: log }, async ({ err }) => {
      if (err) log.fatal({ err }, 'an unexpected error ends the process');
      await service.close();
      await tracing.close();
    });
    // Last: whoever reads it may end the process at once.
    console.log(`${name} is ready: ${service.url}`);
  } catch (error) {
    // A server that went away while something was written that must not be written twice: whoever keeps the
    // process starts it again, and then it waits.
    const away = awayIn(error);
    if (away) console.error(`${name} ends before it was ready, and is to be started again. ${away.message}`);
    else console.error(error instanceof ConfigurationError ? error.message : error);
    process.exit(1);
  }
}
