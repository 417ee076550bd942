import type { Algorithm, BlockNode } from '@quantloom/domain/strategy/tree';
import { FileUp, Keyboard, LayoutTemplate, LineChart } from 'lucide-react';
import { useState } from 'react';
import { Button, ButtonLink } from '../../../ui/Button.tsx';
import { useEditorTools } from '../model/editor-context.ts';
import { useEditorState } from '../model/editor-store.ts';
import { useAdding } from '../tree/AddBlockMenu.tsx';
import { ImportWindow } from './ImportWindow.tsx';

/** The ways into a strategy that holds nothing yet, below its tree; nothing once there is a block. */
export function StartHere() {
  const { store, isEditable } = useEditorTools();
  const emptyId = useEditorState(store, ({ history }) => onlyEmptyBlock(history.present.algorithm));
  const [isImporting, setImporting] = useState(false);
  return (
    <>
      {isEditable && emptyId !== null && <Ways emptyId={emptyId} onImport={() => setImporting(true)} />}
      {isImporting && <ImportWindow onClose={() => setImporting(false)} />}
    </>
  );
}

function Ways({ emptyId, onImport }: { emptyId: string; onImport: () => void }) {
  const { pickAsset, type } = useAdding({ emptyId });
  return (
    <section aria-label="Ways to start" className="rounded border border-dashed border-line p-4 text-sm">
      <h2 className="font-medium">Start here</h2>
      <p className="mt-0.5 max-w-prose text-muted">
        A strategy is a tree of blocks: what to hold, how much of it, and when. Type it in a line, such as{' '}
        <code className="text-ink">if RSI(QQQ, 10) &gt; 79 then TLT else QQQ</code>, or begin with one asset.
      </p>
      <div className="mt-3 flex flex-wrap gap-2">
        <Button icon={Keyboard} onClick={type}>
          Type it
        </Button>
        <Button icon={LineChart} onClick={pickAsset}>
          Choose an asset
        </Button>
        <Button icon={FileUp} onClick={onImport}>
          Import a file
        </Button>
        <ButtonLink icon={LayoutTemplate} to="/starters">
          See examples
        </ButtonLink>
      </div>
    </section>
  );
}

/** The id of the empty block of a strategy that holds nothing else, as a new one does. */
function onlyEmptyBlock({ children }: Algorithm): string | null {
  const [first, ...others] = children;
  if (!first || others.length > 0) return null;
  return emptyWithin(first);
}

function emptyWithin(node: BlockNode): string | null {
  if (node.node_type === 'empty') return node.id;
  const [only, ...others] = node.node_type === 'wt-cash-equal' ? node.children : [];
  return only && others.length === 0 && only.node_type === 'empty' ? only.id : null;
}
