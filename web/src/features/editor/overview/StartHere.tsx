import type { Algorithm, BlockNode } from '@quantloom/domain/strategy/tree';
import { useState } from 'react';
import { FetchedInPlace, fetchedPart } from '../../../ui/fetched.tsx';
import { useEditorTools } from '../model/editor-context.ts';
import { useEditorState } from '../model/editor-store.ts';
import { useAdding } from '../tree/AddBlockMenu.tsx';
import { ImportWindow } from './ImportWindow.tsx';

// A saved strategy seldom needs it.
const ways = fetchedPart(async () => (await import('./WaysToStart.tsx')).WaysToStart);

/** The ways into a strategy that holds nothing yet, below its tree; nothing once there is a block. */
export function StartHere() {
  const { store, isEditable } = useEditorTools();
  const emptyId = useEditorState(store, ({ history }) => onlyEmptyBlock(history.present.algorithm));
  const { type, pickAsset } = useAdding({ emptyId: emptyId ?? '' });
  const [isImporting, setImporting] = useState(false);
  return (
    <>
      {isEditable && emptyId !== null && (
        <FetchedInPlace
          part={ways}
          props={{ onType: type, onPickAsset: pickAsset, onImport: () => setImporting(true) }}
          what="The ways to start"
          fallback={null}
        />
      )}
      {isImporting && <ImportWindow onClose={() => setImporting(false)} />}
    </>
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
