import { getTradingBot } from '@quantloom/domain/contracts/http/calls';
import { blockFault, type SavedStrategy } from '@quantloom/domain/strategy/strategy-block';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, messageOf, statusOf } from '../../../lib/api.ts';
import { formatAgo } from '../../../lib/format.ts';
import { fetchDrafts } from '../../../lib/resources.ts';
import { Dialog } from '../../../ui/Dialog.tsx';
import { EmptyState, ErrorState, Notice, SkeletonRows } from '../../../ui/feedback.tsx';
import { SearchField } from '../../../ui/toolbar-inputs.tsx';
import { strategyIdIn } from '../model/strategy-blocks.ts';

const SHOWN = 25;

/** Chooses a strategy of one's own, or a public one by its address, to stand as a block in this one. */
export function StrategyPicker({
  ownId,
  onPick,
  onClose,
}: {
  /** The strategy that is edited: it cannot hold itself. */
  ownId: string;
  onPick: (strategy: SavedStrategy) => void;
  onClose: () => void;
}) {
  const [search, setSearch] = useState('');
  const [fault, setFault] = useState<string | null>(null);
  const [isTaking, setTaking] = useState(false);
  const pasted = strategyIdIn(search);
  const words = pasted === null ? search.trim() : '';
  const drafts = useQuery({
    queryKey: ['drafts', 'to-insert', words],
    queryFn: async ({ signal }) => await fetchDrafts({ search: words, limit: SHOWN }, signal),
    placeholderData: keepPreviousData,
  });
  const found = (drafts.data?.rows ?? []).filter(({ id }) => id !== ownId);
  const take = async (id: string) => {
    setFault(null);
    setTaking(true);
    try {
      const bot = await api().call(getTradingBot, { params: { id } });
      const refused = blockFault(bot, ownId);
      if (refused === null) {
        onPick(bot);
        onClose();
      } else setFault(refused);
    } catch (error) {
      setFault(statusOf(error) === 404 ? 'There is no such strategy, or it is private' : messageOf(error));
    } finally {
      setTaking(false);
    }
  };
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()} title="Add a saved strategy">
      <div className="flex flex-col gap-3">
        <SearchField
          label="Search your strategies, or paste the address of a public one"
          placeholder="Search, or paste the address of a public strategy"
          value={search}
          onChange={(text) => {
            setSearch(text);
            setFault(null);
          }}
        />
        <p className="text-sm text-muted">
          The revision of today stays in this strategy until you take a newer one. This strategy’s own
          rebalancing rule applies.
        </p>
        {fault !== null && <Notice kind="danger">{fault}</Notice>}
        {drafts.isPending && <SkeletonRows rows={4} />}
        {drafts.error && (
          <ErrorState
            title="Your strategies could not be read"
            error={drafts.error}
            onRetry={() => void drafts.refetch()}
          >
            Nothing has changed.
          </ErrorState>
        )}
        {pasted !== null && (
          <Line
            name="The strategy at this address"
            detail={pasted}
            isDisabled={isTaking}
            onPick={() => void take(pasted)}
          />
        )}
        <ul aria-label="Your strategies" className="flex max-h-80 flex-col overflow-y-auto">
          {found.map(({ id, name, variables, updated_at }) => (
            <li key={id}>
              <Line
                name={name}
                detail={`${variables.length > 0 ? `${variables.join(', ')}, ` : ''}changed ${formatAgo(updated_at)}`}
                isDisabled={isTaking}
                onPick={() => void take(id)}
              />
            </li>
          ))}
        </ul>
        {drafts.data && found.length === 0 && pasted === null && (
          <EmptyState title="No strategy found">
            Save the strategy first that is to become a block of this one.
          </EmptyState>
        )}
      </div>
    </Dialog>
  );
}

function Line({
  name,
  detail,
  isDisabled,
  onPick,
}: {
  name: string;
  detail: string;
  isDisabled: boolean;
  onPick: () => void;
}) {
  return (
    <button
      type="button"
      disabled={isDisabled}
      onClick={onPick}
      className="flex w-full min-w-0 items-baseline justify-between gap-3 rounded-sm px-2 py-1.5 text-left enabled:hover:bg-hover disabled:opacity-60"
    >
      <span className="min-w-0 truncate font-medium">{name}</span>
      <span className="min-w-0 truncate text-sm text-muted">{detail}</span>
    </button>
  );
}
