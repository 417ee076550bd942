import type { VariableList } from '@quantloom/domain/contracts/http/variable-lists';
import {
  cleanTickers,
  linesOfFile,
  MAX_TEXT_CHARACTERS,
  TICKER_HINT,
} from '@quantloom/domain/variable-list/tickers';
import { useQuery } from '@tanstack/react-query';
import { Upload } from 'lucide-react';
import { useMemo, useRef, useState } from 'react';
import { Navigate, useNavigate, useParams } from 'react-router';
import { messageOf, statusOf } from '../../lib/api.ts';
import { formatCount, plural } from '../../lib/format.ts';
import { useTitle } from '../../lib/title.ts';
import { Button, ButtonLink } from '../../ui/Button.tsx';
import { ConfirmDialog } from '../../ui/Dialog.tsx';
import { Notice } from '../../ui/feedback.tsx';
import { Page } from '../../ui/Page.tsx';
import { LoadingPane } from '../../ui/Spinner.tsx';
import { Switch } from '../../ui/Switch.tsx';
import { tellFailure } from '../../ui/tell-failure.ts';
import { Textarea, TextField } from '../../ui/text-inputs.tsx';
import { toast } from '../../ui/toast.tsx';
import { NotFoundView } from '../../ui/views.tsx';
import { listQuery, removeList, restoreList, saveList } from './variable-list-api.ts';

const tooLong = (what: string) =>
  `${what} is longer than ${formatCount(MAX_TEXT_CHARACTERS)} characters, which is more than any list can hold.`;

/** Creates (id `new`) or edits a variable list. */
export default function VariableListEditorPage() {
  const { id = 'new' } = useParams();
  const isNew = id === 'new';
  const list = useQuery({ ...listQuery(id), enabled: !isNew });
  useTitle(isNew ? 'Create New Variable List' : 'Edit Variable List');
  if (isNew) return <ListForm key="new" id="new" list={null} />;
  if (statusOf(list.error) === 404)
    return (
      <NotFoundView
        title="Variable List Not Found"
        message="The variable list you are looking for cannot be found."
      >
        <ButtonLink to="/variable-lists">Back to variable lists</ButtonLink>
        <ButtonLink to="/variable-lists/new/edit">Create new variable list</ButtonLink>
      </NotFoundView>
    );
  // A later look that fails takes nothing away of what is typed.
  if (list.isError && !list.data) return <Navigate to="/variable-lists" replace />;
  if (!list.data) return <LoadingPane label="Loading variable list" />;
  return <ListForm key={list.data.id} id={id} list={list.data} />;
}

function ListForm({ id, list }: { id: string; list: VariableList | null }) {
  const navigate = useNavigate();
  // What is typed began with it: one that is read later may hold what somebody else has changed.
  const [revision] = useState(list?.revision ?? null);
  const [name, setName] = useState(list?.name ?? '');
  const [isPublic, setPublic] = useState(list?.is_public ?? false);
  const [text, setText] = useState(list?.variables.join('\n') ?? '');
  const [isSaving, setSaving] = useState(false);
  const [isDeleting, setDeleting] = useState(false);
  const [wasTried, setTried] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const file = useRef<HTMLInputElement>(null);
  const { tickers, dropped, changed } = useMemo(() => cleanTickers(text.split('\n')), [text]);
  const [isAsking, setAsking] = useState(false);
  const submit = () => {
    setTried(true);
    if (name.trim() === '' || tickers.length === 0) return;
    // What is stored differs from what was written: said before, not found out later.
    if (changed.length > 0) setAsking(true);
    else void save();
  };
  const write = (next: string) => {
    if (next.length > MAX_TEXT_CHARACTERS) setFailure(tooLong('The text'));
    else setText(next);
  };
  const save = async () => {
    setSaving(true);
    setFailure(null);
    try {
      await saveList(id, { name: name.trim(), is_public: isPublic, variables: tickers }, revision);
      await navigate('/variable-lists');
    } catch (error) {
      console.error('The variable list could not be saved', error);
      setFailure(messageOf(error));
    } finally {
      setSaving(false);
    }
  };
  const upload = async (chosen: File) => {
    // Told by its size, before anything of it is read.
    if (chosen.size > MAX_TEXT_CHARACTERS) {
      toast.error(tooLong(chosen.name));
      return;
    }
    const lines = linesOfFile(chosen.name, await chosen.text());
    if (lines === null) {
      toast.error(`${chosen.name} is neither a .txt nor a .csv file`);
      return;
    }
    const read = cleanTickers(lines);
    setText((now) => cleanTickers([...now.split('\n'), ...read.tickers]).tickers.join('\n'));
    toast.success(`${plural(read.tickers.length, 'ticker')} read from ${chosen.name}`);
  };
  return (
    <Page isNarrow title={list ? 'Edit Variable List' : 'Create New Variable List'}>
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <TextField
          label="Name"
          value={name}
          onChange={setName}
          maxLength={200}
          error={wasTried && name.trim() === '' ? 'Name is required' : null}
        />
        <Switch
          label={`Visibility: ${isPublic ? 'Public' : 'Private'}`}
          checked={isPublic}
          onChange={setPublic}
        />
        <Textarea
          label="Variables"
          isMono
          minHeight={180}
          maxHeight={480}
          value={text}
          onChange={write}
          placeholder={'SPY\nQQQ'}
          hint={TICKER_HINT}
          error={wasTried && tickers.length === 0 ? 'Variables are required' : null}
        />
        <div className="flex flex-wrap items-center gap-3">
          <Button onClick={() => file.current?.click()}>
            <Upload size={15} aria-hidden /> Upload File
          </Button>
          <input
            ref={file}
            type="file"
            accept=".txt,.csv"
            aria-label="Upload File"
            className="sr-only"
            tabIndex={-1}
            onChange={(event) => {
              const chosen = event.target.files?.[0];
              event.target.value = '';
              if (chosen) void upload(chosen);
            }}
          />
          <p className="num text-sm text-muted" aria-live="polite">
            {plural(tickers.length, 'valid variable')}
            {dropped.length > 0 && `, ${formatCount(dropped.length)} left out`}
            {changed.length > 0 && `, ${formatCount(changed.length)} changed`}
          </p>
        </div>
        {failure && <Notice kind="danger">{failure}</Notice>}
        <div className="flex gap-2 border-t border-line pt-4">
          {list && (
            <Button variant="danger" onClick={() => setDeleting(true)}>
              Delete
            </Button>
          )}
          <span className="ml-auto flex gap-2">
            <Button onClick={() => void navigate('/variable-lists')}>Cancel</Button>
            <Button type="submit" variant="primary" isBusy={isSaving}>
              Save
            </Button>
          </span>
        </div>
      </form>
      <ConfirmDialog
        open={isAsking}
        onOpenChange={setAsking}
        title={`${plural(changed.length, 'value is', 'values are')} saved without some of their characters`}
        confirmLabel="Save them so"
        cancelLabel="Change them"
        isDangerous={false}
        onConfirm={save}
      >
        {changed
          .slice(0, 5)
          .map(({ from, to }) => `${from} becomes ${to}`)
          .join(', ')}
        {changed.length > 5 && ` and ${formatCount(changed.length - 5)} more`}. A ticker has letters, digits
        and colons; numbers and share classes such as BRK.B stay as they are.
      </ConfirmDialog>
      <ConfirmDialog
        open={isDeleting}
        onOpenChange={setDeleting}
        onConfirm={async () => {
          await removeList(id);
          toast.success(`Deleted ${name}`, {
            action: { label: 'Undo', onSelect: () => void restoreList(id).catch(tellFailure) },
          });
          await navigate('/variable-lists');
        }}
      >
        The list {name} is deleted. Batches that used it keep their values.
      </ConfirmDialog>
    </Page>
  );
}
