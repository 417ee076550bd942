import type { Feature } from '../identity/plans.ts';
import type { Problem } from '../kernel/refusal.ts';
import { SIMULATED_PREFIX } from '../market-data/simulated-prefix.ts';
import type { CashReturn } from './run-settings.ts';
import type { Algorithm } from './tree.ts';
import { nodesOf } from './tree-walk.ts';
import { nameOf } from './validation-names.ts';
import { variableNames } from './variables.ts';

/** What the editor shows where a plan has no variables (`editor.md`, section 5). */
export const VARIABLES_PLAN_TEXT =
  'Plan Limitation: Variables are not available in your current plan. Please upgrade to use variables in conditions.';
export const Z_SCORE_PLAN_TEXT =
  'Plan Limitation: Z-Score is not available in your current plan. Please upgrade to use it.';
export const SIMULATED_TICKERS_PLAN_TEXT =
  'Plan Limitation: Simulated tickers are not available in your current plan. Please upgrade to use them.';

/** The parts of a tree that a user with these features may not save, each with the block it is in. */
export function planProblems(algorithm: Algorithm, features: readonly Feature[]): Problem[] {
  const problems: Problem[] = [];
  const variables = features.includes('web.batch-backtests.create') ? [] : variableNames(algorithm);
  const order = new Map(variables.map((name, index) => [name, index]));
  const mayZScore = features.includes('web.z-score.view');
  const maySimulate = features.includes('web.simulated-tickers.view');
  if (order.size === 0 && mayZScore && maySimulate) return problems;
  for (const { node } of nodesOf(algorithm)) {
    const name = nameOf(node as unknown as Record<string, unknown>);
    // The children's own texts stay with the children.
    const own = ownTexts(node as unknown as Record<string, unknown>);
    const variable = order.size > 0 ? firstOf(order, own) : undefined;
    if (variable !== undefined)
      problems.push({
        code: 'plan_without_variables',
        message: `${name} uses the variable ${variable} (Variables not available in your plan)`,
        nodeId: node.id,
      });
    if (!mayZScore && own.includes('z-score'))
      problems.push({ code: 'plan_without_z_score', message: `${name} uses the Z-Score`, nodeId: node.id });
    const simulated = maySimulate
      ? undefined
      : own.flatMap((text) => text.split('/')).find(isSimulatedTicker);
    if (simulated !== undefined)
      problems.push({
        code: 'plan_without_simulated_tickers',
        message: `${name} uses the simulated ticker ${simulated}`,
        nodeId: node.id,
      });
  }
  return problems;
}

/**
 * The same for tickers that stand beside a tree: a benchmark, the values of a variable.
 *
 * @param where they stand, for the sentence
 * @param path JSON pointer into the request
 */
export function planProblemOfTickers(
  tickers: readonly unknown[],
  features: readonly Feature[],
  where: string,
  path: string,
): Problem | null {
  if (features.includes('web.simulated-tickers.view')) return null;
  const simulated = tickers.find(isSimulatedTicker);
  if (simulated === undefined) return null;
  const message = `${where} uses the simulated ticker ${simulated}`;
  return { code: 'plan_without_simulated_tickers', message, path };
}

/** The same for all tickers that the settings of a run name. */
export function planProblemsOfSettings(
  settings: {
    readonly benchmark_ticker: string;
    readonly cash?: CashReturn | null;
    readonly benchmarks?: readonly string[] | null;
  },
  features: readonly Feature[],
  at = '',
): Problem[] {
  const { benchmark_ticker: benchmark, cash, benchmarks } = settings;
  return [
    planProblemOfTickers([benchmark], features, 'The benchmark', `${at}/benchmark_ticker`),
    planProblemOfTickers(cash && 'ticker' in cash ? [cash.ticker] : [], features, 'Cash', `${at}/cash`),
    planProblemOfTickers(benchmarks ?? [], features, 'The list of benchmarks', `${at}/benchmarks`),
  ].filter((problem) => problem !== null);
}

function isSimulatedTicker(value: unknown): boolean {
  return typeof value === 'string' && value.trim().toUpperCase().startsWith(SIMULATED_PREFIX);
}

/** The sentence for the first of the problems, as the catalogue has it. */
export function planLimitText(problems: readonly Problem[]): string {
  switch (problems[0]?.code) {
    case 'plan_without_z_score':
      return Z_SCORE_PLAN_TEXT;
    case 'plan_without_simulated_tickers':
      return SIMULATED_TICKERS_PLAN_TEXT;
    default:
      return VARIABLES_PLAN_TEXT;
  }
}

/** The variable in these texts that comes first in the tree. */
function firstOf(order: ReadonlyMap<string, number>, texts: readonly string[]): string | undefined {
  let first: string | undefined;
  for (const text of texts)
    for (const side of text.split('/')) {
      const place = order.get(side);
      if (place !== undefined && (first === undefined || place < (order.get(first) ?? 0))) first = side;
    }
  return first;
}

const NOT_OWN = new Set([
  'id',
  'node_type',
  'name',
  'description',
  'children',
  'then_children',
  'else_children',
  'conditions',
]);

function ownTexts(value: Record<string, unknown>): string[] {
  return Object.entries(value).flatMap(([key, item]) => {
    if (NOT_OWN.has(key)) return [];
    if (typeof item === 'string') return [item];
    return typeof item === 'object' && item !== null ? ownTexts(item as Record<string, unknown>) : [];
  });
}
