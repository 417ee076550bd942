/**
 * Values to try for variables that were just made of a strategy's numbers, or that came with a starter: on
 * their way to the batch form of the same tab. Losing them loses suggestions alone.
 */
const KEY = 'suggested-values';

/** By the variable's name with its `$`, one value a line. */
export type SuggestedTexts = Readonly<Record<string, string>>;

export function rememberSuggested(texts: SuggestedTexts): void {
  try {
    sessionStorage.setItem(KEY, JSON.stringify({ ...suggestedTexts(), ...texts }));
  } catch {
    // A full or forbidden storage: the batch form begins empty, as it does without suggestions.
  }
}

export function suggestedTexts(): SuggestedTexts {
  try {
    const stored: unknown = JSON.parse(sessionStorage.getItem(KEY) ?? '{}');
    return typeof stored === 'object' && stored !== null ? (stored as SuggestedTexts) : {};
  } catch {
    return {};
  }
}
