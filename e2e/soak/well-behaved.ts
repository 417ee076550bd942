import { randomUUID } from 'node:crypto';
import { Api } from '../harness/api.ts';
import { asset, condition, ifThenElse, root } from '../harness/templates.ts';
import { type Account, signIn } from './accounts.ts';
import type { Samples } from './samples.ts';

const terms = { start_date: '2010-01-04', end_date: '2024-12-31' };

export interface Soak {
  readonly url: string;
  readonly samples: Samples;
  /** `quiet` or `attacked`; null while the server is being killed: such a request is repeated and not measured. */
  phase(): string | null;
  readonly over: AbortSignal;
}

/** A person who does what people do, and remembers what was acknowledged. */
export class WellBehaved {
  readonly account: Account;
  private readonly soak: Soak;
  private readonly random: () => number;
  private api: Api;
  private strategyId = '';
  private savedName = '';
  private edits = 0;
  private readonly batches: { readonly id: string; readonly combinations: number }[] = [];
  private charged = 0;

  constructor(account: Account, soak: Soak, random: () => number) {
    this.account = account;
    this.soak = soak;
    this.random = random;
    this.api = new Api(soak.url, account.token);
  }

  async work(): Promise<void> {
    while (!this.soak.over.aborted) {
      await this.act();
      await pause(1_000 + this.random() * 4_000, this.soak.over);
    }
  }

  private async act(): Promise<void> {
    const dice = this.random();
    if (this.strategyId === '' || dice < 0.25) return await this.save();
    if (dice < 0.6) return await this.run();
    if (dice < 0.61) return await this.signInAgain();
    if (dice < 0.72 && this.account.plan !== 'free') return await this.batch();
    if (dice < 0.8 && this.batches.length > 0) return await this.sort();
    await this.call('page data', 'GET', dice < 0.9 ? '/api/v1/drafts' : '/api/v1/users/me');
  }

  private tree() {
    const window = 5 + (this.edits % 50);
    return root(
      'RSI',
      ifThenElse([condition({ lhs_fn_params: { window } })], [asset('SPY'), asset('QQQ')], [asset('TLT')]),
    );
  }

  private async save(): Promise<void> {
    this.edits += 1;
    const name = `${this.account.email} ${this.edits}`;
    const body = { name, algorithm: this.tree() };
    const answer =
      this.strategyId === ''
        ? await this.call('save', 'POST', '/api/v1/trading-bots', body, randomUUID())
        : await this.call('save', 'PATCH', `/api/v1/trading-bots/${this.strategyId}`, body);
    if (answer === null) return;
    this.strategyId = String(answer.id);
    this.savedName = name;
  }

  private async run(): Promise<void> {
    const include = { history: true };
    await this.call('single backtest', 'POST', '/api/v1/backtests', {
      ...terms,
      include,
      trading_bot: this.tree(),
      strategy_id: this.strategyId,
    });
  }

  private async signInAgain(): Promise<void> {
    const phase = this.soak.phase();
    const began = performance.now();
    try {
      const token = await signIn(this.soak.url, this.account, 'login');
      if (phase !== null && phase === this.soak.phase())
        this.soak.samples.add(phase, 'sign in', performance.now() - began);
      this.api = new Api(this.soak.url, token);
    } catch (error) {
      if (phase !== null && phase === this.soak.phase())
        this.soak.samples.fail('sign in', String(error).slice(0, 100));
    }
  }

  /** From the click to the first rows. */
  private async batch(): Promise<void> {
    const phase = this.soak.phase();
    const began = performance.now();
    const windows = Array.from({ length: 20 }, (_, i) => String(2 + i + Math.floor(this.random() * 1_000)));
    const tree = root(
      'Batch',
      ifThenElse([condition({ lhs_fn_params: { window: '$W' } })], [asset('SPY')], [asset('$B')]),
    );
    const created = await this.call(
      'create batch',
      'POST',
      '/api/v1/batch-backtests',
      {
        template_bot: { name: 'Batch', algorithm: tree, variables: ['$W', '$B'] },
        variables: { $W: windows, $B: ['TLT', 'IEF', 'GLD'] },
        backtest_config: terms,
      },
      randomUUID(),
    );
    if (created === null) return;
    this.charged += Number(created.new_combinations);
    const id = String(created.id);
    this.batches.push({ id, combinations: Number(created.combinations) });
    for (;;) {
      const batch = await this.call('page data', 'GET', `/api/v1/batch-backtests/${id}`);
      if (batch?.status === 'Finished') break;
      if (batch?.status === 'Error' || this.soak.over.aborted) return;
      await pause(200, this.soak.over);
    }
    const page = await this.call('result page', 'GET', `/api/v1/batch-backtests/${id}/results?limit=50`);
    if (page && phase !== null && phase === this.soak.phase())
      this.soak.samples.add(phase, 'batch, click to rows', performance.now() - began);
  }

  private async sort(): Promise<void> {
    const { id } = this.batches[Math.floor(this.random() * this.batches.length)] ?? { id: '' };
    const path = `/api/v1/batch-backtests/${id}/results?limit=50&sort=sharpe_ratio:desc`;
    await this.call('result page', 'GET', this.random() < 0.3 ? path.replace(/\?.*/, '') : path);
  }

  /** One request, repeated over kills of the server; null where it was refused, which is counted as a failure. */
  private async call(
    kind: string,
    method: string,
    path: string,
    body?: unknown,
    idempotencyKey?: string,
  ): Promise<Record<string, unknown> | null> {
    for (;;) {
      const phase = this.soak.phase();
      const began = performance.now();
      try {
        const headers = idempotencyKey ? { 'idempotency-key': idempotencyKey } : {};
        const response = await this.api.open(method, path, body, headers);
        const text = await response.text();
        const took = performance.now() - began;
        if (phase !== null && phase === this.soak.phase()) this.soak.samples.add(phase, kind, took);
        if (response.ok) return text.startsWith('{') ? JSON.parse(text) : {};
        // Read models of what was just written may lag behind it.
        if (response.status === 404 && kind !== 'save') return null;
        this.soak.samples.fail(kind, `${response.status} ${text.slice(0, 160)}`);
        return null;
      } catch (error) {
        // The server was killed under the request: do it again, as a person would.
        if (this.soak.over.aborted) return null;
        if (phase !== null && phase === this.soak.phase()) this.soak.samples.fail(kind, String(error));
        await pause(500, this.soak.over);
      }
    }
  }

  /** What was acknowledged and is not there, in sentences. */
  async losses(): Promise<string[]> {
    const lost: string[] = [];
    const { email } = this.account;
    const read = async (path: string) => (await this.api.get(path)).body as Record<string, unknown>;
    if (this.strategyId !== '') {
      const { name } = await read(`/api/v1/trading-bots/${this.strategyId}`);
      if (name !== this.savedName)
        lost.push(`${email}: the strategy is called ${name}, not ${this.savedName}`);
    }
    for (const { id, combinations } of this.batches) {
      const deadline = Date.now() + 120_000;
      for (;;) {
        const batch = await read(`/api/v1/batch-backtests/${id}`);
        if (batch.status === 'Finished') break;
        if (Date.now() > deadline) {
          lost.push(`${email}: the batch ${id} is ${batch.status}`);
          break;
        }
        await pause(500);
      }
      const { total } = await read(`/api/v1/batch-backtests/${id}/results?limit=1`);
      if (total !== combinations) lost.push(`${email}: the batch ${id} has ${total} rows of ${combinations}`);
    }
    if (this.account.plan !== 'free') {
      const { current_monthly_usage: used } = await read('/api/v1/batch-backtests/quota');
      if (used !== this.charged) lost.push(`${email}: ${used} of the quota are used, not ${this.charged}`);
    }
    return lost;
  }
}

/** Waits; ends early when the signal aborts. */
export function pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, milliseconds);
    if (signal?.aborted) done();
    else signal?.addEventListener('abort', done, { once: true });
  });
}
