import type { BacktestAnswer, BacktestRequest } from '@quantloom/domain/contracts/backtest';
import { assign, fromPromise, setup } from 'xstate';

export type RunEvent =
  | { readonly type: 'user.run'; readonly request: BacktestRequest }
  | { readonly type: 'user.clear' };

interface RunContext {
  readonly request: BacktestRequest | null;
  readonly answer: BacktestAnswer | null;
  readonly error: unknown;
  /** When the last run ended, epoch ms. */
  readonly finishedAt: number | null;
}

/** One backtest at a time: idle, running, results, error. Running clears the results; a new run replaces one that is under way. */
export const runMachine = setup({
  types: { context: {} as RunContext, events: {} as RunEvent },
  actors: {
    run: fromPromise<BacktestAnswer, BacktestRequest>(() => Promise.reject(new Error('run is not provided'))),
  },
  actions: { now: assign({ finishedAt: () => Date.now() }) },
}).createMachine({
  id: 'run',
  context: { request: null, answer: null, error: null, finishedAt: null },
  initial: 'idle',
  on: {
    'user.run': {
      target: '.running',
      reenter: true,
      actions: assign({ request: ({ event }) => event.request }),
    },
    'user.clear': { target: '.idle', actions: assign({ answer: null, error: null }) },
  },
  states: {
    idle: {},
    running: {
      entry: assign({ answer: null, error: null }),
      invoke: {
        src: 'run',
        input: ({ context }) => context.request as BacktestRequest,
        onDone: { target: 'results', actions: [assign({ answer: ({ event }) => event.output }), 'now'] },
        onError: { target: 'error', actions: [assign({ error: ({ event }) => event.error }), 'now'] },
      },
    },
    results: {},
    error: {},
  },
});
