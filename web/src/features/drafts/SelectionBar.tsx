import { Archive, Bell, CheckCheck, Download, RefreshCw, Tag, Trash2, X } from 'lucide-react';
import { useState } from 'react';
import type { DraftRow } from '../../lib/resources.ts';
import { Button } from '../../ui/Button.tsx';
import { ConfirmDialog, Dialog } from '../../ui/Dialog.tsx';
import { TextField } from '../../ui/text-inputs.tsx';
import { focusLastRow } from './chosen-focus.ts';
import { archiveAll, deleteAll, exportAll, followAll, runAll, tagAll } from './several.ts';

/** What can be done with the chosen strategies. */
export default function SelectionBar({
  rows,
  isArchive,
  total,
  follows,
  onChooseAll,
  onDone,
}: {
  rows: readonly DraftRow[];
  /** The archive is shown: what is chosen can be taken out of it. */
  isArchive: boolean;
  /** How many match the filters: as many can be chosen. */
  total: number;
  /** Ids of the strategies that are followed; null while they are not known. */
  follows: ReadonlySet<string> | null;
  onChooseAll: () => Promise<void>;
  onDone: () => void;
}) {
  const [isBusy, setBusy] = useState(false);
  const [isTagging, setTagging] = useState(false);
  const [isDeleting, setDeleting] = useState(false);
  const [isFollowing, setFollowing] = useState(false);
  const act = async (work: Promise<void>) => {
    setBusy(true);
    await work;
    setBusy(false);
    onDone();
  };
  const count = rows.length.toLocaleString('en-US');
  return (
    <div
      role="toolbar"
      aria-label="Chosen strategies"
      data-chosen-bar
      onKeyDown={(event) => {
        // Its dialogs hear their Escape themselves.
        if (event.key !== 'Escape' || !event.currentTarget.contains(event.target as Node)) return;
        event.preventDefault();
        focusLastRow();
      }}
      // Who has chosen far down the list need not go back to its top; on a phone one line, which scrolls.
      className="sticky top-(--topbar) z-10 flex flex-wrap items-center gap-2 rounded border border-line bg-surface px-3 py-2 max-sm:flex-nowrap max-sm:overflow-x-auto"
    >
      <span role="status" className="shrink-0 font-medium">
        {count} chosen
      </span>
      <Button icon={X} variant="ghost" onClick={onDone}>
        Choose none
      </Button>
      {rows.length < total && (
        <Button
          icon={CheckCheck}
          disabled={isBusy}
          onClick={() => {
            setBusy(true);
            void onChooseAll().finally(() => setBusy(false));
          }}
        >
          Choose all {total.toLocaleString('en-US')}
        </Button>
      )}
      <Button icon={Tag} disabled={isBusy} onClick={() => setTagging(true)}>
        Tag…
      </Button>
      <Button icon={Archive} isBusy={isBusy} onClick={() => void act(archiveAll(rows, !isArchive))}>
        {isArchive ? 'Take out' : 'Archive'}
      </Button>
      <Button icon={RefreshCw} disabled={isBusy} onClick={() => void act(runAll(rows))}>
        Run again
      </Button>
      {!isArchive && (
        <Button icon={Bell} disabled={isBusy || !follows} onClick={() => setFollowing(true)}>
          Follow…
        </Button>
      )}
      <Button icon={Download} disabled={isBusy} onClick={() => void act(exportAll(rows))}>
        Export
      </Button>
      <Button icon={Trash2} disabled={isBusy} onClick={() => setDeleting(true)}>
        Delete
      </Button>
      <TagDialog
        rows={rows}
        open={isTagging}
        onOpenChange={setTagging}
        onTag={(change) => void act(tagAll(rows, change))}
      />
      <ConfirmDialog
        open={isFollowing}
        onOpenChange={setFollowing}
        title={rows.length === 1 ? 'Follow this strategy' : 'Follow these strategies'}
        confirmLabel="Follow"
        cancelLabel="Not now"
        isDangerous={false}
        onConfirm={() => act(followAll(rows, follows ?? new Set()))}
      >
        From the next trading day on, what{' '}
        <b className="font-medium text-ink">{rows.length === 1 ? rows[0]?.name : `each of these ${count}`}</b>{' '}
        decides at night is recorded, as it is saved then. A decision cannot be changed or dated back later.
      </ConfirmDialog>
      <ConfirmDialog
        open={isDeleting}
        onOpenChange={setDeleting}
        title="Confirm Deletion"
        onConfirm={() => act(deleteAll(rows))}
      >
        <b className="font-medium text-ink">{rows.length === 1 ? rows[0]?.name : `${count} strategies`}</b>{' '}
        will be deleted. You can undo it for a moment afterwards.
      </ConfirmDialog>
    </div>
  );
}

const readTagList = (text: string) => [
  ...new Set(
    text
      .split(',')
      .map((tag) => tag.trim())
      .filter(Boolean),
  ),
];

function TagDialog({
  rows,
  open,
  onOpenChange,
  onTag,
}: {
  rows: readonly DraftRow[];
  open: boolean;
  onOpenChange: (open: boolean) => void;
  onTag: (change: { add: readonly string[]; remove: readonly string[] }) => void;
}) {
  const [add, setAdd] = useState('');
  const [remove, setRemove] = useState('');
  const present = [...new Set(rows.flatMap(({ tags }) => tags))].sort();
  const change = { add: readTagList(add), remove: readTagList(remove) };
  const submit = () => {
    onOpenChange(false);
    onTag(change);
    setAdd('');
    setRemove('');
  };
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={`Tag ${rows.length === 1 ? rows[0]?.name : `${rows.length} strategies`}`}
      size="sm"
    >
      <form
        className="flex flex-col gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <TextField
          label="Add tags"
          hint="Separated by commas, for instance: trend, long term"
          value={add}
          onChange={setAdd}
        />
        <TextField
          label="Remove tags"
          {...(present.length > 0 && { hint: `Now: ${present.join(', ')}` })}
          value={remove}
          onChange={setRemove}
        />
        <div className="flex justify-end">
          <Button type="submit" variant="primary" disabled={change.add.length + change.remove.length === 0}>
            Save tags
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
