import { randomUUID } from 'node:crypto';
import { parse } from 'csv-parse/sync';
import { type Api, machineApi, until } from '../harness/api.ts';
import { bind, rsiSwitch } from '../harness/templates.ts';
import { engineRows, rowDifference } from './engine-rows.ts';
import { inTime } from './in-time.ts';

const RETRY_MS = 200;
/** Beyond the outages themselves. */
const PATIENCE_MS = 180_000;
const REQUEST_TIMEOUT_MS = 20_000;
/** A file of many rows takes its time on a busy machine. */
const FILE_TIMEOUT_MS = 150_000;

const METRICS = [
  ['cumulative_return', 'cumulative_return'],
  ['annualized_return', 'annualized_return'],
  ['standard_deviation', 'standard_deviation'],
  ['max_drawdown', 'max_drawdown'],
  ['calmer_ratio', 'calmer'],
  ['sharpe_ratio', 'sharpe'],
  ['trailing_1_month', 'trailing_1_month'],
  ['trailing_3_month', 'trailing_3_month'],
] as const;

/** A batch that the cluster has acknowledged. */
export interface AcceptedBatch {
  readonly id: string;
  /** Its template. */
  readonly bot: string;
  /** What the quota counts for it. */
  readonly counted: number;
  // biome-ignore lint/suspicious/noExplicitAny: a document of the black-box client
  readonly algorithm: any;
  readonly config: Readonly<Record<string, unknown>>;
  readonly variables: Readonly<Record<string, readonly string[]>>;
  readonly combinations: number;
  readonly partitions: number;
  /** What `quantloom batch` computes the same rows from. */
  readonly request: unknown;
}

/**
 * A client that does not give up: it repeats what got no answer or a 5xx, with the same idempotency key,
 * until it is acknowledged; and that remembers what was acknowledged.
 */
export class Workload {
  readonly #url: string;
  readonly #tickers: readonly string[];
  /** Two workloads on one product may give their batches the same key. */
  readonly #run = randomUUID();
  #api: Api | null = null;
  /** Bot → the name that was acknowledged last. */
  readonly names = new Map<string, string>();
  readonly batches: AcceptedBatch[] = [];
  /** Schedules that it has been through: one that is played once more needs other names, addresses and rows. */
  schedules = 0;
  /** What was deleted, by its path: nobody may see it again. */
  readonly deleted = new Set<string>();
  /** How long an outage may keep everybody waiting, in ms. */
  longestOutageMs = 0;
  #requests = 0;
  #repeats = 0;

  private constructor(url: string, tickers: readonly string[]) {
    this.#url = url;
    this.#tickers = tickers;
  }

  static async open(url: string): Promise<Workload> {
    const api = await machineApi(url);
    const { status, body } = await api.get('/api/v1/tickers');
    if (status !== 200) throw new Error(`Tickers answered ${status}`);
    const tickers = (body.data as { ticker: string; first_day: string }[])
      .filter(({ first_day }) => first_day < '2011-01-01')
      .map(({ ticker }) => ticker);
    return new Workload(url, tickers);
  }

  get counts(): { readonly requests: number; readonly repeats: number } {
    return { requests: this.#requests, repeats: this.#repeats };
  }

  /** Until it is answered with something other than "try again"; rejects three minutes after the longest outage. */
  async insist(
    method: string,
    path: string,
    body?: unknown,
    key?: string,
    requestTimeoutMs = REQUEST_TIMEOUT_MS,
  ) {
    this.#requests += 1;
    const deadline = Date.now() + PATIENCE_MS + this.longestOutageMs;
    for (;;) {
      let last: string;
      try {
        this.#api ??= await inTime(machineApi(this.#url), REQUEST_TIMEOUT_MS);
        const answer = await inTime(
          this.#api.send(method, path, body, key ? { 'idempotency-key': key } : {}),
          requestTimeoutMs,
        );
        if (answer.status === 401) this.#api = null;
        else if (answer.status < 500 && answer.status !== 409) return answer;
        last = `${answer.status} ${JSON.stringify(answer.body)}`;
      } catch (error) {
        last = String(error);
      }
      if (Date.now() > deadline) throw new Error(`${method} ${path} was not acknowledged: ${last}`);
      this.#repeats += 1;
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    }
  }

  /** A template of `windows` × `left` × `right` combinations. */
  async createBatch(
    key: string,
    size: { readonly windows: number; readonly left: number; readonly right: number },
    slippageBps: number,
  ): Promise<AcceptedBatch> {
    const algorithm = rsiSwitch();
    const variables = {
      $W: Array.from({ length: size.windows }, (_, index) => String(index + 2)),
      $A: this.#tickers.slice(0, size.left),
      $B: this.#tickers.slice(-size.right),
    };
    const bot = await this.insist(
      'POST',
      '/api/v1/trading-bots',
      {
        name: `Template ${key}`,
        is_public: false,
        status: 'draft',
        type: 'template',
        variables: Object.keys(variables),
        algorithm,
      },
      `bot-${this.#run}-${key}`,
    );
    if (bot.status !== 201) throw new Error(`Template: ${bot.status} ${JSON.stringify(bot.body)}`);
    this.names.set(bot.body.id, `Template ${key}`);
    const config = {
      start_date: '2012-01-03',
      end_date: '2025-06-27',
      slippage_bps: slippageBps,
      starting_balance: 10000,
      benchmark_ticker: 'SPY',
    };
    const request = { template_bot: bot.body, variables, partitions: 1, backtest_config: config };
    const estimate = await this.insist('POST', '/api/v1/batch-backtests/estimate', request);
    if (estimate.status !== 200)
      throw new Error(`Estimate: ${estimate.status} ${JSON.stringify(estimate.body)}`);
    const { partitions, combinations, time_estimate } = estimate.body;
    const created = await this.insist(
      'POST',
      '/api/v1/batch-backtests',
      { ...request, name: `Batch ${key}`, is_public: false, partitions, combinations, time_estimate },
      `batch-${this.#run}-${key}`,
    );
    if (created.status !== 201) throw new Error(`Batch: ${created.status} ${JSON.stringify(created.body)}`);
    const { id, new_combinations: counted } = created.body;
    const batch = {
      id,
      bot: bot.body.id,
      counted,
      algorithm,
      config,
      variables,
      combinations,
      partitions,
      request,
    };
    this.batches.push(batch);
    return batch;
  }

  /** Renames a bot; the name counts from the acknowledgement on. One that is deleted meanwhile needs none. */
  async rename(id: string, name: string): Promise<void> {
    const answer = await this.insist('PATCH', `/api/v1/trading-bots/${id}`, { name });
    if (!this.names.has(id)) return;
    if (answer.status !== 200)
      throw new Error(`Renaming ${id}: ${answer.status} ${JSON.stringify(answer.body)}`);
    this.names.set(id, name);
  }

  /** Copies somebody's bot, and gives the copy a name of its own. */
  async adopt(id: string, name: string): Promise<void> {
    const copy = await this.insist('POST', `/api/v1/trading-bots/${id}/clone`, {}, `copy-${this.#run}-${id}`);
    if (copy.status !== 201) throw new Error(`Copying ${id}: ${copy.status} ${JSON.stringify(copy.body)}`);
    const renamed = await this.insist('PATCH', `/api/v1/trading-bots/${copy.body.id}`, { name });
    if (renamed.status !== 200) throw new Error(`Renaming a copy: ${renamed.status}`);
    this.names.set(copy.body.id, name);
  }

  /** Deletes a batch, whatever it is doing, and its template. */
  async deleteBatch({ id, bot }: AcceptedBatch): Promise<void> {
    // From here on nobody can say any more what a renaming under way is answered with.
    this.names.delete(bot);
    const owned = [
      [`/api/v1/batch-backtests/${id}`, `/api/v1/batch-backtests/${id}`],
      [`/api/v1/drafts/${bot}`, `/api/v1/trading-bots/${bot}`],
    ] as const;
    for (const [path, shownAt] of owned) {
      const { status, body } = await this.insist('DELETE', path);
      // A repetition of what was done and got no answer finds nothing.
      if (status !== 200 && status !== 204 && status !== 404)
        throw new Error(`Deleting ${path}: ${status} ${JSON.stringify(body)}`);
      this.deleted.add(shownAt);
    }
    this.batches.splice(
      this.batches.findIndex((batch) => batch.id === id),
      1,
    );
  }

  /** Combinations that this month's quota has counted. */
  async quotaUsed(): Promise<number> {
    return (await this.insist('GET', '/api/v1/batch-backtests/quota')).body.current_monthly_usage;
  }

  /**
   * Whether the quota has counted every batch once. Of one that was deleted under way it gives back what had
   * not been computed, which only the batch itself knew.
   */
  async quotaFaults(
    before: number,
    batches: readonly AcceptedBatch[],
    deleted: AcceptedBatch,
    patienceMs = 30_000,
  ): Promise<string[]> {
    const least = batches.reduce((sum, { counted }) => sum + counted, before);
    const most = least + deleted.counted;
    const deadline = Date.now() + patienceMs;
    for (;;) {
      const used = await this.quotaUsed();
      if (used >= least && used <= most) return [];
      if (Date.now() > deadline)
        return [`the quota has counted ${used}, which is not between ${least} and ${most}`];
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    }
  }

  /** What is said of a batch in Error. */
  async errorOf({ id }: AcceptedBatch): Promise<string> {
    return String((await this.insist('GET', `/api/v1/batch-backtests/${id}`)).body.error);
  }

  /** Waits for the end of a batch; answers with its status. */
  async whenDone(batch: AcceptedBatch, timeoutMs: number): Promise<'Finished' | 'Error'> {
    const done = await until(
      async () => (await this.insist('GET', `/api/v1/batch-backtests/${batch.id}`)).body,
      ({ status }) => status === 'Finished' || status === 'Error',
      timeoutMs,
    );
    return done.status;
  }

  /**
   * Faults of a finished batch's rows: missing, doubled, out of order, without numbers, or other numbers than
   * its single backtest has.
   */
  async rowFaults(batch: AcceptedBatch, samples: number): Promise<string[]> {
    const file = `/api/v1/batch-backtests/${batch.id}/results`;
    const answer = await this.insist('GET', file, undefined, undefined, FILE_TIMEOUT_MS);
    if (answer.status !== 200) return [`results of ${batch.id} answered ${answer.status}`];
    const rows: Record<string, string>[] = parse(answer.body as string, { columns: true });
    const faults: string[] = [];
    if (rows.length !== batch.combinations)
      faults.push(`${batch.id} has ${rows.length} rows for ${batch.combinations} combinations`);
    const { $W = [], $A = [], $B = [] } = batch.variables;
    let index = 0;
    for (const w of $W)
      for (const a of $A)
        for (const b of $B) {
          const row = rows[index];
          if (!row || row.$W !== w || row.$A !== a || row.$B !== b || row.sharpe_ratio === '') {
            faults.push(`${batch.id}, row ${index}: ${JSON.stringify(row)} where ${w}, ${a}, ${b} belongs`);
            return faults;
          }
          index += 1;
        }
    for (let sample = 0; sample < samples; sample += 1) {
      const row = rows[Math.floor(((sample + 0.5) / samples) * rows.length)] ?? {};
      const values = { $W: Number(row.$W), $A: row.$A ?? '', $B: row.$B ?? '' };
      const single = await this.insist('POST', '/api/v1/backtests', {
        ...batch.config,
        trading_bot: bind(batch.algorithm, values),
      });
      for (const [column, metric] of METRICS) {
        const expected = single.body?.metrics?.[metric];
        const actual = Number(row[column]);
        if (!(Math.abs(actual - expected) <= 1e-9 * Math.abs(expected) + 1e-12))
          faults.push(
            `${batch.id}, ${JSON.stringify(values)}: ${column} is ${row[column]}, alone ${expected}`,
          );
      }
    }
    return faults;
  }

  /** Whether all rows of a finished batch are those that the engine alone computes; what is wrong with them. */
  async allRowFaults(batch: AcceptedBatch, dataDir: string): Promise<string[]> {
    const file = `/api/v1/batch-backtests/${batch.id}/results`;
    const answer = await this.insist('GET', file, undefined, undefined, FILE_TIMEOUT_MS);
    if (answer.status !== 200) return [`results of ${batch.id} answered ${answer.status}`];
    const difference = rowDifference(answer.body as string, await engineRows(dataDir, batch.request));
    return difference === null ? [] : [`${batch.id}: ${difference}`];
  }

  /**
   * Acknowledged commands that the read side does not show, although it has had the time that another
   * projector may take to take over.
   */
  async lostCommands(takeoverMs = 30_000): Promise<string[]> {
    const deadline = Date.now() + takeoverMs;
    const lost: string[] = [];
    for (const [id, name] of this.names)
      for (;;) {
        const { status, body } = await this.insist('GET', `/api/v1/trading-bots/${id}`);
        if (body?.name === name) break;
        if (Date.now() > deadline) {
          lost.push(`bot ${id} is called ${body?.name} (${status}), acknowledged was ${name}`);
          break;
        }
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
      }
    for (const path of this.deleted)
      for (;;) {
        const { status } = await this.insist('GET', path);
        if (status === 404) break;
        if (Date.now() > deadline) {
          lost.push(`${path} answers ${status}, acknowledged was that it is deleted`);
          break;
        }
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
      }
    return lost;
  }
}
