import { constants, setPriority } from 'node:os';
import { Api } from '../harness/api.ts';
import type { Account } from './accounts.ts';
import { attacksWith, manyBlocks } from './attacks.ts';
import { pause } from './well-behaved.ts';

interface Order {
  readonly url: string;
  readonly accounts: readonly Account[];
  /** Attacks that one account has under way. */
  readonly strikesAtOnce: number;
}

// Sending megabytes takes twice as much of a processor as refusing them. That is the attackers' own machine: here it may take what the server leaves.
setPriority(constants.priority.PRIORITY_LOW);

/** The hostile accounts of the soak, as a process: attacks until it is told to stop, and tells what came of it. */
const over = new AbortController();
const outcomes = new Map<string, number>();

async function attack({ url, strikesAtOnce }: Order, { email, token }: Account): Promise<void> {
  const api = new Api(url, token);
  const own = await api.post('/api/v1/trading-bots', { name: 'Large', algorithm: manyBlocks(9_900) });
  if (own.status !== 201)
    throw new Error(`${email}: ${own.status} ${JSON.stringify(own.body).slice(0, 300)}`);
  const attacks = attacksWith(own.body as { id: string }, { batchId: null });
  let turn = 0;
  const strike = async (): Promise<void> => {
    while (!over.signal.aborted) {
      const one = attacks[turn++ % attacks.length];
      if (!one) return;
      const outcome = await one.strike(api).then(
        async (response) => {
          const { code } = (await response.json().catch(() => ({}))) as { code?: string };
          return `${response.status}${code ? ` ${code}` : ''}`;
        },
        () => 'no answer',
      );
      const key = `${one.name}: ${outcome}`;
      outcomes.set(key, (outcomes.get(key) ?? 0) + 1);
      await pause(outcome.startsWith('2') ? 5 : 200, over.signal);
    }
  };
  await Promise.all(Array.from({ length: strikesAtOnce }, strike));
}

process.on('message', (message: Order | 'stop') => {
  if (message !== 'stop') {
    void Promise.all(message.accounts.map((account) => attack(message, account)));
    return;
  }
  over.abort();
  process.send?.([...outcomes], () => process.exit(0));
});
