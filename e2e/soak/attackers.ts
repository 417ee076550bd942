import { constants, setPriority } from 'node:os';
import { Api } from '../harness/api.ts';
import { asset, condition, ifThenElse, root } from '../harness/templates.ts';
import type { Account } from './accounts.ts';
import { attacksWith, manyBlocks } from './attacks.ts';
import { pause } from './well-behaved.ts';

interface Order {
  readonly url: string;
  readonly accounts: readonly Account[];
  /** Attacks that one account has under way. */
  readonly strikesAtOnce: number;
  /** The one attack to be made, where not all of them are. */
  readonly only?: string;
}

// Sending megabytes takes twice as much of a processor as refusing them. That is the attackers' own machine:
// here it may take what the server leaves.
setPriority(constants.priority.PRIORITY_LOW);

/** The hostile accounts of the soak, as a process: attacks until it is told to stop, and tells what came of it. */
const over = new AbortController();
const outcomes = new Map<string, number>();

/** Asks again where the server is being killed just then: the attack begins when it is back. */
async function whileAway<T>(ask: () => Promise<T>): Promise<T> {
  for (;;)
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof TypeError) || over.signal.aborted) throw error;
      await pause(500, over.signal);
    }
}

/** A batch of the attacker's own that runs for a while. */
async function largeBatch(api: Api): Promise<string> {
  const days = (from: number) => Array.from({ length: 1_100 }, (_, i) => String(from + i));
  const template = root(
    'Large',
    ifThenElse(
      [
        condition({
          lhs_fn_params: { window: '$L' },
          rhs_fn: 'relative-strength-index',
          rhs_fn_params: { window: '$R' },
          rhs_val: 'SPY',
          rhs_fixed_val: false,
        }),
      ],
      [asset('SPY')],
      [asset('TLT')],
    ),
  );
  const created = await api.post('/api/v1/batch-backtests', {
    template_bot: { name: 'Large', algorithm: template, variables: ['$L', '$R'] },
    variables: { $L: days(2), $R: days(2) },
    backtest_config: { start_date: '2005-01-03', end_date: '2024-12-31' },
  });
  if (created.status !== 201) throw new Error(`No batch: ${JSON.stringify(created.body).slice(0, 300)}`);
  return String(created.body.id);
}

async function attack({ url, strikesAtOnce, only }: Order, { email, token, plan }: Account): Promise<void> {
  const api = new Api(url, token);
  const own = await whileAway(() =>
    api.post('/api/v1/trading-bots', { name: 'Large', algorithm: manyBlocks(9_900) }),
  );
  if (own.status !== 201)
    throw new Error(`${email}: ${own.status} ${JSON.stringify(own.body).slice(0, 300)}`);
  const batchId = only === 'event stream' && plan !== 'free' ? await whileAway(() => largeBatch(api)) : null;
  const attacks = attacksWith(own.body as { id: string }, { batchId }).filter(
    ({ name }) => only === undefined || name === only,
  );
  let turn = 0;
  const strike = async (): Promise<void> => {
    while (!over.signal.aborted) {
      const one = attacks[turn++ % attacks.length];
      if (!one) return;
      const outcome = await one.strike(api).then(
        async (response) => {
          // A stream of events that is open has no end to be waited for.
          if (one.name === 'event stream' && response.ok) return String(response.status);
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
