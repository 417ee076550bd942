/** How the chosen children of a filter share, while it is edited. */
import { DEFAULT_WINDOW, MIN_INVERSE_VOLATILITY_WINDOW } from '@quantloom/domain/strategy/indicator';
import { MAX_WINDOW } from '@quantloom/domain/strategy/indicator-table';
import { percent } from '@quantloom/domain/strategy/node-factory';
import type { FilterWeighting } from '@quantloom/domain/strategy/tree';
import { entryFault, readNumberOrVariable, type ValueEntry } from '../../../lib/number-entry.ts';
import { ambiguousCommaWords } from '../../../lib/number-list.ts';
import { rankPreset } from './rank-preset.ts';
import { weightEntryText } from './weight-entry.ts';

export interface WeightingDraft {
  readonly type: FilterWeighting['type'];
  readonly window: string;
  /** Percentages from the best-ranked on, as typed: `60, 40`. Null: those that suit how many are chosen. */
  readonly weights: string | null;
}

export function weightingDraftOf(stored: FilterWeighting | null | undefined): WeightingDraft {
  return {
    type: stored?.type ?? 'equal',
    window: String(stored?.type === 'inverse-volatility' ? stored.window : DEFAULT_WINDOW),
    weights: stored?.type === 'by-rank' ? stored.weights.map(weightEntryText).join(', ') : null,
  };
}

/**
 * The percentages of a list, each by itself. A semicolon, a percent sign or a space stands between two of
 * them; a comma alone does not, since it is a decimal one just as well.
 */
function entriesOf(entered: string): readonly ValueEntry[] {
  const tokens = entered.replace(/%\s*,?/g, ' ').split(/[;\s]+/);
  const parts = tokens.filter((token) => token !== '' && token !== ',');
  const isSetApartByCommas = parts.some((part) => part.endsWith(','));
  return parts.map((part) => {
    const bare = part.replace(/,$/, '');
    const [whole, ...rest] = bare.split(',');
    if (rest.length > 0 && (rest.length > 1 || parts.length === 1 || isSetApartByCommas || whole === ''))
      return { isRead: false, reason: ambiguousCommaWords(bare) };
    return readNumberOrVariable(bare, { min: 0, max: 100 });
  });
}

/** What is wrong with it in a sentence, or null. */
export function weightingFault(
  { type, window, weights }: WeightingDraft,
  num: number | string,
): string | null {
  if (type === 'inverse-volatility')
    return entryFault(
      readNumberOrVariable(window, { isWhole: true, min: MIN_INVERSE_VOLATILITY_WINDOW, max: MAX_WINDOW }),
    );
  if (type === 'equal') return null;
  const entries = entriesOf(weights ?? rankPreset(num));
  if (entries.length === 0) return 'Enter a percentage for each rank, such as 60, 40';
  const wrong = entries.map(entryFault).find((fault) => fault !== null);
  if (wrong) return wrong;
  const sum = sumOf(entries);
  return sum > 100 + 1e-7 ? `The percentages add up to ${short(sum)}%: at most 100%` : null;
}

/** A variable counts as nothing: it may be 0. */
const sumOf = (entries: readonly ValueEntry[]): number =>
  entries.reduce((total, entry) => total + (entry.isRead ? Number(entry.value) || 0 : 0), 0);

const short = (value: number): number => Number(value.toFixed(6));

/**
 * What percentages by rank leave in cash, give nothing, or never reach, in sentences; null where all of it is
 * shared out.
 */
export function rankNotice({ type, weights }: WeightingDraft, num: number | string): string | null {
  const chosen = Number(num);
  if (type !== 'by-rank' || !Number.isInteger(chosen) || chosen < 1) return null;
  const entries = entriesOf(weights ?? rankPreset(num));
  if (entries.length === 0 || entries.some((entry) => !entry.isRead || typeof entry.value === 'string'))
    return null;
  const cash = short(100 - sumOf(entries.slice(0, chosen)));
  const notices = [
    ...(entries.length > chosen
      ? [
          `Only ${chosen} of the ${entries.length} percentages count${chosen === 1 ? 's' : ''}, ` +
            `since ${chosen} ${chosen === 1 ? 'is' : 'are'} chosen`,
        ]
      : []),
    ...(entries.length < chosen
      ? [
          entries.length + 1 === chosen
            ? `Rank ${chosen} gets nothing`
            : `Ranks ${entries.length + 1} to ${chosen} get nothing`,
        ]
      : []),
    ...(cash > 0 ? [`${cash}% stays in cash`] : []),
  ];
  return notices.length === 0 ? null : `${notices.join('. ')}.`;
}

/** What a draft without a fault is stored as; null: equally. */
export function weightingOf(
  { type, window, weights }: WeightingDraft,
  num: number | string,
): FilterWeighting | null {
  if (type === 'equal') return null;
  if (type === 'by-rank')
    return {
      type,
      weights: entriesOf(weights ?? rankPreset(num)).map((entry) => percent(entry.isRead ? entry.value : 0)),
    };
  const entry = readNumberOrVariable(window);
  return { type, window: entry.isRead ? entry.value : DEFAULT_WINDOW };
}
