import { Dialog } from '@base-ui/react/dialog';
import { listBatchBacktests, listDrafts, listVariableLists } from '@quantloom/domain/contracts/http/calls';
import { keepPreviousData, useQueries } from '@tanstack/react-query';
import { Command as Cmdk } from 'cmdk';
import { useEffect, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { useAllCommands } from '../lib/commands.ts';
import { formatCount } from '../lib/format.ts';
import { useTypedSearch } from '../lib/paged-list.ts';
import { foundIn } from '../lib/resources.ts';
import { FLOATING, OPTION } from '../ui/classes.ts';
import { Shortcut } from '../ui/Kbd.tsx';
import { useNavigation } from './layouts/navigation.ts';

// cmdk writes data-disabled="false" on what can be chosen.
const ITEM = `${OPTION} min-h-9! data-[selected=true]:bg-hover data-[disabled=false]:text-ink`;
const GROUP =
  '[&_[cmdk-group-heading]]:px-2 [&_[cmdk-group-heading]]:py-1 [&_[cmdk-group-heading]]:text-xs ' +
  '[&_[cmdk-group-heading]]:text-muted';

/** Goes to any strategy, batch, list or page, and runs any action that is offered now. */
export default function CommandMenu({
  open,
  onOpenChange,
}: {
  open: boolean;
  onOpenChange: (open: boolean) => void;
}) {
  const commands = useAllCommands();
  const navigate = useNavigate();
  const { hasBatches } = useNavigation();
  const [search, setSearch] = useState('');
  const [typed, setTyped] = useTypedSearch(search, setSearch);
  const [drafts, batches, lists] = useQueries({
    queries: [
      { ...foundIn(listDrafts, search), enabled: open, placeholderData: keepPreviousData },
      {
        ...foundIn(listBatchBacktests, search),
        enabled: open && hasBatches,
        placeholderData: keepPreviousData,
      },
      {
        ...foundIn(listVariableLists, search),
        enabled: open && hasBatches,
        placeholderData: keepPreviousData,
      },
    ],
  });
  const list = useRef<HTMLDivElement>(null);
  const [marked, setMarked] = useState('');
  const hasMoved = useRef(false);
  const [foundDrafts, foundBatches, foundLists] = [drafts.data, batches.data, lists.data];
  // What the server finds comes after the commands and above them: Enter means the first row until somebody
  // has moved to another.
  // biome-ignore lint/correctness/useExhaustiveDependencies: rows change with what was typed and found
  useEffect(() => {
    if (!open) hasMoved.current = false;
    if (hasMoved.current) return;
    const first = list.current?.querySelector('[cmdk-item]:not([aria-disabled="true"])');
    setMarked(first?.getAttribute('data-value') ?? '');
  }, [open, typed, foundDrafts, foundBatches, foundLists]);
  const choose = (run: () => void) => () => {
    onOpenChange(false);
    run();
  };
  const groups = Map.groupBy(
    commands.filter((one) => !one.isHidden),
    (one) => one.group,
  );
  const places = [
    { group: 'Strategies', prefix: '/editor/', all: '/drafts', found: foundDrafts },
    { group: 'Batch backtests', prefix: '/batch-backtests/', all: '/batch-backtests', found: foundBatches },
    { group: 'Variable lists', prefix: '/variable-lists/', all: '/variable-lists', found: foundLists },
  ];
  return (
    <Dialog.Root open={open} onOpenChange={onOpenChange}>
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-40 bg-black/30" />
        <Dialog.Popup
          aria-label="Search and commands"
          className={
            `${FLOATING} fixed left-1/2 top-[12dvh] z-40 w-[calc(100vw-2rem)] max-w-xl ` +
            '-translate-x-1/2 overflow-hidden'
          }
        >
          <Cmdk
            label="Search and commands"
            loop
            value={marked}
            onValueChange={setMarked}
            onKeyDown={({ key }) => {
              if (/^(Arrow|Home|End)/.test(key)) hasMoved.current = true;
            }}
          >
            <Cmdk.Input
              autoFocus
              value={typed}
              onValueChange={(text) => {
                hasMoved.current = false;
                setTyped(text);
              }}
              placeholder="Go to a strategy, batch or page, or run a command"
              className="h-12 w-full border-b border-line bg-transparent px-4 text-lg outline-none placeholder:text-faint"
            />
            <Cmdk.List ref={list} className="max-h-[min(26rem,60dvh)] overflow-y-auto p-1.5">
              <Cmdk.Empty className="px-3 py-6 text-center text-muted">Nothing found.</Cmdk.Empty>
              {places.map(({ group, prefix, all, found }) =>
                !found || found.rows.length === 0 ? null : (
                  <Cmdk.Group key={group} heading={group} className={GROUP}>
                    {found.rows.map((item) => (
                      <Cmdk.Item
                        key={item.id}
                        value={`${item.name} ${group} ${item.id}`}
                        // The server has found it, by a ticker perhaps that is not in its name.
                        keywords={[typed]}
                        onSelect={choose(() => void navigate(`${prefix}${item.id}`))}
                        className={ITEM}
                      >
                        <span className="truncate">{item.name}</span>
                      </Cmdk.Item>
                    ))}
                    {found.total > found.rows.length && (
                      <Cmdk.Item
                        value={`All ${group} ${all}`}
                        keywords={[typed]}
                        onSelect={choose(
                          () => void navigate(`${all}${search && `?q=${encodeURIComponent(search)}`}`),
                        )}
                        className={ITEM}
                      >
                        <span className="text-muted">
                          All {formatCount(found.total)} {group.toLowerCase()}
                        </span>
                      </Cmdk.Item>
                    )}
                  </Cmdk.Group>
                ),
              )}
              {[...groups].map(([group, members]) => (
                <Cmdk.Group key={group} heading={group} className={GROUP}>
                  {members.map((one) => {
                    const { icon: Icon } = one;
                    return (
                      <Cmdk.Item
                        key={one.id}
                        value={`${one.label} ${one.group} ${one.keywords ?? ''} ${one.id}`}
                        disabled={one.isDisabled ?? false}
                        onSelect={choose(one.run)}
                        className={ITEM}
                      >
                        {Icon && <Icon size={15} aria-hidden className="text-muted" />}
                        <span className="flex-1">{one.label}</span>
                        {one.shortcut && <Shortcut keys={one.shortcut} />}
                      </Cmdk.Item>
                    );
                  })}
                </Cmdk.Group>
              ))}
            </Cmdk.List>
          </Cmdk>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
