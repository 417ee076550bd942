import { INDICATORS } from '../../strategy/indicator.ts';
import type { FilterNode } from '../../strategy/tree.ts';
import { sourceWords } from '../source-words.ts';
import type { TreeWriter } from '../tree-writer.ts';
import type { ReadFunction } from './functions.ts';

/** `sort` and `select` of a filter; a function that cannot be expressed leaves a window that cannot run. */
export function sortAndSelect(
  writer: TreeWriter,
  { fn, params }: ReadFunction,
  given: unknown,
  count: unknown,
  path: string,
  id: string,
): Pick<FilterNode, 'sort' | 'select'> {
  const direction = typeof given === 'string' ? given.trim().toLowerCase() : given;
  if (direction !== 'top' && direction !== 'bottom')
    writer.tell('guessed', path, `selects ${sourceWords(given)}`, 'top', 'Which blocks are chosen', id);
  const num = writer.number(count, 'number of chosen blocks', path, id);
  if (num === null)
    writer.tell(
      'guessed',
      path,
      `selects ${sourceWords(count)} blocks`,
      '1',
      'How many blocks are chosen',
      id,
    );
  return {
    sort: sortOf(writer, { fn, params }, path, id),
    select: { fn: direction === 'bottom' ? 'bottom' : 'top', num: num ?? 1 },
  };
}

/** Without a function or its window the filter must not run: nothing stands in for them. */
function sortOf(
  writer: TreeWriter,
  { fn, params }: ReadFunction,
  path: string,
  id: string,
): FilterNode['sort'] {
  const unset = { fn: 'relative-strength-index', params: { window: '' } } as const;
  if (fn === null) return unset;
  if (fn === 'correlation' || fn === 'beta') {
    const said = `sorts by ${fn} ${sourceWords(params)}`;
    writer.tell('lost', path, said, 'no function', 'A filter cannot sort by two series', id);
    return unset;
  }
  const needsWindow = INDICATORS[fn].usesWindow && params.window === undefined;
  return { fn, params: needsWindow ? { ...params, window: '' } : params };
}
