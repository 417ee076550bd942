import { useQuery } from '@tanstack/react-query';
import { Bot, Plus, Sparkles } from 'lucide-react';
import { lazy, Suspense, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { messageOf } from '../../lib/api.ts';
import { useCurrentUser } from '../../lib/auth/session.ts';
import { useCommands } from '../../lib/commands.ts';
import { useFavorites } from '../../lib/favorites.ts';
import { PAGE_ROWS, useListAddress, usePagedList, useTypedSearch } from '../../lib/paged-list.ts';
import { type DraftRow, draftCount, draftTags, fetchDrafts } from '../../lib/resources.ts';
import { toldKeys } from '../../lib/told-keys.ts';
import { Button, ButtonLink } from '../../ui/Button.tsx';
import { EmptyState, ErrorState, SkeletonRows } from '../../ui/feedback.tsx';
import { ListCount } from '../../ui/ListCount.tsx';
import { Page } from '../../ui/Page.tsx';
import { Select } from '../../ui/Select.tsx';
import { toast } from '../../ui/toast.tsx';
import { SearchField, SegmentedControl } from '../../ui/toolbar-inputs.tsx';
import { followed } from '../forward-test/follows.ts';
import { focusLastRowIfLost } from './chosen-focus.ts';
import { DeleteDialog } from './DeleteDialog.tsx';
import { DraftsTable } from './DraftsTable.tsx';
import { fetchAllDrafts, fetchDraftsOf, rowsBetween, WHOLE_ROWS } from './draft-list.ts';
import { Tour } from './Tour.tsx';

const FollowDialog = lazy(() => import('../forward-test/FollowDialog.tsx'));
const FirstRun = lazy(() => import('./FirstRun.tsx'));
const SelectionBar = lazy(() => import('./SelectionBar.tsx'));
const ShareDialog = lazy(() => import('./ShareDialog.tsx'));
const StarterGallery = lazy(() => import('./StarterGallery.tsx'));

const LAST_CHANGED_FIRST = 'updated:desc';

const LIST_KEYS = toldKeys('List of strategies', [
  ['Next or previous strategy', 'Up Down'],
  ['Open', 'Enter'],
  ['Choose, or no longer', 'X'],
  ['Choose all from the one chosen last', 'Shift+X'],
  ['To what can be done with those chosen', 'A'],
  ['From there back to the list', 'Escape'],
  ['Make a copy', 'D'],
  ['Favorite', 'S'],
  ['Delete', 'Delete'],
]);

const NO_FAVORITES: readonly string[] = [];

/** The user's strategies. */
export default function DraftsPage() {
  const user = useCurrentUser();
  const { favorites: marked } = useFavorites(user.id);
  const favorites = marked ?? NO_FAVORITES;
  const address = useListAddress();
  const [q, sort] = [address.value('q'), address.value('sort') || LAST_CHANGED_FIRST];
  const [type, visibility] = [address.value('type'), address.value('visibility')];
  const [tag, archived] = [address.value('tag'), address.value('archived')];
  const { data: tags = [] } = useQuery(draftTags);
  const onlyFavorites = address.value('favorites') === 'only';
  const [text, setText] = useTypedSearch(q, (next) => address.set({ q: next }));
  const count = useQuery(draftCount);
  const ids = onlyFavorites ? favorites : null;
  const question = { search: q, sort, type, visibility, tag, archived };
  const list = usePagedList<DraftRow>(
    ['drafts', 'list', { ...question, ids }],
    async (page, signal) =>
      ids ? await fetchDraftsOf(ids, question, signal) : await fetchDrafts({ ...question, ...page }, signal),
    { pageRows: ids ? Math.max(WHOLE_ROWS, ids.length) : PAGE_ROWS },
  );
  const isFiltered =
    q !== '' || type !== '' || visibility !== '' || tag !== '' || archived !== '' || onlyFavorites;
  const clear = () => address.set({ q: '', type: '', visibility: '', tag: '', archived: '', favorites: '' });
  const [chosen, setChosen] = useState<ReadonlyMap<string, DraftRow>>(new Map());
  const chosenLast = useRef<string | null>(null);
  const isBarLeft = useRef(false);
  // Only now is the bar gone, and with it what had the keyboard: a frame may come before.
  useEffect(() => {
    if (chosen.size > 0 || !isBarLeft.current) return;
    isBarLeft.current = false;
    focusLastRowIfLost();
  }, [chosen]);
  const { rowAt, total, loaded } = list;
  // As they are now: what was changed elsewhere meanwhile, such as their tags, is not to be undone.
  const now = new Map(loaded.map((one) => [one.id, one]));
  const chosenRows = [...chosen.values()].map((one) => now.get(one.id) ?? one);
  const choose = useCallback(
    (draft: DraftRow, isRange = false) => {
      const between = isRange ? rowsBetween(rowAt, total ?? 0, chosenLast.current, draft.id) : [];
      chosenLast.current = draft.id;
      setChosen((before) => {
        const next = new Map(before);
        if (between.length > 0) for (const one of between) next.set(one.id, one);
        else if (!next.delete(draft.id)) next.set(draft.id, draft);
        return next;
      });
    },
    [rowAt, total],
  );
  const chooseAll = async () => {
    try {
      const found = ids ? (await fetchDraftsOf(ids, question)).rows : await fetchAllDrafts(question);
      setChosen(new Map(found.map((one) => [one.id, one])));
    } catch (error) {
      toast.error('They could not all be chosen', { description: messageOf(error) });
    }
  };
  const [toDelete, setToDelete] = useState<DraftRow | null>(null);
  const [isConfirming, setConfirming] = useState(false);
  const [toShare, setToShare] = useState<DraftRow | null>(null);
  const [isSharing, setSharing] = useState(false);
  const share = useCallback((draft: DraftRow) => {
    setToShare(draft);
    setSharing(true);
  }, []);
  const { data: followedOnes } = useQuery(followed);
  const follows = useMemo(
    () => followedOnes && new Set(followedOnes.map(({ strategy_id }) => strategy_id)),
    [followedOnes],
  );
  const [toFollow, setToFollow] = useState<{ draft: DraftRow; isFollowed: boolean } | null>(null);
  const [isFollowing, setFollowing] = useState(false);
  const follow = useCallback(
    (draft: DraftRow) => {
      setToFollow({ draft, isFollowed: follows?.has(draft.id) ?? false });
      setFollowing(true);
    },
    [follows],
  );
  const search = useRef<HTMLInputElement>(null);
  useCommands([
    {
      id: 'search-drafts',
      label: 'Search drafts',
      group: 'Drafts',
      shortcut: '/',
      run: () => search.current?.focus(),
    },
    ...LIST_KEYS,
  ]);

  if (list.error !== null && list.total === null)
    return (
      <Page title="Drafts">
        <ErrorState title="The drafts could not be loaded" error={list.error} onRetry={list.refetch}>
          They are safe on the server.
        </ErrorState>
      </Page>
    );
  if (list.total === 0 && !isFiltered && !list.isStale)
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
          placeholder="Name, ticker or day"
          value={text}
          onChange={setText}
          className="w-full sm:w-64"
        />
        <SegmentedControl
          label="Type"
          value={type || 'all'}
          onChange={(next) => address.set({ type: next === 'all' ? '' : next })}
          options={[
            { value: 'all', label: 'All' },
            { value: 'bot', label: 'Bots' },
            { value: 'template', label: 'Templates' },
          ]}
        />
        <SegmentedControl
          label="Visibility"
          value={visibility || 'all'}
          onChange={(next) => address.set({ visibility: next === 'all' ? '' : next })}
          options={[
            { value: 'all', label: 'Any' },
            { value: 'public', label: 'Public' },
            { value: 'private', label: 'Private' },
          ]}
        />
        <Button
          aria-pressed={onlyFavorites}
          onClick={() => address.set({ favorites: onlyFavorites ? '' : 'only' })}
          className="aria-pressed:border-brand aria-pressed:bg-selected aria-pressed:text-accent"
        >
          Favorites
        </Button>
        {(tags.length > 0 || tag !== '') && (
          <Select
            label="Tag"
            isLabelHidden
            value={tag}
            placeholder="Any tag"
            onChange={(next) => address.set({ tag: next })}
            options={[
              { value: '', label: 'Any tag' },
              ...tags.map((one) => ({ value: one.tag, label: `#${one.tag} (${one.count})` })),
            ]}
          />
        )}
        <Button
          aria-pressed={archived !== ''}
          onClick={() => {
            setChosen(new Map());
            address.set({ archived: archived ? '' : 'only' });
          }}
          className="aria-pressed:border-brand aria-pressed:bg-selected aria-pressed:text-accent"
        >
          Archive
        </Button>
        <ListCount
          found={list.total}
          all={count.data ?? null}
          isStale={list.isStale}
          isCatchingUp={list.isCatchingUp}
          isFiltered={isFiltered}
          one="strategy"
          many="strategies"
        />
      </div>
      {chosen.size > 0 && (
        <Suspense>
          <SelectionBar
            rows={chosenRows}
            isArchive={archived !== ''}
            total={list.total ?? 0}
            follows={follows ?? null}
            onChooseAll={chooseAll}
            onDone={() => {
              setChosen(new Map());
              isBarLeft.current = true;
            }}
          />
        </Suspense>
      )}
      {list.total !== null ? (
        <DraftsTable
          list={list}
          sort={sort}
          onSortChange={(next) => address.set({ sort: next })}
          favorites={favorites}
          onDelete={(draft) => {
            setToDelete(draft);
            setConfirming(true);
          }}
          chosen={chosen}
          onChoose={choose}
          onShare={share}
          follows={follows ?? null}
          onFollow={follow}
          empty={
            <EmptyState title="Nothing matches" action={<Button onClick={clear}>Clear filters</Button>}>
              No strategy has this in its name, tickers or day, and these properties.
            </EmptyState>
          }
        />
      ) : (
        <div className="rounded border border-line">
          <SkeletonRows columns={5} />
        </div>
      )}
      {toDelete && <DeleteDialog draft={toDelete} open={isConfirming} onOpenChange={setConfirming} />}
      {toShare && (
        <Suspense>
          <ShareDialog draft={toShare} open={isSharing} onOpenChange={setSharing} />
        </Suspense>
      )}
      {toFollow && (
        <Suspense>
          <FollowDialog
            strategy={toFollow.draft}
            isFollowed={toFollow.isFollowed}
            open={isFollowing}
            onOpenChange={setFollowing}
          />
        </Suspense>
      )}
      <Tour />
    </Page>
  );
}
