import { type Refusal, refuse } from '../kernel/refusal.ts';

export const MAX_TAGS = 20;
export const MAX_TAG_LENGTH = 40;

/**
 * The tags of a strategy as they are kept: without space around them, each once whatever its case, in the order given.
 *
 * @returns the refusal (422) of too many, of empty or long ones, and of commas, which separate them where
 *   they are typed
 */
export function readTags(tags: readonly string[]): readonly string[] | Refusal {
  const kept = new Map<string, string>();
  for (const tag of tags) {
    const trimmed = tag.trim().replaceAll(/\s+/g, ' ');
    if (trimmed === '') return refuseTags('A tag needs at least one letter.');
    if (trimmed.length > MAX_TAG_LENGTH)
      return refuseTags(`A tag may have at most ${MAX_TAG_LENGTH} characters.`);
    if (trimmed.includes(',')) return refuseTags('A tag holds no comma: it separates tags.');
    const key = trimmed.toLowerCase();
    if (!kept.has(key)) kept.set(key, trimmed);
  }
  if (kept.size > MAX_TAGS) return refuseTags(`A strategy may have at most ${MAX_TAGS} tags.`);
  return [...kept.values()];
}

const refuseTags = (sentence: string): Refusal => refuse(422, 'invalid_tags', sentence);
