import { Bell, BellRing, Copy, Layers, MoreHorizontal, Pencil, Share2, Star, Trash2 } from 'lucide-react';
import { type ReactNode, useMemo } from 'react';
import { Link, useNavigate } from 'react-router';
import { useCurrentUser } from '../../lib/auth/session.ts';
import { toggleFavorite } from '../../lib/favorites.ts';
import {
  formatDate,
  formatDateTime,
  formatMetric,
  METRICS,
  type MetricSpec,
  MISSING,
} from '../../lib/format.ts';
import type { PagedList } from '../../lib/paged-list.ts';
import type { DraftRow } from '../../lib/resources.ts';
import { Badge, VisibilityBadge } from '../../ui/Badge.tsx';
import { buttonClass, IconButton } from '../../ui/Button.tsx';
import { cx } from '../../ui/classes.ts';
import { Menu } from '../../ui/Menu.tsx';
import { Change } from '../../ui/Metric.tsx';
import { type PagedColumn, PagedTable } from '../../ui/PagedTable.tsx';
import { Tooltip } from '../../ui/Tooltip.tsx';
import { lastRunWords } from '../terms/last-run-words.ts';
import { cloneDraft } from './actions.ts';
import { focusChosenBar } from './chosen-focus.ts';

const metric = (key: string): MetricSpec => {
  const spec = METRICS.find((one) => one.key === key);
  if (!spec) throw new Error(`There is no metric ${key}`);
  return spec;
};
const DRAWDOWN = metric('max_drawdown');
const SHARPE = metric('sharpe');

/** A figure of the last run; its title says what it is of. */
function Figure({ spec, draft: { lastRun } }: { spec: MetricSpec; draft: DraftRow }) {
  const shown = formatMetric(spec, lastRun?.metrics[spec.key]);
  if (!lastRun || shown === MISSING) return <span className="text-faint">{MISSING}</span>;
  return <span title={lastRunWords(lastRun)}>{shown}</span>;
}

interface Props {
  readonly list: PagedList<DraftRow>;
  readonly sort: string;
  readonly onSortChange: (sort: string) => void;
  readonly favorites: readonly string[];
  readonly onDelete: (draft: DraftRow) => void;
  readonly chosen: ReadonlyMap<string, DraftRow>;
  /** `isRange`: with all from the one that was chosen last. */
  readonly onChoose: (draft: DraftRow, isRange?: boolean) => void;
  readonly onShare: (draft: DraftRow) => void;
  /** Ids of the strategies that the user follows; null while they are not known. */
  readonly follows: ReadonlySet<string> | null;
  readonly onFollow: (draft: DraftRow) => void;
  readonly empty: ReactNode;
}

/** Name, Type, Visibility, Created, Last modified, the last backtest's figures, and what can be done with a row. */
export function DraftsTable({
  list,
  sort,
  onSortChange,
  favorites,
  onDelete,
  onShare,
  follows,
  onFollow,
  chosen,
  onChoose,
  empty,
}: Props) {
  const navigate = useNavigate();
  const { id: userId } = useCurrentUser();
  const columns = useMemo<readonly PagedColumn<DraftRow>[]>(() => {
    return [
      {
        id: 'name',
        header: 'Name',
        sortBy: 'name',
        cell: (draft) => {
          const isFavorite = favorites.includes(draft.id);
          return (
            <span className="flex items-center gap-1 max-sm:py-1.5">
              <input
                type="checkbox"
                checked={chosen.has(draft.id)}
                onChange={({ nativeEvent }) =>
                  onChoose(draft, nativeEvent instanceof MouseEvent && nativeEvent.shiftKey)
                }
                title="Shift chooses all from the one chosen last"
                aria-label={`Choose ${draft.name}`}
                className="mr-2 block size-4 shrink-0 accent-brand"
              />
              <button
                type="button"
                aria-pressed={isFavorite}
                aria-label={`Favorite ${draft.name}`}
                onClick={() => void toggleFavorite(userId, draft.id)}
                className="-ml-1 flex size-6 shrink-0 items-center justify-center rounded-sm text-faint hover:bg-hover"
              >
                <Star size={14} aria-hidden className={cx(isFavorite && 'fill-current text-kind-filter')} />
              </button>
              <span className="min-w-0">
                <Link
                  to={`/editor/${draft.id}`}
                  title={draft.name}
                  className="block truncate font-medium hover:underline"
                >
                  {draft.name}
                </Link>
                {draft.tags.length > 0 && (
                  <span className="block truncate text-xs text-muted" title={draft.tags.join(', ')}>
                    <span className="sr-only">Tags: </span>
                    {draft.tags.map((tag) => `#${tag}`).join(' ')}
                  </span>
                )}
                {/* What the columns say that a phone has no room for. */}
                <span className="block truncate text-xs text-muted sm:hidden">
                  {formatDate(draft.updated_at)}, {draft.type}
                  {draft.is_public && ', public'}
                </span>
              </span>
            </span>
          );
        },
      },
      {
        id: 'type',
        header: 'Type',
        className: 'w-20 max-sm:hidden',
        sortBy: 'type',
        cell: (draft) => <Badge color={draft.type === 'template' ? 'purple' : 'gray'}>{draft.type}</Badge>,
      },
      {
        id: 'visibility',
        header: 'Visibility',
        className: 'w-24 max-sm:hidden',
        sortBy: 'visibility',
        cell: (draft) => <VisibilityBadge isPublic={draft.is_public} />,
      },
      {
        id: 'created',
        header: 'Created',
        sortBy: 'created',
        className: 'w-40 whitespace-nowrap max-lg:hidden',
        cell: (draft) => <span title={formatDateTime(draft.created_at)}>{formatDate(draft.created_at)}</span>,
      },
      {
        id: 'modified',
        header: 'Last modified',
        sortBy: 'updated',
        className: 'w-40 whitespace-nowrap max-md:hidden',
        cell: (draft) => <span title={formatDateTime(draft.updated_at)}>{formatDate(draft.updated_at)}</span>,
      },
      {
        id: 'return',
        header: (
          <Tooltip content="Annualized return of the last backtest of the strategy as it was saved">
            <span>Return p.a.</span>
          </Tooltip>
        ),
        isNumeric: true,
        sortBy: 'return',
        className: 'w-26 whitespace-nowrap max-lg:hidden',
        cell: (draft) => {
          const last = draft.lastRun;
          if (!last) return <span className="text-faint">{MISSING}</span>;
          return (
            <span title={lastRunWords(last)}>
              <Change fraction={last.metrics.annualized_return} />
            </span>
          );
        },
      },
      {
        id: 'drawdown',
        header: 'Max drawdown',
        isNumeric: true,
        sortBy: 'drawdown',
        className: 'w-34 whitespace-nowrap max-lg:hidden',
        cell: (draft) => <Figure spec={DRAWDOWN} draft={draft} />,
      },
      {
        id: 'sharpe',
        header: 'Sharpe',
        isNumeric: true,
        sortBy: 'sharpe',
        className: 'w-22 max-lg:hidden',
        cell: (draft) => <Figure spec={SHARPE} draft={draft} />,
      },
      {
        id: 'actions',
        header: null,
        label: 'Actions',
        className: 'w-12 sm:w-36',
        cell: (draft) => (
          <span className="flex items-center justify-end gap-0.5">
            <Link
              to={`/editor/${draft.id}`}
              aria-label={`Edit ${draft.name}`}
              className={buttonClass('ghost', 'sm', 'max-sm:hidden')}
            >
              <Pencil size={14} aria-hidden />
              Edit
            </Link>
            <IconButton
              icon={Trash2}
              size="sm"
              label={`Delete ${draft.name}`}
              className="max-sm:hidden"
              onClick={() => onDelete(draft)}
            />
            <Menu
              align="end"
              trigger={<IconButton icon={MoreHorizontal} size="sm" label={`More for ${draft.name}`} />}
              entries={[
                { label: 'Edit', icon: Pencil, shortcut: 'E', to: `/editor/${draft.id}` },
                { label: 'Make a copy', icon: Copy, shortcut: 'D', onSelect: () => void cloneDraft(draft) },
                ...(draft.type === 'template'
                  ? [{ label: 'Its batches', icon: Layers, to: `/batch-backtests?strategy=${draft.id}` }]
                  : []),
                { label: 'Share…', icon: Share2, onSelect: () => onShare(draft) },
                ...(draft.type === 'bot' && follows
                  ? [
                      follows.has(draft.id)
                        ? { label: 'Following…', icon: BellRing, onSelect: () => onFollow(draft) }
                        : { label: 'Follow…', icon: Bell, onSelect: () => onFollow(draft) },
                    ]
                  : []),
                {
                  label: favorites.includes(draft.id) ? 'Remove from favorites' : 'Add to favorites',
                  icon: Star,
                  shortcut: 'S',
                  onSelect: () => void toggleFavorite(userId, draft.id),
                },
                'separator',
                {
                  label: 'Delete',
                  icon: Trash2,
                  shortcut: 'Delete',
                  isDangerous: true,
                  onSelect: () => onDelete(draft),
                },
              ]}
            />
          </span>
        ),
      },
    ];
  }, [chosen, favorites, follows, onChoose, onDelete, onFollow, onShare, userId]);
  return (
    <PagedTable
      label="Drafts"
      columns={columns}
      list={list}
      rowId={(draft) => draft.id}
      sort={sort}
      onSortChange={onSortChange}
      onOpen={(draft) => void navigate(`/editor/${draft.id}`)}
      onRowKey={(key, draft) => {
        if (key === 'e') void navigate(`/editor/${draft.id}`);
        else if (key === 'Delete' || key === 'Backspace') onDelete(draft);
        else if (key === 'd') void cloneDraft(draft);
        else if (key === 'x') onChoose(draft);
        else if (key === 'X') onChoose(draft, true);
        else if (key === 'a') return focusChosenBar();
        else if (key === 's') void toggleFavorite(userId, draft.id);
        else return false;
        return true;
      }}
      empty={empty}
      tableClassName="lg:min-w-[72rem]"
    />
  );
}
