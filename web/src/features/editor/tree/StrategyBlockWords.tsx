import { blockFault, isCopyOf, updateStrategyBlock } from '@quantloom/domain/strategy/strategy-block';
import type { GroupNode, StrategySource } from '@quantloom/domain/strategy/tree';
import { Button } from '../../../ui/Button.tsx';
import { toast } from '../../../ui/toast.tsx';
import { useEditorTools } from '../model/editor-context.ts';
import { useSourceNow } from '../model/strategy-blocks.ts';

/** The line of a saved strategy in this one: its name, its pinned revision, and the way to a newer one. */
export function StrategyBlockWords({ node, source }: { node: GroupNode; source: StrategySource }) {
  const { store, newId, strategyId, isEditable } = useEditorTools();
  const now = useSourceNow(source);
  // Tags, the archive and being public are revisions too, and no reason to take anything.
  const newer =
    now.data && now.data.revision > source.revision && !isCopyOf(node, now.data) ? now.data : null;
  const update = () => {
    if (!newer) return;
    const refused = blockFault(newer, strategyId());
    if (refused !== null) {
      toast.error(refused);
      return;
    }
    store.edit(`Take revision ${newer.revision} of “${newer.name}”`, (tree) =>
      updateStrategyBlock(tree, node.id, newer, newId),
    );
  };
  return (
    <>
      <span className="shrink-0 text-sm text-muted">Strategy</span>
      <a
        href={`/editor/${source.strategy_id}`}
        target="_blank"
        rel="noreferrer"
        title="Open it in a new tab"
        className="min-w-0 truncate rounded-sm font-medium underline decoration-dotted underline-offset-4 hover:bg-hover"
      >
        {node.name}
      </a>
      <span className="num shrink-0 text-sm text-muted">revision {source.revision}</span>
      {now.data === null && <span className="truncate text-sm text-muted">kept, its source is gone</span>}
      {newer && isEditable && (
        <Button size="sm" onClick={update}>
          Take revision {newer.revision}
        </Button>
      )}
    </>
  );
}
