import { setTimeout as delay } from 'node:timers/promises';
import PQueue from 'p-queue';
import pRetry, { AbortError } from 'p-retry';
import { MarketDataError } from '../files/market-data-error.ts';
import type { RequestOptions } from './provider.ts';

export interface HttpSourceOptions {
  /** Who answers, for messages. */
  readonly name: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly requestsPerHour: number;
  /** Requests under way at once. */
  readonly concurrency: number;
  readonly wait?: ((milliseconds: number, signal?: AbortSignal) => Promise<void>) | undefined;
}

const ATTEMPTS = 5;
const TIMEOUT_MS = 60_000;
const LONGEST_WAIT_MS = 65 * 60_000;
const DEFAULT_WAIT_MS = 60_000;

/**
 * GET requests to one provider, within its limits: requests are spread, a 429 stops all of them for as long
 * as `Retry-After` says, failures of the network and 5xx are tried again. 404 is null; 401, 402 and 403 and
 * what stays broken are `provider_refused`.
 */
export class HttpSource {
  readonly #options: HttpSourceOptions;
  readonly #queue: PQueue;
  readonly #wait: (milliseconds: number, signal?: AbortSignal) => Promise<void>;
  /** Nobody asks before this time (`Date.now`). */
  #pausedUntil = 0;

  constructor(options: HttpSourceOptions) {
    this.#options = options;
    this.#wait = options.wait ?? ((ms, signal) => delay(ms, undefined, signal ? { signal } : {}));
    this.#queue = new PQueue({
      concurrency: options.concurrency,
      // A sliding window, so that an hour's allowance is never exceeded.
      intervalCap: options.requestsPerHour,
      interval: 3_600_000,
      strict: true,
    });
  }

  /** The body, or null for 404. */
  async get(url: URL, options: RequestOptions = {}): Promise<Buffer | null> {
    const { signal } = options;
    return this.#queue.add(() => this.#withRetries(url, signal), signal ? { signal } : {});
  }

  /** The body as JSON, or null for 404. */
  async getJson(url: URL, options: RequestOptions = {}): Promise<unknown> {
    const body = await this.get(url, options);
    if (body === null) return null;
    try {
      return JSON.parse(body.toString('utf8'));
    } catch (cause) {
      throw this.#refused('answered something that is not JSON', cause);
    }
  }

  async #withRetries(url: URL, signal: AbortSignal | undefined): Promise<Buffer | null> {
    let rateLimited = 0;
    const once = async (): Promise<Buffer | null> => {
      for (;;) {
        const pause = this.#pausedUntil - Date.now();
        if (pause > 0) await this.#wait(pause, signal);
        const timeout = AbortSignal.timeout(TIMEOUT_MS);
        const response = await fetch(url, {
          headers: { accept: 'application/json', ...this.#options.headers },
          signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
        });
        const body = Buffer.from(await response.arrayBuffer());
        if (response.ok) return body;
        if (response.status === 404) return null;
        if (response.status === 429) {
          if (++rateLimited > ATTEMPTS)
            throw new AbortError(this.#refused('keeps saying that its limit is reached (429)'));
          await this.#pause(response.headers.get('retry-after'), signal);
          continue;
        }
        const problem = this.#refused(
          wordsOf(response.status),
          new ProviderAnswer(response.status, sentenceOf(body)),
        );
        if (response.status >= 500) throw problem;
        throw new AbortError(problem);
      }
    };
    try {
      return await pRetry(once, {
        retries: ATTEMPTS - 1,
        minTimeout: 0,
        maxTimeout: 0,
        // Waiting between attempts is ours, so that tests need not wait.
        onFailedAttempt: async ({ attemptNumber }) =>
          this.#wait(Math.min(30_000, 500 * 2 ** attemptNumber), signal),
        ...(signal && { signal }),
      });
    } catch (error) {
      if (error instanceof MarketDataError || signal?.aborted) throw error;
      throw this.#refused('could not be reached, or broke the connection off', error);
    }
  }

  async #pause(retryAfter: string | null, signal: AbortSignal | undefined): Promise<void> {
    const milliseconds = Math.min(LONGEST_WAIT_MS, retryAfterMs(retryAfter, Date.now()) ?? DEFAULT_WAIT_MS);
    this.#pausedUntil = Math.max(this.#pausedUntil, Date.now() + milliseconds);
    await this.#wait(milliseconds, signal);
  }

  #refused(what: string, cause?: unknown): MarketDataError {
    return new MarketDataError('provider_refused', `${this.#options.name} ${what}`, { cause });
  }
}

/** What a provider said, for logs: people read words of ours. */
export class ProviderAnswer extends Error {
  readonly status: number;

  constructor(status: number, said: string) {
    super(said);
    this.name = 'ProviderAnswer';
    this.status = status;
  }
}

function wordsOf(status: number): string {
  if (status === 401) return 'does not accept the key (401)';
  if (status === 402) return 'says that the plan of the key does not cover this (402)';
  if (status === 403) return 'does not allow this with the key (403)';
  if (status >= 500) return `has a fault of its own (${status}); try again later`;
  return `did not accept the request (${status})`;
}

/** `Retry-After` in milliseconds: seconds, or a date (RFC 9110, 10.2.3); null where it is neither. */
export function retryAfterMs(header: string | null, now: number): number | null {
  if (header === null) return null;
  if (/^\d+$/.test(header.trim())) return Number(header) * 1000;
  const date = Date.parse(header);
  return Number.isNaN(date) ? null : Math.max(0, date - now);
}

/** The sentence in an error body, whatever shape it has. */
function sentenceOf(body: Buffer): string {
  const text = body.toString('utf8').slice(0, 300).trim();
  try {
    const parsed = JSON.parse(text) as { detail?: unknown; message?: unknown; error?: unknown } | string;
    if (typeof parsed === 'string') return parsed;
    const sentence = parsed.detail ?? parsed.message ?? parsed.error;
    return typeof sentence === 'string' ? sentence : text;
  } catch {
    return text === '' ? 'no reason given' : text;
  }
}
