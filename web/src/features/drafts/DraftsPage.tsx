import { useQuery } from '@tanstack/react-query';
import { Bot, Plus, Sparkles } from 'lucide-react';
import { lazy, Suspense, useMemo, useRef, useState } from 'react';
import { useCurrentUser } from '../../lib/auth/session.ts';
import { useCommands } from '../../lib/commands.ts';
import { plural } from '../../lib/format.ts';
import { usePersonal } from '../../lib/personal.ts';
import { type DraftRow, draftList } from '../../lib/resources.ts';
import { Button, ButtonLink } from '../../ui/Button.tsx';
import { EmptyState, ErrorState, SkeletonRows } from '../../ui/feedback.tsx';
import { Page } from '../../ui/Page.tsx';
import { SearchField, SegmentedControl } from '../../ui/toolbar-inputs.tsx';
import { DeleteDialog } from './DeleteDialog.tsx';
import { DraftsTable } from './DraftsTable.tsx';
import { type DraftFilter, filterDrafts, NO_FILTER } from './filter-drafts.ts';
import { Tour } from './Tour.tsx';

const FirstRun = lazy(() => import('./FirstRun.tsx'));
const StarterGallery = lazy(() => import('./StarterGallery.tsx'));

/** The user's strategies. */
export default function DraftsPage() {
  const user = useCurrentUser();
  const { favorites, backtests } = usePersonal(user.id);
  const { data: drafts, error, refetch } = useQuery(draftList);
  const [filter, setFilter] = useState<DraftFilter>(NO_FILTER);
  const [toDelete, setToDelete] = useState<DraftRow | null>(null);
  const [isConfirming, setConfirming] = useState(false);
  const search = useRef<HTMLInputElement>(null);
  const shown = useMemo(() => filterDrafts(drafts ?? [], filter, favorites), [drafts, filter, favorites]);
  useCommands([
    {
      id: 'search-drafts',
      label: 'Search drafts',
      group: 'Drafts',
      shortcut: '/',
      run: () => search.current?.focus(),
    },
  ]);

  if (error && !drafts)
    return (
      <Page title="Drafts">
        <ErrorState title="The drafts could not be loaded" error={error} onRetry={() => void refetch()}>
          They are safe on the server.
        </ErrorState>
      </Page>
    );
  if (drafts?.length === 0)
    return (
      <Page title="Drafts">
        <Suspense>
          <FirstRun />
        </Suspense>
        <div className="rounded border border-line">
          <EmptyState
            icon={Bot}
            title="No Trading Bots"
            action={
              <ButtonLink to="/editor/new" icon={Plus}>
                New Trading Bot
              </ButtonLink>
            }
          >
            Get started by creating a Trading Bot
          </EmptyState>
        </div>
        <Suspense>
          <StarterGallery isFirstRun />
        </Suspense>
        <Tour isOffered />
      </Page>
    );
  return (
    <Page
      title="Drafts"
      actions={
        <ButtonLink to="/starters" icon={Sparkles}>
          Starter strategies
        </ButtonLink>
      }
    >
      <div className="flex flex-wrap items-center gap-2">
        <SearchField
          ref={search}
          label="Search drafts"
          placeholder="Search by name"
          value={filter.search}
          onChange={(text) => setFilter({ ...filter, search: text })}
          className="w-full sm:w-64"
        />
        <SegmentedControl
          label="Type"
          value={filter.type}
          onChange={(type) => setFilter({ ...filter, type })}
          options={[
            { value: 'all', label: 'All' },
            { value: 'bot', label: 'Bots' },
            { value: 'template', label: 'Templates' },
          ]}
        />
        <SegmentedControl
          label="Visibility"
          value={filter.visibility}
          onChange={(visibility) => setFilter({ ...filter, visibility })}
          options={[
            { value: 'all', label: 'Any' },
            { value: 'public', label: 'Public' },
            { value: 'private', label: 'Private' },
          ]}
        />
        <Button
          aria-pressed={filter.onlyFavorites}
          onClick={() => setFilter({ ...filter, onlyFavorites: !filter.onlyFavorites })}
          className="aria-pressed:border-brand aria-pressed:bg-selected aria-pressed:text-accent"
        >
          Favorites
        </Button>
        <p aria-live="polite" className="num ml-auto text-sm text-muted">
          {drafts &&
            (shown.length === drafts.length
              ? plural(drafts.length, 'strategy', 'strategies')
              : `${shown.length} of ${plural(drafts.length, 'strategy', 'strategies')}`)}
        </p>
      </div>
      {drafts ? (
        <DraftsTable
          drafts={shown}
          favorites={favorites}
          backtests={backtests}
          onDelete={(draft) => {
            setToDelete(draft);
            setConfirming(true);
          }}
          empty={
            <EmptyState
              title="Nothing matches"
              action={<Button onClick={() => setFilter(NO_FILTER)}>Clear filters</Button>}
            >
              No strategy has this name and these properties.
            </EmptyState>
          }
        />
      ) : (
        <div className="rounded border border-line">
          <SkeletonRows columns={5} />
        </div>
      )}
      {toDelete && <DeleteDialog draft={toDelete} open={isConfirming} onOpenChange={setConfirming} />}
      <Tour />
    </Page>
  );
}
