import { withoutIdleBlocks } from '@quantloom/domain/strategy/idle-blocks';
import type { Algorithm, TreeNode } from '@quantloom/domain/strategy/tree';
import { nodesOf } from '@quantloom/domain/strategy/tree-walk';
import { useMemo } from 'react';
import { formatCount, plural } from '../../../lib/format.ts';
import { Button } from '../../../ui/Button.tsx';
import { toast } from '../../../ui/toast.tsx';
import { type EditorStore, useEditorState } from '../model/editor-store.ts';
import { blockWords, conditionWords } from '../model/words.ts';

/** Lines of the preview. */
const SHOWN = 200;

/** What can never be reached or changes nothing, before it is taken out. */
export function IdleTab({ store, onClose }: { store: EditorStore; onClose: () => void }) {
  const algorithm = useEditorState(store, ({ history }) => history.present.algorithm);
  const { algorithm: swept, idle } = useMemo(() => withoutIdleBlocks(algorithm), [algorithm]);
  const words = useMemo(() => wordsById(algorithm, new Set(idle.map(({ id }) => id))), [algorithm, idle]);
  const fewer = sizeOf(algorithm) - sizeOf(swept);
  if (idle.length === 0)
    return (
      <p className="text-sm text-muted">
        Every block can be reached and plays a part: there is nothing to take out.
      </p>
    );
  const remove = () => {
    store.edit(
      `Take out ${plural(fewer, 'block')} without effect`,
      (tree) => withoutIdleBlocks(tree).algorithm,
    );
    toast.success(`${plural(fewer, 'block')} taken out`);
    onClose();
  };
  return (
    <div className="flex flex-col gap-3">
      <p className="text-sm">
        The decision of every day stays the same. With fewer indicators the strategy may begin earlier.
      </p>
      <ul
        className="flex max-h-[45dvh] flex-col divide-y divide-line overflow-auto"
        aria-label="What would be taken out"
      >
        {idle.slice(0, SHOWN).map(({ id, reason, blocks }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: one block may stand here for two reasons.
          <li key={index} className="flex flex-wrap items-center gap-x-2 py-1.5 text-sm">
            <span className="min-w-0 break-words font-medium">{words.get(id) ?? 'A block'}</span>
            <span className="text-muted">
              {reason} ({plural(blocks, 'block')})
            </span>
            <Button
              variant="link"
              size="sm"
              onClick={() => {
                onClose();
                store.reveal(id);
              }}
            >
              Show the block
            </Button>
          </li>
        ))}
      </ul>
      {idle.length > SHOWN && (
        <p className="text-sm text-muted">And {formatCount(idle.length - SHOWN)} more.</p>
      )}
      <div className="flex justify-end border-t border-line pt-3">
        <Button variant="primary" onClick={remove}>
          Take out {plural(fewer, 'block')}
        </Button>
      </div>
    </div>
  );
}

function wordsById(algorithm: Algorithm, ids: ReadonlySet<string>): ReadonlyMap<string, string> {
  const words = new Map<string, string>();
  for (const { node } of nodesOf(algorithm)) {
    if (!ids.has(node.id)) continue;
    const isCondition = node.node_type === 'condition' || node.node_type === 'condition-group';
    words.set(node.id, isCondition ? conditionWords(node) : wordsOf(node));
  }
  return words;
}

/** An if by its conditions: there may be many of them. */
function wordsOf(node: TreeNode): string {
  if (node.node_type !== 'if-then-else') return blockWords(node);
  const joint = node.condition_type === 'allOf' ? ' and ' : ' or ';
  return `If ${node.conditions.map(conditionWords).join(joint)}`;
}

const sizeOf = (algorithm: Algorithm): number => [...nodesOf(algorithm)].length;
