import { getMarketDataImport } from '@quantloom/domain/contracts/http/calls';
import type { UploadAnswer } from '@quantloom/domain/contracts/http/market-data-imports';
import type { ChangedResult, ChangedResults } from '@quantloom/domain/market-data/changed-results';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { api, messageOf } from '../../../lib/api.ts';
import { formatCount, formatDate, formatPercent, plural } from '../../../lib/format.ts';
import { TickerChip } from '../../../ui/Badge.tsx';
import { Button } from '../../../ui/Button.tsx';
import { Notice } from '../../../ui/feedback.tsx';
import { ScrollRegion } from '../../../ui/ScrollRegion.tsx';
import { type Moment, resultsHeading } from './changed-results-words.ts';

const ASKED_EVERY_MS = 1_000;
/** Shown before somebody asks for more. */
const FIRST_SHOWN = 20;

/**
 * Which batches and strategies an import would change, has changed, or has given back; asked for until all is
 * known.
 */
export function ChangedResultsView({
  id,
  answer,
  isUndone,
}: {
  id: string;
  answer: UploadAnswer;
  isUndone: boolean;
}) {
  const query = useQuery({
    queryKey: ['market-data-import', id, answer.state, answer.report?.createdAt],
    queryFn: async ({ signal }) =>
      (await api().call(getMarketDataImport, { params: { id }, signal })).data.changed_results,
    refetchInterval: ({ state }) => (isOpen(state.data) ? ASKED_EVERY_MS : false),
    retry: 3,
  });
  if (query.error) return <Notice kind="warning">{messageOf(query.error)}</Notice>;
  if (query.data === null) return null;
  if (query.data === undefined || query.data.state === 'listing')
    return (
      <p role="status" className="text-muted">
        Looking for the batches and strategies that use these prices …
      </p>
    );
  const { state, batches, strategies } = query.data;
  const moment = isUndone ? 'undone' : answer.state === 'published' ? 'published' : 'previewed';
  return (
    <section aria-label="Results" className="flex flex-col gap-3">
      {state === 'stopped' && (
        <Notice kind="warning">
          The search for results was ended before it was complete: what stands here may not be all.
        </Notice>
      )}
      {batches.total + strategies.total === 0 && state !== 'stopped' && (
        <p className="text-muted">{NONE[moment]}</p>
      )}
      <Results kind="batch" list={batches} moment={moment} />
      <Results kind="strategy" list={strategies} moment={moment} />
      {state === 'figures' && (
        <p role="status" className="text-muted">
          Computing figures again …
        </p>
      )}
    </section>
  );
}

const NONE: Readonly<Record<Moment, string>> = {
  previewed: 'No batch and no last run of a strategy would use other prices than before.',
  published: 'No batch and no last run of a strategy used prices that are others now.',
  undone: 'No batch and no last run of a strategy used prices that were others in between.',
};

function isOpen(results: ChangedResults | null | undefined): boolean {
  return results?.state === 'listing' || results?.state === 'figures';
}

function Results({
  kind,
  list: { total, items },
  moment,
}: {
  kind: 'batch' | 'strategy';
  list: ChangedResults['batches'];
  moment: Moment;
}) {
  const [isLong, setIsLong] = useState(false);
  if (total === 0) return null;
  const shown = items.slice(0, isLong ? items.length : FIRST_SHOWN);
  const hasFigures = items.some(({ figure }) => figure !== null);
  const heading = resultsHeading(kind, total, moment);
  const columns = ['Name', ...(hasFigures ? figureColumns(moment) : []), 'Tickers', 'From'];
  return (
    <div className="flex flex-col gap-2">
      <h3 className="font-medium">{heading}</h3>
      <ScrollRegion label={heading} className="max-h-96 overflow-auto">
        <table className="w-full text-left text-sm">
          <thead className="sticky top-0 bg-surface text-muted">
            <tr>
              {columns.map((name) => (
                <th key={name} scope="col" className="whitespace-nowrap px-2 sm:px-3 py-2 font-medium">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody className="num">
            {shown.map((result) => (
              <Row key={result.id} kind={kind} result={result} hasFigures={hasFigures} moment={moment} />
            ))}
          </tbody>
        </table>
      </ScrollRegion>
      {hasFigures && (
        <p className="text-sm text-muted">
          Return a year{kind === 'batch' && ' of the first combination'}, computed by the same engine on both
          versions of the prices; for the newest ones that are not large.
        </p>
      )}
      {total > shown.length && (
        <div className="flex flex-wrap items-center gap-3">
          <span className="text-muted">and {formatCount(total - shown.length)} more</span>
          {!isLong && items.length > shown.length && (
            <Button onClick={() => setIsLong(true)}>
              Show {formatCount(items.length - shown.length)} of them
            </Button>
          )}
        </div>
      )}
    </div>
  );
}

/** An undone import is told the other way round: what it made in between, and what it makes again. */
function figureColumns(moment: Moment): readonly [string, string] {
  return moment === 'undone' ? ['In between', 'Again'] : ['Then', 'Now'];
}

function Row({
  kind,
  result: { id, name, tickers, ticker_count, changed_from, figure },
  hasFigures,
  moment,
}: {
  kind: 'batch' | 'strategy';
  result: ChangedResult;
  hasFigures: boolean;
  moment: Moment;
}) {
  const [left, right] =
    moment === 'undone' ? [figure?.after, figure?.before] : [figure?.before, figure?.after];
  const more = ticker_count - tickers.length;
  return (
    <tr className="border-t border-line align-top">
      <td className="min-w-32 px-2 sm:px-3 py-1">
        {name === null ? (
          <>
            <span className="text-muted">Private, of another account</span>
            <span className="block break-all font-mono text-xs text-muted">{id}</span>
          </>
        ) : (
          <Link
            to={kind === 'batch' ? `/batch-backtests/${id}` : `/editor/${id}`}
            className="break-words hover:underline"
          >
            {name}
          </Link>
        )}
      </td>
      {hasFigures && (
        <>
          <td className="px-2 sm:px-3 py-1">{formatPercent(left)}</td>
          <td className="px-2 sm:px-3 py-1">{formatPercent(right)}</td>
        </>
      )}
      <td className="px-2 sm:px-3 py-1">
        <span className="flex flex-wrap items-center gap-1">
          {tickers.map((ticker) => (
            <TickerChip key={ticker} ticker={ticker} name={ticker} />
          ))}
          {more > 0 && <span>{tickers.length > 0 ? `and ${more} more` : plural(more, 'ticker')}</span>}
        </span>
      </td>
      <td className="whitespace-nowrap px-2 sm:px-3 py-1">{formatDate(changed_from)}</td>
    </tr>
  );
}
