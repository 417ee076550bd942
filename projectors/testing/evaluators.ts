import { evaluateStrategy } from '../src/forward-test/evaluation.ts';
import type { Evaluators } from '../src/forward-test/nightly.ts';
import type { NightlyDeps } from '../src/forward-test/nightly-deps.ts';

/** Evaluates in this process, one after the other, before `ask` resolves. */
export const evaluatorsHere = (deps: NightlyDeps): Evaluators => ({
  ask: async (evaluations, signal) => {
    for (const evaluation of evaluations) await evaluateStrategy(deps, evaluation, signal);
  },
  areBusy: async () => false,
});
