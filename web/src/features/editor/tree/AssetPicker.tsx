import { isSeriesName } from '@quantloom/domain/market-data/condition-series';
import { type KeyboardEvent, useEffect, useId, useMemo, useRef, useState } from 'react';
import { Link } from 'react-router';
import { messageOf } from '../../../lib/api.ts';
import { useFeature } from '../../../lib/auth/session.ts';
import { plural } from '../../../lib/format.ts';
import { useTickerSearch } from '../../../lib/ticker-search.ts';
import { TickerChip } from '../../../ui/Badge.tsx';
import { cx } from '../../../ui/classes.ts';
import { Dialog } from '../../../ui/Dialog.tsx';
import { EmptyState, ErrorState, SkeletonRows } from '../../../ui/feedback.tsx';
import { SearchField } from '../../../ui/toolbar-inputs.tsx';
import { type AssetResult, searchAssets } from '../model/asset-search.ts';
import { type AssetPickerRequest, useEditorTools } from '../model/editor-context.ts';
import { recentAssets, rememberAsset } from '../model/recent-assets.ts';
import { tickerWords } from '../model/words.ts';

/** The modal that finds an asset, a variable or (for conditions) a ratio. */
export function AssetPicker({ request, onClose }: { request: AssetPickerRequest; onClose: () => void }) {
  const { variables, canUseVariables } = useEditorTools();
  const canUseSimulatedTickers = useFeature('web.simulated-tickers.view');
  const tickers = useTickerSearch();
  const [query, setQuery] = useState(request.current);
  const [active, setActive] = useState(0);
  /** Enter was pressed before the tickers were there. */
  const [isTakingFirst, setTakingFirst] = useState(false);
  const isBeginningOfVariable = canUseVariables && query.trim() === '$';
  const listId = useId();
  const list = useRef<HTMLDivElement>(null);
  const searchBox = useRef<HTMLInputElement>(null);
  const search = tickers.data?.search;
  const results = useMemo(
    () =>
      search && query.trim() === ''
        ? recentAssets(({ ticker }) => search.find(ticker) !== null)
        : search
          ? searchAssets(query, {
              search,
              series: tickers.data?.series ?? [],
              variables,
              purpose: request.purpose,
              canUseVariables,
              canUseSimulatedTickers,
            })
          : [],
    [search, tickers.data, query, variables, request.purpose, canUseVariables, canUseSimulatedTickers],
  );
  const pick = (result: AssetResult) => {
    const { ticker, name, kind } = result;
    rememberAsset(result);
    request.onPick({ ticker, name: kind === 'asset' || kind === 'series' ? name : ticker });
    onClose();
  };
  const latestPick = useRef(pick);
  latestPick.current = pick;
  useEffect(() => {
    if (!isTakingFirst || !search) return;
    setTakingFirst(false);
    if (results[0]) latestPick.current(results[0]);
  }, [isTakingFirst, search, results]);
  const move = (to: number) => {
    const next = Math.max(0, Math.min(results.length - 1, to));
    setActive(next);
    list.current?.children[next]?.scrollIntoView({ block: 'nearest' });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const result = results[active];
    if (event.key === 'ArrowDown') move(active + 1);
    else if (event.key === 'ArrowUp') move(active - 1);
    else if (event.key === 'Enter' && result) pick(result);
    else if (event.key === 'Enter' && tickers.isPending) setTakingFirst(true);
    else return;
    event.preventDefault();
  };
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title="Choose an asset"
      initialFocus={searchBox}
      // The tree gives it to the line that was added, or back to the one that asked.
      returnsFocus={() => request.purpose === 'condition'}
    >
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the keys belong to the search box inside */}
      <div
        onKeyDown={onKeyDown}
        // What is there is what one replaces.
        onFocus={({ target }) => target === searchBox.current && searchBox.current.select()}
        className="min-h-[min(24rem,50dvh)]"
      >
        <div className="sticky top-0 z-10 bg-raised pb-1 pt-0.5">
          <SearchField
            ref={searchBox}
            listId={listId}
            activeId={results[active] && `${listId}-${active}`}
            label="Search for a ticker or company name"
            placeholder="Search for a ticker or company name"
            value={query}
            onChange={(value) => {
              setQuery(value);
              setActive(0);
              setTakingFirst(false);
            }}
          />
          {!canUseVariables && (
            <p className="mt-2 text-sm text-muted">
              Variables are not part of your plan.{' '}
              <Link to="/account/billing" className="text-accent underline">
                Upgrade your plan
              </Link>
            </p>
          )}
          <p className="num mt-2 text-sm text-muted" role="status">
            {query.trim() === ''
              ? 'Search for an asset using a ticker symbol or company name.'
              : isBeginningOfVariable
                ? 'Go on with a name, such as $A.'
                : `${results.length} Results`}
          </p>
          {canUseVariables && /^\s*(?:\$.*)?$/.test(query) && (
            <p className="mt-1 text-sm text-muted">
              A name that begins with $ is a variable: a batch runs the strategy with every value that you
              give it.
            </p>
          )}
          {query.trim() === '' && results.length > 0 && (
            <h3 className="mt-2 text-sm font-medium">Used last</h3>
          )}
        </div>
        {tickers.isPending && <SkeletonRows rows={5} columns={2} />}
        {tickers.isError && (
          <ErrorState title="The tickers could not be loaded" onRetry={() => void tickers.refetch()}>
            {messageOf(tickers.error)}
          </ErrorState>
        )}
        {search && query.trim() !== '' && results.length === 0 && !isBeginningOfVariable && (
          <EmptyState title="No results found">
            {isSeriesName(query) && request.purpose === 'asset'
              ? 'A series can be used in conditions only, it cannot be traded.'
              : 'No assets found for this search query. Please try again.'}
          </EmptyState>
        )}
        <div
          ref={list}
          role="listbox"
          id={listId}
          aria-label={plural(results.length, 'result')}
          tabIndex={-1}
          className="mt-1"
        >
          {results.map((result, index) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the search box handles the keys
            <div
              key={result.ticker}
              id={`${listId}-${index}`}
              role="option"
              tabIndex={-1}
              aria-selected={index === active}
              onPointerMove={() => setActive(index)}
              onClick={() => pick(result)}
              className={cx(
                'flex min-h-9 cursor-default items-center gap-3 rounded-sm px-2',
                index === active && 'bg-hover',
              )}
            >
              <span className="flex min-w-14">
                <TickerChip ticker={result.ticker} />
              </span>
              <span className="min-w-0 flex-1 truncate">
                {result.kind === 'ratio' ? tickerWords(result.ticker) : result.name}
              </span>
            </div>
          ))}
        </div>
      </div>
    </Dialog>
  );
}
