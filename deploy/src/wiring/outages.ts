import type { Probe } from '@quantloom/adapters/outages/breaker';
import { Breaker } from '@quantloom/adapters/outages/breaker';
import { pause } from '@quantloom/domain/kernel/pause';
import type {
  BusMessage,
  MessageBus,
  MessageContext,
  SubscribeOptions,
} from '@quantloom/domain/ports/message-bus';
import { awayIn, DEPENDENCY_NAMES, type Dependency, type Outages } from '@quantloom/domain/ports/outages';
import type { Logger } from 'pino';

/** The breakers of a process, one per server that it needs. */
export interface ProcessOutages extends Outages {
  /** The breaker of a dependency; made at the first call. */
  breaker(dependency: Dependency, probe: Probe, isOutage: (error: unknown) => boolean): Breaker;
  /** From here on everything is up: who asks for what needs a server that is away is told so. */
  started(): void;
  /** Asks every server now, so that what is told of them is true. */
  look(): Promise<void>;
  close(): Promise<void>;
}

/** Between two tries at what a server that lives has refused. */
const TRY_AGAIN_MS = 1_000;

const seconds = (ms: number) => `${Math.max(1, Math.round(ms / 1_000))} s`;

/**
 * @param log says once that a server is away, and once that it is back
 * @param isStarting whether what is asked of a server that is away waits for it, until `started`
 */
export function openOutages(log?: Pick<Logger, 'warn'>, isStarting = false): ProcessOutages {
  const breakers = new Map<Dependency, Breaker>();
  const current = () => [...breakers.values()].flatMap(({ trouble }) => trouble ?? []);
  return {
    breaker: (dependency, probe, isOutage) => {
      const known = breakers.get(dependency);
      if (known) return known;
      const name = DEPENDENCY_NAMES[dependency];
      const breaker = new Breaker({
        dependency,
        probe,
        isOutage,
        onAway: ({ reason, isPartial }) =>
          log?.warn(
            { dependency },
            isPartial
              ? `The ${name} answers, but refuses work (${reason}); what needs it is tried again until it is taken`
              : `The ${name} is away (${reason}); what needs it waits until it is back`,
          ),
        onBack: ({ isPartial }, ms) =>
          log?.warn(
            { dependency, ms },
            isPartial
              ? `The ${name} refuses work no more, after ${seconds(ms)}; what waited goes on`
              : `The ${name} is back after ${seconds(ms)}; what waited goes on`,
          ),
      });
      if (isStarting) breaker.starts();
      breakers.set(dependency, breaker);
      return breaker;
    },
    current,
    untilBack: async (signal, error) => {
      // Most of what waits for a server can do without the threads.
      const isNeeded = ({ dependency }: Breaker) =>
        dependency !== 'threads' || awayIn(error)?.dependency === 'threads';
      const needed = () => [...breakers.values()].filter(isNeeded);
      while (needed().some(({ outage }) => outage !== null) && !signal.aborted)
        await Promise.all(needed().map((breaker) => breaker.untilBack(signal)));
      if (needed().some(({ trouble }) => trouble !== null)) await pause(TRY_AGAIN_MS, signal);
    },
    started: () => {
      for (const breaker of breakers.values()) breaker.started();
    },
    look: async () => {
      await Promise.all([...breakers.values()].map((breaker) => breaker.look()));
    },
    close: async () => {
      await Promise.all([...breakers.values()].map((breaker) => breaker.close()));
    },
  };
}

const HEARTBEAT_MS = 1_000;

/**
 * The bus, whose consumers pause while a server is away: a message whose handler came upon an outage is kept
 * and handled again when the server answers. No delivery counts, and no message goes to the dead letters for it.
 */
export function patientBus(bus: MessageBus, outages: Outages, log?: Pick<Logger, 'error'>): MessageBus {
  return {
    ensureTopics: (topics) => bus.ensureTopics(topics),
    publish: (topic, messages) => bus.publish(topic, messages),
    subscribe: (options, handler) =>
      bus.subscribe(options, async (message, context) => {
        for (;;) {
          try {
            return await handler(message, context);
          } catch (error) {
            if (!awayIn(error) || context.signal.aborted) {
              if (isLast(message, options) && !context.signal.aborted)
                log?.error(
                  { err: error, topic: message.topic, key: message.key, group: options.group },
                  'a message goes to the dead letters: quantloom dead-letters list',
                );
              throw error;
            }
            await heldWhile(outages, context, error);
            if (context.signal.aborted) throw error;
          }
        }
      }),
    lag: (group, topic) => bus.lag(group, topic),
    outside: () => bus.outside(),
    close: () => bus.close(),
  };
}

/** As the adapters count. */
const isLast = ({ deliveryAttempt }: BusMessage, { maxDeliveries = 5 }: SubscribeOptions): boolean =>
  deliveryAttempt >= maxDeliveries;

/** Keeps the message with this member of the group until the servers are back, and a moment longer. */
async function heldWhile(
  outages: Outages,
  { signal, heartbeat }: MessageContext,
  error: unknown,
): Promise<void> {
  const beat = setInterval(() => void heartbeat(), HEARTBEAT_MS);
  try {
    await new Promise((resolve) => setTimeout(resolve, HEARTBEAT_MS / 2));
    await outages.untilBack(signal, error);
  } finally {
    clearInterval(beat);
  }
}
