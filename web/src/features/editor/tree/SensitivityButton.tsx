import { Activity } from 'lucide-react';
import { IconButton } from '../../../ui/Button.tsx';
import { FetchedPopup, fetchedPart } from '../../../ui/fetched.tsx';
import type { Row } from '../model/rows.ts';

const strip = fetchedPart(async () => (await import('./SensitivityPopover.tsx')).SensitivityPopover);

/** Whether a line may hold a number of its own; only asked of lines that are near. */
export function hasNumbers(row: Row): boolean {
  if (row.kind === 'condition') return true;
  if (row.kind !== 'block') return false;
  const { node, parent } = row;
  if (node.node_type === 'root') return node.rebalance === 'corridor';
  return (
    node.node_type === 'filter' ||
    node.node_type === 'wt-inverse-volatility' ||
    (parent?.node_type === 'wt-cash-specified' && node.node_type !== 'empty')
  );
}

/** Opens the strip that shows how much depends on the numbers of a line. */
export function SensitivityButton({ nodeId }: { nodeId: string }) {
  return (
    <FetchedPopup
      part={strip}
      props={{
        nodeId,
        trigger: (
          <IconButton
            icon={Activity}
            label="How much depends on its numbers"
            size="sm"
            tabIndex={-1}
            data-sensitivity
            className="self-center"
          />
        ),
      }}
    />
  );
}
