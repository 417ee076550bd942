import type { BacktestAnswer, BacktestRequest } from '@quantloom/domain/contracts/backtest';
import { assign, fromPromise, setup } from 'xstate';

export type RunEvent =
  /** `label` names what is run when it is not the strategy as it stands: an earlier revision. */
  | { readonly type: 'user.run'; readonly request: BacktestRequest; readonly label?: string }
  /** The live run after a change: the last results stay in sight until the new ones are there. */
  | { readonly type: 'auto.run'; readonly request: BacktestRequest }
  | { readonly type: 'user.clear' };

/** An answer with what it is of. */
export interface FinishedRun {
  readonly request: BacktestRequest;
  readonly answer: BacktestAnswer;
}

const finishedOf = ({
  context: { answered, answer, label, before },
}: {
  context: RunContext;
}): FinishedRun | null =>
  // What is shown of an earlier revision is no step of the work on the strategy.
  answered && answer && label === null ? { request: answered, answer } : before;

interface RunContext {
  readonly request: BacktestRequest | null;
  readonly label: string | null;
  readonly answer: BacktestAnswer | null;
  /** The strategy that `answer` is of. */
  readonly answered: BacktestRequest | null;
  /** The results that stood here before, to compare with; kept while the next run is under way. */
  readonly before: FinishedRun | null;
  readonly error: unknown;
  /** When the last run ended, epoch ms. */
  readonly finishedAt: number | null;
}

/**
 * One backtest at a time: idle, running, results, error. Running clears the results; a new run replaces one
 * that is under way.
 */
export const runMachine = setup({
  types: { context: {} as RunContext, events: {} as RunEvent },
  actors: {
    run: fromPromise<BacktestAnswer, BacktestRequest>(() => Promise.reject(new Error('run is not provided'))),
  },
  actions: { now: assign({ finishedAt: () => Date.now() }) },
}).createMachine({
  id: 'run',
  context: {
    request: null,
    label: null,
    answer: null,
    answered: null,
    before: null,
    error: null,
    finishedAt: null,
  },
  initial: 'idle',
  on: {
    'user.run': {
      target: '.running',
      reenter: true,
      actions: assign({
        request: ({ event }) => event.request,
        label: ({ event }) => event.label ?? null,
        before: finishedOf,
        answer: null,
        answered: null,
        error: null,
      }),
    },
    'auto.run': {
      target: '.running',
      reenter: true,
      actions: assign({
        request: ({ event }) => event.request,
        before: finishedOf,
        label: null,
        error: null,
      }),
    },
    'user.clear': { target: '.idle', actions: assign({ answer: null, answered: null, error: null }) },
  },
  states: {
    idle: {},
    running: {
      invoke: {
        src: 'run',
        input: ({ context }) => context.request as BacktestRequest,
        onDone: [
          {
            guard: ({ event }) => (event.output as BacktestAnswer | null) === null,
            target: 'error',
            actions: [assign({ answer: null, answered: null }), 'now'],
          },
          {
            target: 'results',
            actions: [
              assign({ answer: ({ event }) => event.output, answered: ({ context }) => context.request }),
              'now',
            ],
          },
        ],
        onError: {
          target: 'error',
          actions: [assign({ error: ({ event }) => event.error, answer: null, answered: null }), 'now'],
        },
      },
    },
    results: {},
    error: {},
  },
});
