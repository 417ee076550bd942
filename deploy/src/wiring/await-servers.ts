import {
  eventStoreDbProbe,
  isEventStoreDbOutage,
  LARGEST_APPEND,
  takesAppendsOf,
} from '@quantloom/adapters/event-store/eventstoredb/outage';
import { kafkaProbe } from '@quantloom/adapters/message-bus/kafka/outage';
import type { Probe } from '@quantloom/adapters/outages/breaker';
import { mongoProbe } from '@quantloom/adapters/read-models/mongodb/outage';
import { clickHouseProbe } from '@quantloom/adapters/result-store/clickhouse/outage';
import { DEPENDENCY_NAMES, type Dependency } from '@quantloom/domain/ports/outages';
import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import { kafkaSecurity } from './kafka-security.ts';
import type { StartingPage } from './starting-page.ts';

const ASK_EVERY_MS = 1_000;
const ANSWER_MS = 5_000;
const TOO_SMALL =
  'EventStoreDB takes no appends of 12 MiB, so that large strategies and lists are refused: set ' +
  'its MaxAppendSize to 16767216 (EVENTSTORE_MAX_APPEND_SIZE)';
const SIZE_UNKNOWN =
  'EventStoreDB has not said in time whether it takes appends of 12 MiB; the service starts without knowing that';

/** Whether the configuration names any server, so that a start may have to wait and has to say for what. */
export function namesServer({
  EVENTSTORE_URL,
  KAFKA_BROKERS,
  MONGODB_URL,
  CLICKHOUSE_URL,
}: Pick<Config, 'EVENTSTORE_URL' | 'KAFKA_BROKERS' | 'MONGODB_URL' | 'CLICKHOUSE_URL'>): boolean {
  return [EVENTSTORE_URL, KAFKA_BROKERS, MONGODB_URL, CLICKHOUSE_URL].some(Boolean);
}

/**
 * Waits until every server that the configuration names answers with the name and password that it gives.
 * Meanwhile the page says in a sentence what is waited for; a sentence goes to the log whenever that changes.
 *
 * @param page null: the configuration names no server
 */
export async function awaitServers(
  config: Config,
  service: string,
  log: Logger,
  page: StartingPage | null,
): Promise<void> {
  const probes = probesOf(config);
  try {
    let missing = await missingOf(probes);
    if (missing !== null) {
      let said = '';
      page?.waitsFor(() => missing);
      while (missing !== null) {
        if (missing !== said) log.warn(`${service} waits: ${missing}`);
        said = missing;
        await new Promise((resolve) => setTimeout(resolve, ASK_EVERY_MS));
        missing = await missingOf(probes);
      }
      log.info(`${service} starts: every server answers`);
    }
    const { EVENTSTORE_URL, EVENTSTORE_CLIENT } = config;
    const writes = service === 'command-api' || service === 'embedded';
    if (!EVENTSTORE_URL || !writes) return;
    const address = { url: EVENTSTORE_URL, client: EVENTSTORE_CLIENT };
    try {
      if (!(await takesAppendsOf(address, LARGEST_APPEND))) log.warn(TOO_SMALL);
    } catch (error) {
      // A busy server is one that those who write wait for, and no reason to end.
      if (!isEventStoreDbOutage(error)) throw error;
      log.warn(SIZE_UNKNOWN);
    }
  } finally {
    await Promise.all(probes.map(({ probe }) => probe.close()));
  }
}

function probesOf(config: Config): { readonly dependency: Dependency; readonly probe: Probe }[] {
  const { EVENTSTORE_URL, EVENTSTORE_CLIENT, KAFKA_BROKERS, MONGODB_URL, CLICKHOUSE_URL } = config;
  return [
    ...(EVENTSTORE_URL
      ? [
          {
            dependency: 'eventStore',
            probe: eventStoreDbProbe({ url: EVENTSTORE_URL, client: EVENTSTORE_CLIENT }),
          } as const,
        ]
      : []),
    ...(KAFKA_BROKERS
      ? [
          {
            dependency: 'bus',
            probe: kafkaProbe(KAFKA_BROKERS, kafkaSecurity(config).ssl ?? null),
          } as const,
        ]
      : []),
    ...(MONGODB_URL ? [{ dependency: 'readModels', probe: mongoProbe(MONGODB_URL) } as const] : []),
    ...(CLICKHOUSE_URL ? [{ dependency: 'results', probe: clickHouseProbe(CLICKHOUSE_URL) } as const] : []),
  ];
}

/** What is missing, as sentences; null: nothing. */
async function missingOf(probes: ReturnType<typeof probesOf>): Promise<string | null> {
  const faults = await Promise.all(
    probes.map(async ({ dependency, probe }) => {
      const abort = new AbortController();
      const late = Promise.withResolvers<never>();
      const timer = setTimeout(
        () => late.reject(new Error(`no answer for ${ANSWER_MS / 1_000} s`)),
        ANSWER_MS,
      );
      try {
        await Promise.race([probe.check(abort.signal), late.promise]);
        return null;
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error);
        return `The ${DEPENDENCY_NAMES[dependency]} cannot be used yet: ${reason}.`;
      } finally {
        clearTimeout(timer);
        abort.abort();
      }
    }),
  );
  const sentences = faults.filter((fault) => fault !== null);
  return sentences.length > 0 ? sentences.join(' ') : null;
}
