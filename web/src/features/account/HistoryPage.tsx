import { useMutation, useQuery } from '@tanstack/react-query';
import { Download, History } from 'lucide-react';
import { useState } from 'react';
import { Link, useSearchParams } from 'react-router';
import { messageOf } from '../../lib/api.ts';
import { formatDateTime, plural } from '../../lib/format.ts';
import { Button } from '../../ui/Button.tsx';
import { EmptyState, ErrorState, SkeletonRows } from '../../ui/feedback.tsx';
import { Panel } from '../../ui/Page.tsx';
import { Select } from '../../ui/Select.tsx';
import { toast } from '../../ui/toast.tsx';
import { SearchField } from '../../ui/toolbar-inputs.tsx';
import { AccountFrame } from './AccountFrame.tsx';
import {
  accountHistory,
  downloadHistory,
  type HistoryLine,
  matching,
  type Through,
} from './account-history.ts';

const PAGE = 100;
/** What the server answers at once; older lines are in the file. */
const NEWEST = 1000;

const THROUGH: readonly { readonly value: Through | 'all'; readonly label: string }[] = [
  { value: 'all', label: 'Everything' },
  { value: 'browser', label: 'You, in a browser' },
  { value: 'apiClient', label: 'API clients' },
  { value: 'others', label: 'Administrators and the system' },
];

/** Everything that was done with the account, and through what. */
export default function HistoryPage() {
  const [through, setThrough] = useState<Through | 'all'>('all');
  // Other pages lead here with what is to be found: an API client with its id.
  const [parameters] = useSearchParams();
  const [search, setSearch] = useState(parameters.get('search') ?? '');
  const [shown, setShown] = useState(PAGE);
  const { data, error, refetch } = useQuery({
    queryKey: ['account-history'],
    queryFn: ({ signal }) => accountHistory(signal),
  });
  const save = useMutation({
    mutationFn: downloadHistory,
    onError: (reason) => toast.error('The history could not be saved', { description: messageOf(reason) }),
  });
  const found = data ? matching(data, through, search) : [];
  return (
    <AccountFrame title="History" description="Everything that was done with your account, and by what.">
      <div className="flex flex-wrap items-end gap-2">
        <Select
          label="Done by"
          isLabelHidden
          className="w-full sm:w-60"
          options={THROUGH}
          value={through}
          onChange={setThrough}
        />
        <SearchField
          label="Search the history"
          value={search}
          onChange={setSearch}
          className="w-full sm:w-60"
        />
        <Button icon={Download} isBusy={save.isPending} onClick={() => save.mutate()}>
          Download all
        </Button>
      </div>
      {error && !data ? (
        <ErrorState title="The history could not be loaded" error={error} onRetry={() => void refetch()} />
      ) : data ? (
        <>
          <p role="status" className="text-sm text-muted">
            {plural(found.length, 'entry', 'entries')}
            {data.length >= NEWEST && ` among the newest ${NEWEST}. Older ones are in the download.`}
          </p>
          <Panel className="p-0!">
            {found.length > 0 ? (
              <ol aria-label="History" className="divide-y divide-line">
                {found.slice(0, shown).map((line) => (
                  <Line key={line.id} line={line} />
                ))}
              </ol>
            ) : (
              <EmptyState icon={History} title="Nothing found">
                No entry fits what you chose.
              </EmptyState>
            )}
          </Panel>
          {found.length > shown && (
            <Button className="self-start" onClick={() => setShown(shown + PAGE)}>
              Show more
            </Button>
          )}
        </>
      ) : (
        <SkeletonRows columns={2} />
      )}
    </AccountFrame>
  );
}

function Line({ line }: { line: HistoryLine }) {
  return (
    <li className="flex flex-wrap items-baseline gap-x-4 gap-y-0.5 px-4 py-2">
      <span className="min-w-0 flex-1 basis-48 break-words">
        {line.kind === 'strategy' ? (
          <Link to={`/editor/${line.subjectId}`} className="hover:underline">
            {line.summary}
          </Link>
        ) : (
          line.summary
        )}
      </span>
      <span className="min-w-0 break-all text-sm text-muted">{line.by}</span>
      <time dateTime={line.at} className="num text-sm text-muted">
        {formatDateTime(line.at)}
      </time>
    </li>
  );
}
