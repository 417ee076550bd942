import type { DraftRow } from '../../lib/resources.ts';

export interface DraftFilter {
  readonly search: string;
  readonly type: 'all' | 'bot' | 'template';
  readonly visibility: 'all' | 'public' | 'private';
  readonly onlyFavorites: boolean;
}

export const NO_FILTER: DraftFilter = { search: '', type: 'all', visibility: 'all', onlyFavorites: false };

/** The drafts that match every part of the filter. Words of the search may stand anywhere in the name, in any order. */
export function filterDrafts(
  drafts: readonly DraftRow[],
  filter: DraftFilter,
  favorites: readonly string[],
): readonly DraftRow[] {
  const words = filter.search.toLowerCase().split(/\s+/).filter(Boolean);
  return drafts.filter((draft) => {
    const name = draft.name.toLowerCase();
    return (
      words.every((word) => name.includes(word)) &&
      (filter.type === 'all' || draft.type === filter.type) &&
      (filter.visibility === 'all' || draft.is_public === (filter.visibility === 'public')) &&
      (!filter.onlyFavorites || favorites.includes(draft.id))
    );
  });
}
