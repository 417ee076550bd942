import createFetchClient, { type Client } from 'openapi-fetch';
import type { components, paths } from './schema.ts';

export type Schemas = components['schemas'];
export type Strategy = Schemas['Strategy'];
export type BacktestRequest = Schemas['BacktestRequest'];
export type BacktestAnswer = Schemas['BacktestAnswer'];
export type BatchRequest = Schemas['BatchRequest'];
export type Batch = Schemas['Batch'];
export type Estimate = Schemas['Estimate'];
export type Verdict = Schemas['Verdict'];
export type ResultRow = Schemas['ResultRow'];
export type ImportedStrategy = Schemas['ImportedStrategy'];
/** The first strategy of a source, and the others that it holds. */
export type Imported = ImportedStrategy & { further: ImportedStrategy[] };
export type Problem = Schemas['Problem'];

/** A call that was refused or failed: `message` is the sentence for people, `code` the stable word for programs. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly problem: Problem;
  constructor(problem: Problem) {
    super(problem.error);
    this.name = 'ApiError';
    this.status = problem.status;
    this.code = problem.code;
    this.problem = problem;
  }
}

export interface QuantloomOptions {
  /** Address of the installation, such as `https://quantloom.example`. */
  readonly url: string;
  /** Of the API client (Account, API Clients). */
  readonly clientId: string;
  readonly clientSecret: string;
  /** Audience of the token; as the installation has it. */
  readonly audience?: string;
  /**
   * How often a call that is refused for its rate, or meets a service that does not answer, is sent again.
   * Default 8.
   */
  readonly retries?: number;
}

export interface WaitOptions {
  /** Called with every state that is seen. */
  readonly onProgress?: (batch: Batch) => void;
  readonly signal?: AbortSignal;
}

const pause = (ms: number, signal?: AbortSignal) =>
  new Promise<void>((resolve, reject) => {
    const end = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      if (signal?.aborted) reject(signal.reason as Error);
      else resolve();
    };
    const timer = setTimeout(end, ms);
    // What was aborted before says so no more.
    if (signal?.aborted) end();
    else signal?.addEventListener('abort', end);
  });

/** What `Retry-After` asks for, in seconds or as a date; null where it says nothing of use. */
function retryAfterMs({ headers }: Response): number | null {
  const said = headers.get('retry-after') ?? '';
  const ms = /^\d+$/.test(said) ? 1000 * Number(said) : Date.parse(said) - Date.now();
  return Number.isNaN(ms) ? null : Math.max(0, ms);
}

/** The answer's body, or an `ApiError`. */
function bodyOf<Data>({ data, error, response }: { data?: Data; error?: unknown; response: Response }): Data {
  if (response.ok) return data as Data;
  const problem = (typeof error === 'object' ? error : {}) as Partial<Problem>;
  throw new ApiError({
    ...problem,
    error: problem.error ?? `${response.status} ${response.statusText}`,
    code: problem.code ?? 'unknown',
    status: response.status,
  });
}

/** The API of an installation. `api` has every operation, typed by its path; the methods here are the usual ones. */
export class Quantloom {
  readonly api: Client<paths>;
  readonly #options: QuantloomOptions;
  #token: { readonly value: string; readonly until: number } | null = null;

  constructor(options: QuantloomOptions) {
    this.#options = { ...options, url: options.url.replace(/\/+$/, '') };
    this.api = createFetchClient<paths>({
      baseUrl: this.#options.url,
      fetch: (request) => this.#send(request),
    });
  }

  /** Reads a strategy of another tool; nothing is stored. */
  async importStrategy(source: string | Record<string, unknown>): Promise<Imported> {
    return bodyOf(await this.api.POST('/api/v1/import', { body: { json: source } }));
  }

  async backtest(request: BacktestRequest): Promise<BacktestAnswer> {
    return bodyOf(await this.api.POST('/api/v1/backtests', { body: request }));
  }

  async estimate(request: Schemas['EstimateRequest']): Promise<Estimate> {
    return bodyOf(await this.api.POST('/api/v1/batch-backtests/estimate', { body: request }));
  }

  /** Starts a batch. A key of its own makes it safe to send again after a broken connection. */
  async startBatch(
    request: BatchRequest,
    idempotencyKey: string = crypto.randomUUID(),
  ): Promise<Estimate & { id: string; name: string; revision: number }> {
    return bodyOf(
      await this.api.POST('/api/v1/batch-backtests', {
        body: request,
        params: { header: { 'idempotency-key': idempotencyKey } },
      }),
    );
  }

  async batch(id: string): Promise<Batch> {
    return bodyOf(await this.api.GET('/api/v1/batch-backtests/{id}', { params: { path: { id } } }));
  }

  /** Waits until a batch has finished; one that fails or is stopped rejects with the reason. */
  async waitForBatch(id: string, { onProgress, signal }: WaitOptions = {}): Promise<Batch> {
    for (let ms = 100; ; ms = Math.min(5000, ms * 1.5)) {
      const batch = await this.batch(id);
      onProgress?.(batch);
      if (batch.status === 'Finished') return batch;
      if (batch.status === 'Stopped')
        throw new ApiError({ error: 'The batch was stopped', code: 'batch_stopped', status: 409 });
      if (batch.status === 'Error')
        throw new ApiError({ error: batch.error ?? 'The batch failed', code: 'batch_failed', status: 409 });
      await pause(ms, signal);
    }
  }

  async verdict(id: string): Promise<Verdict> {
    return bodyOf(
      await this.api.GET('/api/v1/batch-backtests/{id}/analysis/verdict', { params: { path: { id } } }),
    );
  }

  /** All rows that match, page by page, each as an object by column. */
  async *rows(
    id: string,
    query: { sort?: string; filter?: string | string[]; columns?: string; pageSize?: number } = {},
  ): AsyncGenerator<Record<string, string | number | null>> {
    const { pageSize = 1000, ...rest } = query;
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page: Schemas['ResultsPage'] = bodyOf(
        await this.api.GET('/api/v1/batch-backtests/{id}/results', {
          params: {
            path: { id },
            query: { ...rest, format: 'json', limit: pageSize, ...(cursor !== '' && { cursor }) },
          },
        }),
      ) as Schemas['ResultsPage'];
      for (const row of page.rows)
        yield Object.fromEntries(page.columns.map((name, i) => [name, row[i] ?? null]));
      cursor = page.next_cursor;
    }
  }

  /** All rows as a Parquet file. */
  async parquet(id: string): Promise<Uint8Array> {
    return new Uint8Array(
      bodyOf(
        await this.api.GET('/api/v1/batch-backtests/{id}/results', {
          params: { path: { id }, query: { format: 'parquet' } },
          parseAs: 'arrayBuffer',
        }),
      ) as ArrayBuffer,
    );
  }

  /** Saved strategies, page by page. */
  async *strategies(query: { search?: string; pageSize?: number } = {}): AsyncGenerator<Schemas['Draft']> {
    const { pageSize = 100, ...rest } = query;
    for (let skip = 0; ; skip += pageSize) {
      const page = bodyOf(
        await this.api.GET('/api/v1/drafts', { params: { query: { ...rest, limit: pageSize, skip } } }),
      );
      yield* page;
      if (page.length < pageSize) return;
    }
  }

  /** Sends a request with a token; once more with a new one where it is refused. */
  async #send(request: Request): Promise<Response> {
    const send = async () => {
      const copy = request.clone();
      copy.headers.set('authorization', `Bearer ${await this.#tokenValue()}`);
      return await fetch(copy);
    };
    const response = await this.#whenNotBusy(send);
    if (response.status !== 401) return response;
    this.#token = null;
    return await this.#whenNotBusy(send);
  }

  /** Sends again, later, as long as the server asks for it and tries are left. */
  async #whenNotBusy(send: () => Promise<Response>): Promise<Response> {
    const { retries = 8 } = this.#options;
    for (let attempt = 0; ; attempt++) {
      const response = await send();
      if (attempt >= retries || (response.status !== 429 && response.status !== 503)) return response;
      await pause(retryAfterMs(response) ?? 1000 * 2 ** attempt);
    }
  }

  async #tokenValue(): Promise<string> {
    if (this.#token && Date.now() < this.#token.until) return this.#token.value;
    const { url, clientId, clientSecret, audience = 'https://api.quantloom.local' } = this.#options;
    const body = JSON.stringify({
      grant_type: 'client_credentials',
      client_id: clientId,
      client_secret: clientSecret,
      audience,
    });
    const headers = { 'content-type': 'application/json' };
    const response = await this.#whenNotBusy(() =>
      fetch(`${url}/oauth/token`, { method: 'POST', headers, body }),
    );
    // A proxy in between answers in words of its own.
    const answer = (await response.json().catch(() => ({}))) as {
      access_token?: string;
      expires_in?: number;
      error_description?: string;
    };
    if (!response.ok || !answer.access_token)
      throw new ApiError({
        error: answer.error_description ?? 'No token was given',
        code: 'invalid_token',
        status: response.status,
      });
    const seconds = (answer.expires_in ?? 3600) * 0.9;
    this.#token = { value: answer.access_token, until: Date.now() + seconds * 1000 };
    return answer.access_token;
  }
}
