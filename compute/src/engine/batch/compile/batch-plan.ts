import { visibleColumns } from '@quantloom/domain/batch/results-query';
import type { BatchRequest } from '@quantloom/domain/contracts/backtest';
import type { PriceSeries } from '@quantloom/domain/ports/market-data';
import type { ResultVariable } from '@quantloom/domain/ports/result-store';
import {
  type CombinationSpace,
  combinationDigits,
  combinationSpace,
} from '@quantloom/domain/strategy/combinations';
import type { Algorithm } from '@quantloom/domain/strategy/tree';
import { validateAlgorithm } from '@quantloom/domain/strategy/validation';
import { isRecord, isVariable, quote } from '@quantloom/domain/strategy/values';
import { bindVariables, distinctValues, variableNames } from '@quantloom/domain/strategy/variables';
import type { EngineOptions } from '../../answers/backtest.ts';
import { refuseMissingCloses } from '../../model/other-closes.ts';
import { readDate, readTerms, refuseRequest, type Terms } from '../../model/terms.ts';
import { refuseFaults, refuseUnknownSettings } from '../../reference/run.ts';

/** A checked batch: what its combinations are and on what terms each is simulated. Holds no column of its own. */
export interface BatchPlan {
  readonly algorithm: Algorithm;
  readonly prices: ReadonlyMap<string, PriceSeries>;
  readonly terms: Terms;
  /** First out-of-sample day, where the batch names one. */
  readonly outOfSampleDay: number | null;
  /** Whether every combination is computed with the other fill as well. */
  readonly hasBothFills: boolean;
  /** In the template's order, the last one fastest, with distinct values in the user's order. */
  readonly variables: readonly ResultVariable[];
  readonly space: CombinationSpace;
  /** Product of the values as given, duplicates included. */
  readonly requestedCombinations: number;
  readonly combinations: number;
  /** Header of the result file. */
  readonly csvColumns: readonly string[];
}

/**
 * Checks a batch and numbers its combinations. Only faults that do not depend on a variable's value are
 * refused here; a combination that cannot run keeps its row.
 * @param prices the series of every ticker that `tickersOf` names for the template
 * @throws RefusalError of status 400
 */
export function planBatch(
  request: BatchRequest,
  prices: ReadonlyMap<string, PriceSeries>,
  options: EngineOptions,
): BatchPlan {
  const template: unknown = request.template_bot;
  if (!isRecord(template))
    refuseRequest('invalid_template', 'template_bot must be a template with its algorithm');
  const config: unknown = request.backtest_config;
  if (!isRecord(config)) refuseRequest('invalid_config', 'backtest_config must hold start_date and end_date');
  const terms = readTerms(config, options.today);
  refuseUnknownSettings({ ...terms, benchmarks: [] }, prices);
  const { algorithm } = request.template_bot;
  const raw = readVariables(request);
  checkTemplate(algorithm, raw, prices);
  const variables = raw.map(({ name, values }) => ({ name, values: distinctValues(values) }));
  refuseMissingCloses(algorithm, prices, terms.indicatorPrices, {
    variables: new Map(variables.map(({ name, values }) => [name, values])),
    at: '/backtest_config',
  });
  const hasBothFills = config.both_fills === true;
  const space = combinationSpace(variables.map(({ values }) => values.length));
  const requestedCombinations = raw.reduce((product, { values }) => product * values.length, 1);
  if (requestedCombinations > Number.MAX_SAFE_INTEGER)
    refuseRequest('too_many_combinations', 'The variables make more combinations than can be counted');
  return {
    algorithm,
    prices,
    terms,
    outOfSampleDay:
      config.out_of_sample_date === undefined || config.out_of_sample_date === null
        ? null
        : readDate(config.out_of_sample_date, 'out_of_sample_date'),
    hasBothFills,
    variables,
    space,
    requestedCombinations,
    combinations: space.count,
    csvColumns: visibleColumns(variables, hasBothFills),
  };
}

/** The variables of a batch in the template's order with the values as given. */
function readVariables(request: BatchRequest): ResultVariable[] {
  const names: unknown = request.template_bot.variables ?? variableNames(request.template_bot.algorithm);
  if (!Array.isArray(names))
    refuseRequest('invalid_variables', 'The variables of the template must be a list of names');
  const given: unknown = request.variables ?? {};
  if (!isRecord(given))
    refuseRequest('invalid_variables', 'variables must map each variable to a list of values');
  const seen = new Set<string>();
  return names.map((name: unknown) => {
    if (!isVariable(name))
      refuseRequest('invalid_variables', `${quote(name)} is not a variable: names begin with $`);
    if (seen.has(name)) refuseRequest('invalid_variables', `The variable ${name} is listed twice`);
    seen.add(name);
    const values = Object.hasOwn(given, name) ? given[name] : undefined;
    if (!Array.isArray(values) || values.length === 0)
      refuseRequest('empty_variable', `The variable ${name} has no values`);
    for (const value of values) {
      const isUsable =
        typeof value === 'number' ? Number.isFinite(value) : typeof value === 'string' && value !== '';
      if (!isUsable)
        refuseRequest(
          'invalid_variables',
          `The variable ${name} has the value ${quote(value)}, expected a ticker or a number`,
        );
    }
    return { name, values: values as (string | number)[] };
  });
}

/** Refuses faults of the template itself, and variables that stand in it without being listed. */
function checkTemplate(
  algorithm: Algorithm,
  variables: readonly ResultVariable[],
  prices: ReadonlyMap<string, PriceSeries>,
): void {
  refuseFaults(algorithm, prices, false);
  const listed = new Set(variables.map(({ name }) => name));
  const missing = variableNames(algorithm).find((name) => !listed.has(name));
  if (missing === undefined) return;
  const unbound = validateAlgorithm(algorithm, { requireBound: true }).find(({ message }) =>
    message.includes(`the variable ${missing},`),
  );
  refuseRequest(
    'unbound_variable',
    unbound?.message ?? `The template uses the variable ${missing}, which has no values`,
    unbound === undefined ? [] : [unbound],
  );
}

/** Index into each variable's distinct values of a combination. */
export function digitsOf(plan: BatchPlan, combination: number): number[] {
  return combinationDigits(plan.space, combination);
}

/** The tree of one combination, its variables replaced by that combination's values. */
export function bindCombination(plan: BatchPlan, combination: number): Algorithm {
  const digits = digitsOf(plan, combination);
  const values = plan.variables.map(
    ({ name, values: choices }, i) => [name, choices[digits[i] as number] as string | number] as const,
  );
  return bindVariables(plan.algorithm, new Map(values));
}
