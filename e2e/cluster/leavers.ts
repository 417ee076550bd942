import { readConfig } from '@quantloom/deploy/config';
import { type LogStores, openLogStores } from '@quantloom/deploy/wiring/log-stores';
import { PROJECTIONS } from '@quantloom/domain/projections';
import { UNDER_WAY } from '@quantloom/projectors/processes/erasures-under-way';
import { type Answer, Api } from '../harness/api.ts';
import { quantloom } from '../harness/server.ts';
import { rsiSwitch } from '../harness/templates.ts';
import { openAccount, signIn } from '../soak/accounts.ts';
import { inTime } from './in-time.ts';
import type { ProductUnderTest } from './product-under-test.ts';
import type { Workload } from './workload.ts';

const NEXT_TRY_MS = 1_000;
/** A network may open so many accounts an hour. */
const MOST_TRIES = 3;
const ANSWER_MS = 30_000;
/** Beyond the outages themselves. */
const PATIENCE_MS = 180_000;
/** Erasures are looked for once a minute; then all read models with personal data are built anew. */
const ERASED_MS = 300_000;

/** Somebody whom the product has told that the account goes, and what it owned. */
interface Gone {
  readonly email: string;
  /** In their address and every name that they gave to things, and in nobody else's. */
  readonly trace: string;
  readonly token: string;
  readonly userId: string;
  /** Public while they were there. */
  readonly paths: readonly string[];
}

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/**
 * People who sign up, work, show their things to everybody and have their account erased while things go
 * wrong. Whoever was told that the account goes is gone soon after, with everything; a copy that somebody
 * else has made stays.
 */
export class Leavers {
  readonly #product: ProductUnderTest;
  readonly #workload: Workload;
  readonly #key: string;
  readonly #gone: Gone[] = [];
  #signUps = 0;

  /** @param key makes their addresses differ from those of others */
  constructor(product: ProductUnderTest, workload: Workload, key: string) {
    this.#product = product;
    this.#workload = workload;
    this.#key = key.replaceAll(/[^a-z0-9]/gi, '-').toLowerCase();
  }

  /** Accounts whose erasure was acknowledged. */
  get count(): number {
    return this.#gone.length;
  }

  /**
   * One of them, or nobody where no account is to be had while things go wrong. Whoever gets no answer comes
   * under another address: the first one may well have an account, which stays.
   */
  async comeAndGo(): Promise<void> {
    for (let tries = 0; this.count === 0 && tries < MOST_TRIES; tries += 1) {
      this.#signUps += 1;
      const trace = `leaver-${this.#key}-${this.#signUps}`;
      const email = `${trace}@example.com`;
      try {
        const { token } = await inTime(openAccount(this.#product.url, email, 'api'), ANSWER_MS);
        await this.#live(email, trace, token);
      } catch (error) {
        if (error instanceof NotAcknowledged) throw error;
        // Refused, cut off or half done: that is no account that anybody relies on.
        await pause(NEXT_TRY_MS);
      }
    }
  }

  async #live(email: string, trace: string, token: string): Promise<void> {
    const api = new Api(this.#product.url, token);
    const { id: userId } = await this.#insist(() => api.get('/api/v1/users/me'));
    const create = (path: string, body: object) =>
      this.#insist(() => api.post(path, body, { 'idempotency-key': `${email}-${path}` }));
    const name = `Switch of ${trace}`;
    const algorithm = rsiSwitch();
    const bot = await create('/api/v1/trading-bots', { name, algorithm });
    const batch = await create('/api/v1/batch-backtests', {
      name: `Batch of ${trace}`,
      template_bot: { id: bot.id, name, algorithm: bot.algorithm },
      variables: { $W: ['3', '4', '5'], $A: ['SPY', 'QQQ'], $B: ['TLT', 'SHY'] },
      backtest_config: { start_date: '2012-01-03', end_date: '2025-06-27', benchmark_ticker: 'SPY' },
    });
    await create('/api/v1/variable-lists', { name: `List of ${trace}`, variables: ['SPY', 'QQQ'] });
    const paths = [`/api/v1/trading-bots/${bot.id}`, `/api/v1/batch-backtests/${batch.id}`];
    for (const path of paths) await this.#insist(() => api.patch(path, { is_public: true }));
    await this.#workload.adopt(bot.id, `Kept from ${userId}`);
    await this.#leave(email);
    this.#gone.push({ email, trace, token, userId, paths });
  }

  /** `quantloom users delete`, until it is acknowledged. */
  async #leave(email: string): Promise<void> {
    const deadline = this.#deadline();
    let mayHaveGone = false;
    for (;;) {
      const { code, stderr } = await quantloom(this.#product.dataDir, 'users', 'delete', email);
      const isUnknown = stderr.includes('There is no user');
      // Of an attempt that failed nobody knows how far it came.
      if (code === 0 || (isUnknown && mayHaveGone)) return;
      mayHaveGone ||= !isUnknown;
      if (Date.now() > deadline) throw new NotAcknowledged(`the erasure of ${email}: ${stderr.slice(-500)}`);
      await pause(NEXT_TRY_MS);
    }
  }

  /** Until it is answered with something other than "try again". */
  async #insist(send: () => Promise<Answer>) {
    const deadline = this.#deadline();
    for (;;) {
      let last: string;
      try {
        const { status, body } = await inTime(send(), ANSWER_MS);
        if (status < 300) return body;
        last = `${status} ${JSON.stringify(body)}`;
      } catch (error) {
        last = String(error);
      }
      if (Date.now() > deadline) throw new NotAcknowledged(`${send}: ${last}`);
      await pause(NEXT_TRY_MS);
    }
  }

  #deadline(): number {
    return Date.now() + PATIENCE_MS + this.#workload.longestOutageMs;
  }

  /** What is left of those who are gone; and that, now that all is quiet, nobody can leave. */
  async faults(): Promise<string[]> {
    if (this.count === 0) await this.comeAndGo();
    if (this.count === 0) return ['nobody can open an account and leave'];
    const { dataDir } = this.#product;
    const stores = await openLogStores(readConfig({ ...process.env, DATA_DIR: dataDir }), {
      mayCreate: false,
    });
    try {
      const faults: string[] = [];
      for (const gone of this.#gone) faults.push(...(await this.#faultsOf(gone, stores)));
      return faults;
    } finally {
      await stores.close();
    }
  }

  async #faultsOf(gone: Gone, stores: LogStores): Promise<string[]> {
    const deadline = Date.now() + ERASED_MS;
    for (;;) {
      const left = await this.#leftOf(gone, stores).catch((error) => [String(error)]);
      if (left.length === 0) return [];
      if (Date.now() > deadline) return left.map((one) => `${gone.email} is gone, but ${one}`);
      await pause(NEXT_TRY_MS);
    }
  }

  async #leftOf(
    { email, trace, token, userId, paths }: Gone,
    { eventStore, readModels }: LogStores,
  ): Promise<string[]> {
    const left: string[] = [];
    let isErased = false;
    for await (const { type, data } of eventStore.readStream(`user-${userId}`)) {
      if (type === 'AccountErased') isErased = true;
      if (JSON.stringify(data).includes(trace)) left.push(`the log says ${JSON.stringify(data)}`);
    }
    if (!isErased) return ['the log does not say so'];
    if (await readModels.get(UNDER_WAY.name, userId)) return ['read models are not yet rid of it'];
    for (const path of paths) {
      const { status } = await this.#workload.insist('GET', path);
      if (status !== 404) left.push(`${path} answers ${status}`);
    }
    for (const { collection } of PROJECTIONS)
      for (const document of await readModels.find(collection.name))
        if (JSON.stringify(document).includes(trace))
          left.push(`${collection.name} holds ${JSON.stringify(document).slice(0, 300)}`);
    const me = await inTime(new Api(this.#product.url, token).get('/api/v1/users/me'), ANSWER_MS);
    if (me.status !== 401 && me.status !== 403)
      left.push(`the token is answered with ${me.status} ${JSON.stringify(me.body)}`);
    // An address may try to log in so many times: only when all else is gone.
    if (left.length > 0) return left;
    const isIn = await inTime(signIn(this.#product.url, { email }, 'login'), ANSWER_MS).then(
      () => true,
      () => false,
    );
    if (isIn) left.push('can log in');
    return left;
  }
}

/** What had to be acknowledged at last was not. */
class NotAcknowledged extends Error {
  constructor(what: string) {
    super(`was not acknowledged: ${what}`);
    this.name = 'NotAcknowledged';
  }
}
