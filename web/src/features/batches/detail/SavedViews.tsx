import type { ResultViewAnswer } from '@quantloom/domain/contracts/http/result-views';
import { LONGEST_VIEW_NAME, type ViewContent } from '@quantloom/domain/result-views/view-content';
import { useQuery } from '@tanstack/react-query';
import { Link2, Pencil, Star, X } from 'lucide-react';
import { useState } from 'react';
import { messageOf } from '../../../lib/api.ts';
import { Button, IconButton } from '../../../ui/Button.tsx';
import { Select } from '../../../ui/Select.tsx';
import { TextField } from '../../../ui/text-inputs.tsx';
import { toast } from '../../../ui/toast.tsx';
import { addressOf, PICTURE_NAMES, viewOfDesk } from '../model/desk.ts';
import { changeView, deleteView, resultViewsQuery, saveView } from '../model/result-views.ts';
import { COMBINATION } from '../model/results.ts';

const PICTURES = Object.entries(PICTURE_NAMES).map(([value, label]) => ({
  value: value as ViewContent['picture'],
  label,
}));
const sameName = (a: string, b: string) => a.toLowerCase() === b.toLowerCase();

/** The views of the account: shown, made, renamed, chosen as the one that batches open with, and deleted. */
export function SavedViews({
  desk,
  available,
  onApply,
}: {
  desk: ViewContent;
  available: readonly string[];
  onApply: (view: ViewContent, name: string) => void;
}) {
  const { data: views = [], error } = useQuery(resultViewsQuery);
  const [name, setName] = useState('');
  const [picture, setPicture] = useState(desk.picture);
  const [problem, setProblem] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const wanted = name.trim();
  const known = views.find((view) => sameName(view.name, wanted));
  const act = async (what: () => Promise<unknown>) => {
    setBusy(true);
    setProblem(null);
    try {
      await what();
      return true;
    } catch (failure) {
      setProblem(messageOf(failure));
      return false;
    } finally {
      setBusy(false);
    }
  };
  const save = async () => {
    const content = { ...viewOfDesk(desk, available), picture };
    if (await act(() => saveView(wanted, content, known?.id))) {
      toast.success(`The view “${wanted}” is saved`);
      setName('');
    }
  };
  const copyLink = async () => {
    const url = new URL(window.location.href);
    url.search = addressOf(desk).toString();
    try {
      await navigator.clipboard.writeText(url.href);
      toast.success('The link is copied: it shows the batch as you see it');
    } catch {
      toast.error('The browser did not let the link be copied; it stands in the address bar');
    }
  };
  return (
    <section aria-label="Views" className="mt-3 border-t border-line pt-2">
      {error && <p className="text-sm text-danger">The saved views could not be loaded.</p>}
      {views.length > 0 && (
        <ul aria-label="Saved views" className="flex flex-col gap-1 pb-2">
          {views.map((view) => (
            <SavedView key={view.id} view={view} onApply={() => onApply(view, view.name)} act={act} />
          ))}
        </ul>
      )}
      {problem && (
        <p role="alert" className="pb-2 text-sm text-danger">
          {problem}
        </p>
      )}
      <form
        className="flex flex-col gap-2"
        onSubmit={(event) => {
          event.preventDefault();
          if (wanted !== '') void save();
        }}
      >
        <TextField
          label="Save as view"
          hint="Columns, order and filters, for any batch."
          maxLength={LONGEST_VIEW_NAME}
          value={name}
          onChange={setName}
        />
        <Select label="Opens with" options={PICTURES} value={picture} onChange={setPicture} />
        {desk.filters.some(({ column }) => column === COMBINATION) && (
          <p className="text-sm text-muted">
            The filter on single rows belongs to this batch and is not kept.
          </p>
        )}
        <div className="flex flex-wrap justify-between gap-2">
          <Button size="sm" icon={Link2} onClick={() => void copyLink()}>
            Copy link
          </Button>
          <Button size="sm" type="submit" variant="primary" isBusy={isBusy} disabled={wanted === ''}>
            {known ? 'Replace' : 'Save'}
          </Button>
        </div>
      </form>
    </section>
  );
}

function SavedView({
  view,
  onApply,
  act,
}: {
  view: ResultViewAnswer;
  onApply: () => void;
  act: (what: () => Promise<unknown>) => Promise<boolean>;
}) {
  const [renamed, setRenamed] = useState<string | null>(null);
  if (renamed !== null)
    return (
      <li>
        <form
          className="flex items-end gap-2"
          onSubmit={(event) => {
            event.preventDefault();
            void act(() => changeView(view.id, { name: renamed })).then(
              (isDone) => isDone && setRenamed(null),
            );
          }}
        >
          <TextField
            label={`New name of ${view.name}`}
            isLabelHidden
            className="min-w-0 flex-1"
            autoFocus
            maxLength={LONGEST_VIEW_NAME}
            value={renamed}
            onChange={setRenamed}
          />
          <Button size="sm" type="submit" disabled={renamed.trim() === ''}>
            Rename
          </Button>
          <IconButton icon={X} size="sm" label="Keep the name" onClick={() => setRenamed(null)} />
        </form>
      </li>
    );
  return (
    <li className="flex items-center gap-1">
      <button
        type="button"
        className="min-h-6 min-w-0 flex-1 truncate text-left text-sm hover:underline"
        title={view.name}
        onClick={onApply}
      >
        {view.name}
      </button>
      <IconButton
        icon={Star}
        size="sm"
        isActive={view.is_default}
        aria-pressed={view.is_default}
        label={`Open batches with ${view.name}`}
        onClick={() => void act(() => changeView(view.id, { is_default: !view.is_default }))}
      />
      <IconButton
        icon={Pencil}
        size="sm"
        label={`Rename ${view.name}`}
        onClick={() => setRenamed(view.name)}
      />
      <IconButton
        icon={X}
        size="sm"
        label={`Delete the view ${view.name}`}
        onClick={() => void act(() => deleteView(view.id))}
      />
    </li>
  );
}
