import { type BatchHoldOut, batchHoldOut, withHoldOut } from '@quantloom/domain/batch/hold-out';
import type { VariableValue } from '@quantloom/domain/batch/variable-values';
import { distinctValues, parseValueText, type ValueProblem } from '@quantloom/domain/batch/variable-values';
import type { BatchDetail, Estimate, EstimateRequestBody } from '@quantloom/domain/contracts/http/batches';
import type { VariableList } from '@quantloom/domain/contracts/http/variable-lists';
import { isRefusal } from '@quantloom/domain/kernel/refusal';
import { DEFAULT_BENCHMARK, DEFAULT_STARTING_BALANCE } from '@quantloom/domain/strategy/backtest-terms';
import type { Algorithm } from '@quantloom/domain/strategy/tree';
import { variableNames } from '@quantloom/domain/strategy/variables';
import { today } from '../../../lib/today.ts';
import { DEFAULT_TERMS, type TradingTerms, termFields, termsOf } from '../../terms/terms.ts';
import { templateOf } from './template-of.ts';

/** A strategy with variables: one of the templates, or the one that an earlier batch kept. */
export interface BatchTemplate {
  readonly id?: string;
  readonly name: string;
  readonly type?: string;
  readonly variables: readonly string[];
  readonly algorithm: Algorithm;
  /** From which day on the strategy holds its days out. */
  readonly hold_out?: { readonly date: string | null } | null;
}

/** One variable's input: variable lists, or values one per line. */
export interface VariableInput {
  readonly mode: 'list' | 'text';
  readonly listIds: readonly string[];
  readonly text: string;
}

/** The form of a new batch backtest. Plain data; every rule is a function of it. */
export interface BatchForm {
  readonly name: string;
  readonly startDate: string | null;
  readonly endDate: string | null;
  /** First day of the out-of-sample part; null: none. */
  readonly outOfSampleDate: string | null;
  readonly slippage: string;
  readonly slippageError: string | null;
  /** Fill, cash and what decisions read. */
  readonly terms: TradingTerms;
  /** Whether every combination is computed with the other fill as well. */
  readonly bothFills: boolean;
  readonly template: BatchTemplate | null;
  readonly variables: Readonly<Record<string, VariableInput>>;
  readonly estimate: Estimate | null;
  readonly estimateError: string | null;
  /** Usage that a refused estimate carried all the same. */
  readonly refusedUsage: Estimate['usage'] | null;
}

const SLIPPAGE_ERROR = 'Slippage must be a positive integer';
const DATE_ORDER_ERROR = 'Error: Start date must be before or equal to end date';

/** From 1990 to today at the exchange, 10 bps. */
export function emptyForm(now: Date): BatchForm {
  return {
    name: '',
    startDate: '1990-01-01',
    endDate: today(now),
    outOfSampleDate: null,
    slippage: '10',
    slippageError: null,
    terms: DEFAULT_TERMS,
    bothFills: false,
    template: null,
    variables: {},
    estimate: null,
    estimateError: null,
    refusedUsage: null,
  };
}

const withoutEstimate = (form: BatchForm): BatchForm => ({
  ...form,
  estimate: null,
  estimateError: null,
  refusedUsage: null,
});

/** A template's variables in the order that numbers the combinations. */
function templateVariables(bot: BatchTemplate): readonly string[] {
  return bot.variables.length > 0 ? bot.variables : variableNames(bot.algorithm);
}

/** Loads a template's variables and resets all selections; every variable begins in list mode. */
export function chooseTemplate(form: BatchForm, template: BatchTemplate | null): BatchForm {
  const names = template ? templateVariables(template) : [];
  return {
    ...withoutEstimate(form),
    template,
    variables: Object.fromEntries(names.map((name) => [name, { mode: 'list', listIds: [], text: '' }])),
  };
}

/** Values that were suggested for variables of the template, as text; fields that hold something already keep it. */
export function suggestTexts(form: BatchForm, texts: Readonly<Record<string, string>>): BatchForm {
  const entries = Object.entries(form.variables).map(([name, input]): [string, VariableInput] => {
    const text = texts[name];
    const isEmpty = input.text.trim() === '' && input.listIds.length === 0;
    return [name, text === undefined || !isEmpty ? input : { mode: 'text', listIds: [], text }];
  });
  return { ...withoutEstimate(form), variables: Object.fromEntries(entries) };
}

/**
 * The form as an earlier batch was made: its template as it was then, its dates and slippage, and every value
 * as text.
 */
export function formOfBatch(batch: BatchDetail, now: Date): BatchForm {
  const { backtest_config: config } = batch;
  const form = chooseTemplate(emptyForm(now), templateOf(batch));
  return {
    ...form,
    startDate: config.start_date,
    endDate: config.end_date,
    outOfSampleDate: config.out_of_sample_date ?? null,
    slippage: String(config.slippage_bps),
    // A batch compares with no further tickers: earlier forms offered them, and nothing came of it.
    terms: { ...termsOf(config), benchmarks: [] },
    bothFills: config.both_fills ?? false,
    variables: Object.fromEntries(
      Object.keys(form.variables).map((name) => [
        name,
        { mode: 'text', listIds: [], text: (batch.variables[name] ?? []).join('\n') },
      ]),
    ),
  };
}

/**
 * Which date the batch will keep under the strategy's hold-out, or why the server will refuse it; null where
 * there is none.
 */
export function formHoldOut({
  template,
  startDate,
  endDate,
  outOfSampleDate: split,
}: BatchForm): { readonly kept: BatchHoldOut } | { readonly fault: string } | null {
  const date = template?.hold_out?.date ?? null;
  if (date === null || startDate === null || endDate === null) return null;
  const config = withHoldOut(
    { start_date: startDate, end_date: endDate, ...(split !== null && { out_of_sample_date: split }) },
    date,
  );
  if (isRefusal(config)) return { fault: config.detail };
  const kept = batchHoldOut(date, config);
  return kept && { kept };
}

/** Changing a date clears the estimate. */
export function setDates(
  form: BatchForm,
  dates: Partial<Pick<BatchForm, 'startDate' | 'endDate' | 'outOfSampleDate'>>,
): BatchForm {
  return { ...withoutEstimate(form), ...dates };
}

/** Changing how a run trades clears the estimate: other rows may be taken over. */
export function setTerms(form: BatchForm, terms: TradingTerms): BatchForm {
  return { ...withoutEstimate(form), terms };
}

/** Computing each combination twice takes longer, and other rows may be taken over: the estimate is cleared. */
export function setBothFills(form: BatchForm, bothFills: boolean): BatchForm {
  return { ...withoutEstimate(form), bothFills };
}

/**
 * Digits only: others are stripped, and said so. Digits that follow a stripped character belong to the same
 * number (`12.5`), so that the message stays until the number is another one.
 */
export function setSlippage(form: BatchForm, entered: string): BatchForm {
  const digits = entered.replaceAll(/\D/g, '');
  const { slippage: before, slippageError } = form;
  const goesOn = slippageError !== null && digits.length >= before.length && digits.startsWith(before);
  const isRefused = digits !== entered || (goesOn && before !== '');
  return { ...form, slippage: digits, slippageError: isRefused ? SLIPPAGE_ERROR : null };
}

const inputOf = (form: BatchForm, name: string): VariableInput =>
  form.variables[name] ?? { mode: 'list', listIds: [], text: '' };

function withInput(form: BatchForm, name: string, input: VariableInput): BatchForm {
  return { ...withoutEstimate(form), variables: { ...form.variables, [name]: input } };
}

/** Chooses lists for a variable; the same one is never added twice. */
export function setLists(form: BatchForm, name: string, listIds: readonly string[]): BatchForm {
  return withInput(form, name, { ...inputOf(form, name), listIds: [...new Set(listIds)] });
}

export function setText(form: BatchForm, name: string, text: string): BatchForm {
  return withInput(form, name, { ...inputOf(form, name), text });
}

/**
 * To list mode: the text is cleared. To text mode: the values of the chosen lists go into the text box, and
 * the lists are cleared.
 */
export function setMode(
  form: BatchForm,
  name: string,
  mode: VariableInput['mode'],
  lists: readonly VariableList[],
): BatchForm {
  const input = inputOf(form, name);
  if (input.mode === mode) return form;
  return withInput(
    form,
    name,
    mode === 'list'
      ? { mode, listIds: [], text: '' }
      : { mode, listIds: [], text: listValues(input.listIds, lists).join('\n') },
  );
}

function listValues(listIds: readonly string[], lists: readonly VariableList[]): string[] {
  return listIds.flatMap((id) => lists.find((list) => list.id === id)?.variables ?? []);
}

/** The values of one variable as they are sent, and what of the text could not be read. */
export function valuesOf(
  input: VariableInput,
  lists: readonly VariableList[],
): { readonly values: readonly VariableValue[]; readonly problems: readonly ValueProblem[] } {
  if (input.mode === 'text') {
    const { raw, problems } = parseValueText(input.text);
    return { values: raw, problems };
  }
  return { values: listValues(input.listIds, lists), problems: [] };
}

/** Number of distinct values of each variable in order, for the running count. */
export function valueCounts(form: BatchForm, lists: readonly VariableList[]): readonly number[] {
  return Object.values(form.variables).map((input) => distinctValues(valuesOf(input, lists).values).length);
}

export interface FormFaults {
  readonly name?: string;
  readonly template?: string;
  readonly startDate?: string;
  readonly endDate?: string;
  readonly slippage?: string;
  /** By variable name. */
  readonly variables: Readonly<Record<string, string>>;
}

/** Everything that keeps the form from being valid, as sentences at their fields. */
export function formFaults(form: BatchForm, lists: readonly VariableList[]): FormFaults {
  const variables: Record<string, string> = {};
  for (const [name, input] of Object.entries(form.variables)) {
    const { values, problems } = valuesOf(input, lists);
    const [problem] = problems;
    if (problem) variables[name] = `Line ${problem.line}: ${problem.message}`;
    else if (values.length === 0) variables[name] = 'At least one value is needed';
  }
  const isReversed = form.startDate && form.endDate && form.startDate > form.endDate;
  return {
    ...(form.name.trim() === '' && { name: 'A name is required' }),
    ...(!form.template && { template: 'A template is required' }),
    ...(!form.startDate && { startDate: 'Start date is required' }),
    ...(!form.endDate && { endDate: 'End date is required' }),
    ...(isReversed && { startDate: DATE_ORDER_ERROR }),
    ...(form.slippage !== '' && form.slippageError && { slippage: form.slippageError }),
    variables,
  };
}

/** The form with a name: an empty one becomes 'Backtest based on {template name}'. */
export function withDefaultName(form: BatchForm): BatchForm {
  return form.name.trim() === '' && form.template
    ? { ...form, name: `Backtest based on ${form.template.name}` }
    : form;
}

export function isValidForm(form: BatchForm, lists: readonly VariableList[]): boolean {
  const { variables, ...fields } = formFaults(withDefaultName(form), lists);
  return Object.keys(fields).length === 0 && Object.keys(variables).length === 0;
}

/** Create needs a valid form and an estimate above 0 without an error. */
export function canCreate(form: BatchForm, lists: readonly VariableList[]): boolean {
  return isValidForm(form, lists) && form.estimateError === null && (form.estimate?.combinations ?? 0) > 0;
}

/** The body of an estimate; the same with other settings is what creates the batch. */
export function requestOf(
  form: BatchForm,
  lists: readonly VariableList[],
  purpose: 'estimate' | 'create',
): EstimateRequestBody {
  const { template } = form;
  if (!template) throw new Error('A template must be chosen first');
  const slippage = Number(form.slippage || '10');
  return {
    template_bot: {
      ...(template.id && { id: template.id }),
      name: template.name,
      ...(template.type && { type: template.type }),
      variables: [...templateVariables(template)],
      algorithm: template.algorithm,
    },
    variables: Object.fromEntries(
      Object.entries(form.variables).map(([name, input]) => [name, [...valuesOf(input, lists).values]]),
    ),
    partitions: purpose === 'estimate' ? 1 : (form.estimate?.partitions ?? 1) || 1,
    backtest_config: {
      starting_balance: DEFAULT_STARTING_BALANCE,
      start_date: form.startDate,
      end_date: form.endDate,
      slippage_bps: purpose === 'estimate' ? 1 : slippage,
      include: { history: false },
      benchmark_ticker: DEFAULT_BENCHMARK,
      ...termFields(form.terms),
      ...(form.outOfSampleDate && { out_of_sample_date: form.outOfSampleDate }),
      ...(form.bothFills && { both_fills: true }),
    },
    // Estimates are agreed to be asked for with 1 bps; the rows of earlier batches that may be taken over
    // have the batch's own slippage.
    ...(purpose === 'estimate' && { planned_slippage_bps: slippage }),
  };
}
