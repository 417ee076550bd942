import type { BacktestConfig, TemplateBot } from '../contracts/backtest.ts';
import type { BatchRequestBody } from '../contracts/http/batches.ts';
import type { Feature } from '../identity/plans.ts';
import { isRefusal, type Problem, type Refusal, refuse } from '../kernel/refusal.ts';
import { parseDay } from '../market-data/day.ts';
import { readDate, readTerms } from '../strategy/backtest-terms.ts';
import {
  planLimitText,
  planProblemOfTickers,
  planProblems,
  planProblemsOfSettings,
} from '../strategy/plan-limits.ts';
import type { RunSettings } from '../strategy/run-settings.ts';
import { sizeOf, sizeProblem } from '../strategy/size.ts';
import { forEachTickerPlace } from '../strategy/ticker-places.ts';
import type { Algorithm } from '../strategy/tree.ts';
import { validateAlgorithm } from '../strategy/validation.ts';
import { isRecord, isVariable, sidesOf } from '../strategy/values.ts';
import { collectVariables } from '../strategy/variables.ts';
import {
  type BatchVariable,
  batchVariables,
  combinationCount,
  requestedCombinations,
} from './variable-values.ts';

/** More combinations than this exceed every plan, and no table of them is ever made. */
export const MAX_COMBINATIONS = 50_000_000;
/** Variables of one template. */
export const MAX_VARIABLES = 100;

/** A batch as the server understood it; everything in it is checked but the tickers. */
export interface BatchDraft {
  readonly template: TemplateBot;
  readonly variables: readonly BatchVariable[];
  readonly config: BacktestConfig &
    Required<Pick<BacktestConfig, 'starting_balance' | 'slippage_bps' | 'benchmark_ticker'>>;
  readonly requestedCombinations: number;
  readonly combinations: number;
}

function badRequest(code: string, detail: string, path?: string): Refusal {
  return refuse(400, code, detail, { problems: [{ code, message: detail, ...(path && { path }) }] });
}

/** The refusal of a tree that cannot run: the first problem's sentence, all of them listed. */
export function refuseProblems(problems: readonly Problem[]): Refusal {
  return refuse(
    400,
    problems[0]?.code ?? 'invalid_strategy',
    problems[0]?.message ?? 'The strategy is invalid',
    {
      problems,
    },
  );
}

/** `YYYY-MM-DD` that exists in the calendar. */
export function isDate(text: string): boolean {
  return parseDay(text) !== null;
}

const CONFIG = '/backtest_config';

/** A batch's configuration as one of its rows is run with it: without what only a batch has. */
export function configOfRow({
  include: _include,
  out_of_sample_date: _split,
  both_fills: _both,
  ...config
}: BacktestConfig): Omit<BacktestConfig, 'include' | 'out_of_sample_date' | 'both_fills'> {
  return config;
}

/**
 * Dates, slippage and balance of a batch.
 *
 * @param today `YYYY-MM-DD`; later dates are refused
 */
export function readConfig(
  body: BatchRequestBody['backtest_config'],
  today: string,
): BatchDraft['config'] | Refusal {
  const terms = readTerms(body, today, CONFIG);
  if (isRefusal(terms)) return terms;
  const { startDate, endDate, startingBalance, slippageBps, benchmark } = terms;
  const split = body.out_of_sample_date ? readDate(body.out_of_sample_date, SPLIT, CONFIG) : null;
  if (isRefusal(split)) return split;
  if (split && (split.date <= startDate || split.date > endDate))
    return badRequest(
      'split_outside_period',
      `The out-of-sample date ${split.date} must lie after the start date and not after the end date`,
      `${CONFIG}/${SPLIT}`,
    );
  return {
    start_date: startDate,
    end_date: endDate,
    starting_balance: startingBalance,
    slippage_bps: slippageBps,
    include: { history: false },
    benchmark_ticker: benchmark.toUpperCase(),
    ...settingsOf(terms),
    ...(split && { out_of_sample_date: split.date }),
    ...(body.both_fills === true && { both_fills: true }),
  };
}

const SPLIT = 'out_of_sample_date';

/** The settings that are not the default, as they are stored with a batch. */
function settingsOf({ fill, cash, benchmarks, indicatorPrices }: RunSettings): Partial<BacktestConfig> {
  return {
    ...(fill !== 'close' && { fill }),
    ...(cash && { cash: 'ticker' in cash ? { ticker: cash.ticker.toUpperCase() } : cash }),
    ...(benchmarks.length > 0 && { benchmarks: benchmarks.map((ticker) => ticker.toUpperCase()) }),
    ...(indicatorPrices !== 'adjusted' && { indicator_prices: indicatorPrices }),
  };
}

/**
 * Reads a batch request as strictly as a run needs it. Total: any JSON of the schema's shape gives a draft or
 * a refusal that names the block, the variable or the field.
 */
export function readBatchRequest(
  body: BatchRequestBody,
  context: {
    readonly today: string;
    readonly features: readonly Feature[];
    /** Whether a word where a number stands fails its rows only: where a slip costs no quota. */
    readonly failsRows?: boolean;
    /** Whether somebody has found nothing wrong with the tree already (`treeFault`). */
    readonly isChecked?: boolean;
  },
): BatchDraft | Refusal {
  const { algorithm } = body.template_bot;
  const fault = context.isChecked ? null : treeFault(algorithm, context.features);
  if (fault) return fault;
  const config = readConfig(body.backtest_config, context.today);
  if (isRefusal(config)) return config;
  const names = variableOrder(body);
  if (isRefusal(names)) return names;
  const variables = batchVariables(names, body.variables);
  const unusable = valueFault(algorithm, variables, context.failsRows === true);
  if (unusable) return unusable;
  const beyond = tickersBeyondPlan(config, variables, context.features);
  if (beyond) return beyond;
  const combinations = combinationCount(variables);
  const { id, name, type } = body.template_bot;
  const title = isRecord(algorithm) && typeof algorithm.name === 'string' ? algorithm.name : 'Template';
  return {
    template: {
      ...(id && { id }),
      name: name?.trim() || title,
      type: type ?? 'template',
      variables: names,
      algorithm: algorithm as Algorithm,
    },
    variables,
    config,
    requestedCombinations: requestedCombinations(names, body.variables),
    combinations,
  };
}

/**
 * Why a tree cannot be run, whatever its terms are: its size, its blocks, or what the plan does not have.
 *
 * @param requireBound whether variables are refused
 */
export function treeFault(
  algorithm: unknown,
  features: readonly Feature[],
  { requireBound = false }: { readonly requireBound?: boolean } = {},
): Refusal | null {
  const tooLarge = sizeProblem(sizeOf(algorithm));
  if (tooLarge) return refuseProblems([tooLarge]);
  const problems = validateAlgorithm(algorithm, { requireBound });
  if (problems.length > 0) return refuseProblems(problems);
  const limits = planProblems(algorithm as Algorithm, features);
  if (limits.length > 0)
    return refuse(403, limits[0]?.code ?? 'feature_missing', planLimitText(limits), { problems: limits });
  return null;
}

/** The names in the order that numbers the combinations: the template's list, then what the tree uses beside it. */
function variableOrder(body: BatchRequestBody): string[] | Refusal {
  const used = collectVariables(body.template_bot.algorithm).map(({ name }) => name);
  const listed = [...new Set(body.template_bot.variables ?? [])];
  const strange = listed.find((name) => !isVariable(name));
  if (strange !== undefined)
    return badRequest(
      'invalid_variable',
      `'${strange}' is not a variable; a variable begins with $`,
      '/template_bot/variables',
    );
  const names = [...new Set([...listed, ...used])];
  if (names.length === 0)
    return badRequest(
      'template_without_variables',
      'The template has no variables; write for example $TICKER in place of a ticker',
      '/template_bot',
    );
  // Checked before anything is done with each of them: every one of their values is at least one combination more.
  if (names.length > MAX_VARIABLES)
    return badRequest(
      'too_many_variables',
      `The template has ${names.length.toLocaleString('en-US')} variables; a batch has at most ${MAX_VARIABLES}`,
      '/template_bot',
    );
  const known = new Set(names);
  const unknown = Object.keys(body.variables).find((name) => !known.has(name));
  if (unknown !== undefined)
    return badRequest('unknown_variable', `The template has no variable ${unknown}`, '/variables');
  return names;
}

function valueFault(
  algorithm: unknown,
  variables: readonly BatchVariable[],
  takesWords: boolean,
): Refusal | null {
  const kinds = new Map(collectVariables(algorithm).map(({ name, kinds }) => [name, kinds]));
  for (const { name, values } of variables) {
    const path = `/variables/${name}`;
    if (values.length === 0)
      return badRequest('variable_without_values', `Variable ${name} needs at least one value`, path);
    const blank = values.find((value) => value === '');
    if (blank !== undefined) return badRequest('invalid_value', `Variable ${name} has an empty value`, path);
    const isNumber = !takesWords && kinds.get(name)?.includes('number') === true;
    const word = isNumber ? values.find((value) => typeof value !== 'number') : undefined;
    if (word !== undefined)
      return badRequest(
        'value_not_number',
        `Variable ${name} stands for a number, and '${word}' is not one`,
        path,
      );
  }
  return null;
}

function tickersBeyondPlan(
  config: BatchDraft['config'],
  variables: readonly BatchVariable[],
  features: readonly Feature[],
): Refusal | null {
  const problems = [
    ...planProblemsOfSettings(config, features, CONFIG),
    ...variables.map(({ name, values }) =>
      planProblemOfTickers(values, features, `Variable ${name}`, `/variables/${name}`),
    ),
  ].filter((problem) => problem !== null);
  return problems.length > 0
    ? refuse(403, 'plan_without_simulated_tickers', planLimitText(problems), { problems })
    : null;
}

/**
 * Every ticker that the combinations of a batch can name: those written in the tree, and the values of ticker
 * variables.
 */
export function tickersOf(draft: Pick<BatchDraft, 'template' | 'variables'>): {
  readonly inTree: readonly string[];
  readonly byVariable: ReadonlyMap<string, readonly string[]>;
} {
  const inTree = new Set<string>();
  forEachTickerPlace(draft.template.algorithm, (value) => {
    for (const side of sidesOf(value)) if (side !== '' && !isVariable(side)) inTree.add(side);
  });
  const valuesOf = new Map(draft.variables.map(({ name, values }) => [name, values]));
  const byVariable = new Map<string, readonly string[]>();
  for (const { name, kinds } of collectVariables(draft.template.algorithm)) {
    if (!kinds.includes('ticker')) continue;
    byVariable.set(name, (valuesOf.get(name) ?? []).map(String));
  }
  return { inTree: [...inTree], byVariable };
}

/** The tickers that a batch's terms name, by the field that names them; the first benchmark may be without prices. */
export function tickersOfTerms({ cash, benchmarks }: BacktestConfig): readonly {
  readonly field: 'cash' | 'benchmarks';
  readonly ticker: string;
}[] {
  return [
    ...(cash && 'ticker' in cash ? [{ field: 'cash', ticker: cash.ticker } as const] : []),
    ...(benchmarks ?? []).map((ticker) => ({ field: 'benchmarks', ticker }) as const),
  ];
}

function unknownInConfig(config: BacktestConfig, isKnownTicker: (ticker: string) => boolean): Problem[] {
  return tickersOfTerms(config)
    .filter(({ ticker }) => !isKnownTicker(ticker))
    .map(({ field, ticker }) => ({
      code: 'unknown_ticker',
      message: `${field} names the unknown ticker ${ticker}`,
      path: `${CONFIG}/${field}`,
    }));
}

/** Tickers without prices among the values of each variable that has any. */
export type UnknownTickers = Readonly<Record<string, readonly string[]>>;

/**
 * Refuses what no combination could run with: tickers in the tree without prices, by their block, those of
 * cash and of further benchmarks, and variables none of whose tickers has prices. Where only some have none,
 * the rows of those fail one by one (`engine.md` section 7), and they are named in the answer.
 */
export function checkTickers(
  draft: Pick<BatchDraft, 'template' | 'variables' | 'config'>,
  isKnownTicker: (ticker: string) => boolean,
): UnknownTickers | Refusal {
  const problems = [
    ...validateAlgorithm(draft.template.algorithm, { isKnownTicker }),
    ...unknownInConfig(draft.config, isKnownTicker),
  ];
  if (problems.length > 0) return refuseProblems(problems);
  const hopeless: Problem[] = [];
  const unknown: Record<string, readonly string[]> = {};
  for (const [name, tickers] of tickersOf(draft).byVariable) {
    const missing = tickers.filter((ticker) => !isKnownTicker(ticker));
    if (missing.length === 0) continue;
    unknown[name] = missing;
    if (missing.length === tickers.length)
      for (const ticker of missing)
        hopeless.push({
          code: 'unknown_ticker',
          message: `Unknown ticker '${ticker}' in variable ${name}`,
          path: `/variables/${name}`,
        });
  }
  return hopeless.length > 0 ? refuseProblems(hopeless) : unknown;
}
