import { Api } from '../harness/api.ts';
import { openAccount, signIn } from '../soak/accounts.ts';
import { inTime } from './in-time.ts';

const NEXT_TRY_MS = 2_000;
/** A network may open so many accounts an hour; whoever is refused for that is nobody. */
const MOST_TRIES = 6;
const ANSWER_MS = 30_000;
const QUIET_MS = 30_000;

/** People who sign up while things go wrong. Who was told that there is an account has one for good. */
export class People {
  readonly #url: string;
  readonly #key: string;
  readonly #acknowledged: string[] = [];
  #tries = 0;

  /** @param key makes their addresses differ from those of others */
  constructor(url: string, key: string) {
    this.#url = url;
    this.#key = key.replaceAll(/[^a-z0-9]/gi, '-').toLowerCase();
  }

  /** Accounts that were acknowledged. */
  get count(): number {
    return this.#acknowledged.length;
  }

  /**
   * Opens so many accounts, one after the other, or fewer where no more is to be had: whoever gets no answer
   * comes under another address, since nobody has told them whether the first one counts.
   */
  async come(count: number): Promise<void> {
    while (this.count < count && this.#tries < MOST_TRIES) {
      if (await this.#signUp()) continue;
      await new Promise((resolve) => setTimeout(resolve, NEXT_TRY_MS));
    }
  }

  async #signUp(): Promise<boolean> {
    this.#tries += 1;
    const email = `person-${this.#key}-${this.#tries}@example.com`;
    try {
      await inTime(openAccount(this.#url, email, 'free'), ANSWER_MS);
    } catch {
      // Refused, cut off or half done: none of that is an account that somebody relies on.
      return false;
    }
    this.#acknowledged.push(email);
    return true;
  }

  /** Whoever cannot log in any more or is somebody else now; and that, now that all is quiet, nobody can sign up. */
  async faults(): Promise<string[]> {
    const faults: string[] = [];
    for (const email of this.#acknowledged) {
      const fault = await this.#faultOf(email);
      if (fault !== null) faults.push(`${email}: ${fault}`);
    }
    if (this.count === 0 && !(await this.#signUp())) faults.push('nobody can sign up');
    return faults;
  }

  async #faultOf(email: string): Promise<string | null> {
    const deadline = Date.now() + QUIET_MS;
    for (;;) {
      let last: string;
      try {
        const { status, body } = await inTime(
          signIn(this.#url, { email }, 'login').then((token) =>
            new Api(this.#url, token).get('/api/v1/users/me'),
          ),
          ANSWER_MS,
        );
        if (status === 200 && body.email === email) return null;
        last = `${status} ${JSON.stringify(body)}`;
      } catch (error) {
        last = String(error);
      }
      if (Date.now() > deadline) return last.slice(0, 300);
      await new Promise((resolve) => setTimeout(resolve, NEXT_TRY_MS));
    }
  }
}
