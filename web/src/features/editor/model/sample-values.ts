import type { Algorithm } from '@quantloom/domain/strategy/tree';
import { bindVariables, type TemplateVariable } from '@quantloom/domain/strategy/variables';
import { readNumber } from '../../../lib/number-entry.ts';
import type { SuggestedTexts } from '../../../lib/suggested-values.ts';

/** One value for each variable of a template, as text by the variable's name. */
export type SampleTexts = Readonly<Record<string, string>>;

/** The first of the values that were suggested for each variable; otherwise what its places usually hold. */
export function firstSamples(variables: readonly TemplateVariable[], suggested: SuggestedTexts): SampleTexts {
  return Object.fromEntries(
    variables.map(({ name, kinds }) => {
      const [first = ''] = (suggested[name] ?? '').split(/[\n,;]/).map((value) => value.trim());
      return [name, first !== '' ? first : kinds.includes('number') ? '10' : 'SPY'];
    }),
  );
}

/** Why a text is no value of a variable; null where it is one. Whether there is such a ticker is for the run to say. */
export function sampleFault({ kinds }: TemplateVariable, text: string): string | null {
  const value = text.trim();
  if (kinds.includes('ticker'))
    return value === '' || /[\s$/]/.test(value) ? 'Enter one ticker, such as SPY' : null;
  const entry = readNumber(value);
  return entry.isRead ? null : entry.reason;
}

/** The template with one value in the place of each variable, and the words that say so beside its result. */
export function withSamples(
  algorithm: Algorithm,
  variables: readonly TemplateVariable[],
  texts: SampleTexts,
): { readonly algorithm: Algorithm; readonly label: string } {
  const values = new Map(
    variables.map(({ name, kinds }) => {
      const text = (texts[name] ?? '').trim();
      const entry = readNumber(text);
      return [name, kinds.includes('ticker') || !entry.isRead ? text.toUpperCase() : entry.value] as const;
    }),
  );
  const named = [...values].map(([name, value]) => `${name} = ${value}`);
  const shown = named.length > MOST_NAMED ? [...named.slice(0, MOST_NAMED), '…'] : named;
  return {
    algorithm: bindVariables(algorithm, values),
    label: `the template with the sample values ${shown.join(', ')}`,
  };
}

/** More would fill the line above the chart. */
const MOST_NAMED = 6;
