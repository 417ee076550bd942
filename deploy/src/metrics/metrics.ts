import type { ResultStore } from '@quantloom/domain/ports/result-store';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

const MILLISECOND = 1e-3;
const WAIT_BUCKETS = [0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30, 60, 300, 900, 3600];

/** What one process tells Prometheus. Names end with their unit, as is usual there. */
export class Metrics {
  readonly registry = new Registry();
  readonly #requests: Histogram<'method' | 'route' | 'status'>;
  readonly #errors: Counter;
  readonly #backtests: Counter;
  readonly #wait: Histogram<'topic'>;
  readonly #handling: Histogram<'topic' | 'outcome'>;
  readonly #slots: Gauge<'group'>;
  readonly #busy: Gauge<'group'>;

  constructor(service: string) {
    const { registry } = this;
    const registers = [registry];
    registry.setDefaultLabels({ service });
    collectDefaultMetrics({ register: registry });
    this.#requests = new Histogram({
      name: 'quantloom_http_request_duration_seconds',
      help: 'HTTP requests by route; an event stream counts when it ends',
      labelNames: ['method', 'route', 'status'],
      buckets: [0.005, 0.02, 0.1, 0.5, 1, 2, 5, 15, 60],
      registers,
    });
    this.#errors = new Counter({
      name: 'quantloom_errors_total',
      help: 'Log lines of level error and above',
      registers,
    });
    this.#backtests = new Counter({
      name: 'quantloom_backtests_total',
      help: 'Result rows of batches that this process has stored; rate() is backtests per second',
      registers,
    });
    this.#wait = new Histogram({
      name: 'quantloom_queue_wait_seconds',
      help: 'From the publication of a message to the beginning of its work',
      labelNames: ['topic'],
      buckets: WAIT_BUCKETS,
      registers,
    });
    this.#handling = new Histogram({
      name: 'quantloom_message_handling_seconds',
      help: 'Work on a message; outcome is done or failed (it comes again)',
      labelNames: ['topic', 'outcome'],
      buckets: WAIT_BUCKETS,
      registers,
    });
    this.#slots = new Gauge({
      name: 'quantloom_slots',
      help: 'Messages that this process works on side by side',
      labelNames: ['group'],
      registers,
    });
    this.#busy = new Gauge({
      name: 'quantloom_slots_busy',
      help: 'Messages that this process is working on',
      labelNames: ['group'],
      registers,
    });
  }

  /** @param milliseconds until the last byte of the answer */
  requestEnded(method: string, route: string, status: number, milliseconds: number): void {
    this.#requests.observe({ method, route, status: String(status) }, milliseconds * MILLISECOND);
  }

  errorLogged(): void {
    this.#errors.inc();
  }

  /** @param count of slots that have come (or gone, where negative) */
  slotsChanged(group: string, count: number): void {
    this.#slots.inc({ group }, count);
    this.#busy.inc({ group }, 0);
  }

  slotTaken(group: string): void {
    this.#busy.inc({ group });
  }

  slotFreed(group: string): void {
    this.#busy.dec({ group });
  }

  messageBegun(topic: string, waitedMs: number): void {
    this.#wait.observe({ topic }, Math.max(0, waitedMs) * MILLISECOND);
  }

  messageEnded(topic: string, outcome: 'done' | 'failed', milliseconds: number): void {
    this.#handling.observe({ topic, outcome }, milliseconds * MILLISECOND);
  }

  /** A gauge that is read when Prometheus asks; what cannot be read just then is left out. */
  gauge<Label extends string>(
    name: string,
    help: string,
    labelNames: readonly Label[],
    read: () => Promise<readonly { readonly labels: Record<Label, string>; readonly value: number }[]>,
  ): void {
    const gauge = new Gauge({
      name: `quantloom_${name}`,
      help,
      labelNames: [...labelNames],
      registers: [this.registry],
      collect: async () => {
        gauge.reset();
        try {
          for (const { labels, value } of await read()) gauge.set(labels, value);
        } catch {
          // The server behind it does not answer: an absent value is the alarm.
          this.errorLogged();
        }
      },
    });
  }

  /** The store, with every stored row counted as a backtest. */
  measuredResults(results: ResultStore): ResultStore {
    return new Proxy(results, {
      get: (target, name) => {
        const value = Reflect.get(target, name) as unknown;
        if (typeof value !== 'function') return value;
        if (name !== 'append') return value.bind(target) as unknown;
        return async (block: Parameters<ResultStore['append']>[0]) => {
          await target.append(block);
          this.#backtests.inc(block.count);
        };
      },
    });
  }
}
