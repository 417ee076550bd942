import type { DraftRow } from '../../lib/resources.ts';
import { ConfirmDialog } from '../../ui/Dialog.tsx';
import { deleteDraft } from './actions.ts';

/** Asks before a draft is deleted. */
export function DeleteDialog({
  draft,
  open,
  onOpenChange,
}: {
  draft: DraftRow;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}) {
  return (
    <ConfirmDialog
      open={open}
      onOpenChange={onOpenChange}
      title="Confirm Deletion"
      onConfirm={() => deleteDraft(draft)}
    >
      <b className="font-medium text-ink">{draft.name}</b> will be deleted. You can undo it for a moment
      afterwards.
    </ConfirmDialog>
  );
}
