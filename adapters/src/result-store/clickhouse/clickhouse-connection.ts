import { Readable } from 'node:stream';
import {
  type ClickHouseClient,
  ClickHouseError,
  ClickHouseLogLevel,
  type ClickHouseSettings,
  createClient,
} from '@clickhouse/client';
import pRetry from 'p-retry';

/** Statements with the values of large variables in them get long. */
const QUERY_SETTINGS: ClickHouseSettings = {
  max_query_size: '67108864',
  // Rows of one batch are in one partition, so copies of a row are too.
  do_not_merge_across_partitions_select_final: 1,
  output_format_json_quote_64bit_integers: 0,
  output_format_json_quote_denormals: 0,
  cancel_http_readonly_queries_on_client_close: 1,
  // Keeps load balancers from cutting a connection on which a long query has nothing to say yet.
  send_progress_in_http_headers: 1,
  http_headers_progress_interval_ms: '30000',
};

/** A page or an aggregate of a million rows takes seconds on a busy server; nobody waits for longer than this. */
const ROWS_DEADLINE_MS = 20_000;

/**
 * The client with retries of what a restart of the server breaks: all statements of the store are idempotent,
 * so each may be repeated whatever became of it. An error that the server reports is not repeated.
 */
export class ClickHouseConnection {
  readonly #client: ClickHouseClient;
  /** Files last as long as somebody reads them: their connections are not those of everybody's pages. */
  readonly #files: ClickHouseClient;
  readonly #retries: number;
  readonly #mayRetry: () => boolean;
  readonly #rowsDeadlineMs: number;
  #isClosed = false;

  constructor(options: {
    url: string;
    database: string;
    retries: number;
    mayRetry?: () => boolean;
    rowsDeadlineMs?: number;
  }) {
    this.#rowsDeadlineMs = options.rowsDeadlineMs ?? ROWS_DEADLINE_MS;
    this.#mayRetry = options.mayRetry ?? (() => true);
    this.#retries = options.retries;
    const settings = {
      url: options.url,
      database: options.database,
      application: 'quantloom',
      request_timeout: 300_000,
      max_open_connections: 20,
      clickhouse_settings: QUERY_SETTINGS,
      // What the retries do not cure reaches the caller.
      log: { level: ClickHouseLogLevel.OFF },
    };
    this.#client = createClient(settings);
    this.#files = createClient(settings);
  }

  /**
   * Rows as arrays, for somebody who waits for them: all tries together have a deadline, after which the
   * connection is closed.
   */
  async rows(query: string): Promise<unknown[][]> {
    const late = AbortSignal.timeout(this.#rowsDeadlineMs);
    try {
      return await this.#retried(async () => {
        const result = await this.#client.query({ query, format: 'JSONCompactEachRow', abort_signal: late });
        return result.json<unknown[]>();
      }, late);
    } catch (error) {
      if (!late.aborted) throw error;
      const seconds = Math.round(this.#rowsDeadlineMs / 1_000);
      throw new Error(`Timeout error: ClickHouse has not answered within ${seconds} s`, { cause: error });
    }
  }

  async command(query: string): Promise<void> {
    await this.#retried(() => this.#client.command({ query }));
  }

  async insertRows(table: string, rows: readonly Record<string, unknown>[]): Promise<void> {
    if (rows.length === 0) return;
    await this.#retried(() => this.#client.insert({ table, values: [...rows], format: 'JSONEachRow' }));
  }

  /** An insert statement with its data in the format that the statement names. */
  async insertBytes(
    query: string,
    pieces: readonly Uint8Array[],
    settings: ClickHouseSettings = {},
  ): Promise<void> {
    await this.#retried(async () => {
      const values = Readable.from(pieces, { objectMode: false });
      const { stream } = await this.#client.exec({ query, values, clickhouse_settings: settings });
      stream.resume();
      await new Promise((resolve, reject) => stream.once('end', resolve).once('error', reject));
    });
  }

  /** The bytes of an answer as they come. Not retried: some of them may have been used. */
  async stream(query: string): Promise<Readable> {
    this.#assertOpen();
    return (await this.#client.exec({ query })).stream;
  }

  /** The same for somebody who reads as slowly as they like. */
  async file(query: string): Promise<Readable> {
    this.#assertOpen();
    return (await this.#files.exec({ query })).stream;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([this.#client.close(), this.#files.close()]);
  }

  #retried<T>(work: () => Promise<T>, late?: AbortSignal): Promise<T> {
    this.#assertOpen();
    return pRetry(work, {
      retries: this.#retries,
      minTimeout: 200,
      maxTimeout: 5000,
      ...(late && { signal: late }),
      shouldRetry: ({ error }) =>
        !(error instanceof ClickHouseError) && !this.#isClosed && !late?.aborted && this.#mayRetry(),
    });
  }

  #assertOpen(): void {
    if (this.#isClosed) throw new Error('The result store is closed');
  }
}
