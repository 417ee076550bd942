import type { VariableList } from '../contracts/http/variable-lists.ts';
import { cleanTickers } from './tickers.ts';
import type { VariableListState } from './variable-list.ts';

/**
 * A list as the API shows it, at a revision of its stream. Throws for a stream without a list, which no command leaves.
 *
 * @param lines what the caller sent, to tell which of it was left out
 */
export function variableListOf(
  { state, revision }: { readonly state: VariableListState; readonly revision: number },
  lines: readonly string[] = [],
): VariableList {
  if (state.status === 'none') throw new Error('There is no variable list in this stream');
  const { dropped, changed } = cleanTickers(lines);
  return {
    id: state.listId,
    name: state.name,
    is_public: state.isPublic,
    user_id: state.ownerId,
    variables: [...state.variables],
    created_at: state.createdAt,
    updated_at: state.updatedAt,
    revision,
    ...(dropped.length > 0 && { dropped: [...dropped] }),
    ...(changed.length > 0 && { changed: changed.map((one) => ({ ...one })) }),
  };
}
