import type { BacktestAnswer, BacktestRequest } from '@quantloom/domain/contracts/backtest';
import type { Algorithm } from '@quantloom/domain/strategy/tree';
import { useQuery } from '@tanstack/react-query';
import { type ReactElement, useMemo, useState } from 'react';
import { messageOf } from '../../../lib/api.ts';
import { useFeature } from '../../../lib/auth/session.ts';
import { formatDate, formatPercent, formatRatio } from '../../../lib/format.ts';
import { useTickerSearch } from '../../../lib/ticker-search.ts';
import { Button } from '../../../ui/Button.tsx';
import { Popover } from '../../../ui/Popover.tsx';
import { backtest } from '../model/editor-api.ts';
import { useEditorTools } from '../model/editor-context.ts';
import { periodVariants, reasonWords } from '../model/period-variants.ts';

export interface PeriodPopoverProps {
  readonly answer: BacktestAnswer;
  /** What the answer is of. */
  readonly request: BacktestRequest;
  /** Runs another strategy over the same days; the label says what its results are of. */
  readonly onRun: (algorithm: Algorithm, label: string) => void;
  readonly trigger: ReactElement;
}

/** Why a backtest begins and ends where it does, and what it would be without what decided that. */
export function PeriodPopover({
  answer,
  request,
  onRun,
  trigger,
  isOpenAtOnce,
}: PeriodPopoverProps & { isOpenAtOnce: boolean }) {
  const [isOpen, setOpen] = useState(isOpenAtOnce);
  return (
    <Popover title="Why these days" open={isOpen} onOpenChange={setOpen} trigger={trigger} className="w-130">
      <Reasons
        answer={answer}
        request={request}
        onRun={(algorithm, label) => {
          setOpen(false);
          onRun(algorithm, label);
        }}
        onUsed={() => setOpen(false)}
      />
    </Popover>
  );
}

function Reasons({
  answer,
  request,
  onRun,
  onUsed,
}: Pick<PeriodPopoverProps, 'answer' | 'request' | 'onRun'> & { onUsed: () => void }) {
  const { store, newId, isEditable } = useEditorTools();
  const canSimulate = useFeature('web.simulated-tickers.view');
  const tickers = useTickerSearch().data?.data;
  const { calculated_dates: dates, provenance } = answer;
  const variants = useMemo(() => {
    const known = new Set(tickers?.map(({ ticker }) => ticker));
    const decidedBy = [...dates.first_day_decided_by, ...dates.last_day_decided_by];
    return periodVariants(
      request.trading_bot,
      decidedBy,
      newId,
      (ticker) => canSimulate && known.has(ticker),
    );
  }, [tickers, dates, request, newId, canSimulate]);
  return (
    <div className="flex flex-col gap-3 text-sm">
      <p>
        <strong className="font-medium">Starts {formatDate(dates.first_day)}.</strong>{' '}
        {reasonWords(request.trading_bot, dates.first_day_decided_by, 'first')}
      </p>
      <p>
        <strong className="font-medium">Ends {formatDate(dates.last_day)}.</strong>{' '}
        {reasonWords(request.trading_bot, dates.last_day_decided_by, 'last')}
      </p>
      {variants.length > 0 && (
        <table className="w-full max-sm:text-xs">
          <caption className="pb-1 text-left text-muted">What each of these would give</caption>
          <thead>
            <tr className="text-right text-xs text-muted">
              <th scope="col" className="text-left font-normal">
                Strategy
              </th>
              <th scope="col" className="pl-3 font-normal max-sm:hidden">
                From
              </th>
              <th scope="col" className="pl-3 font-normal max-sm:pl-1.5">
                A year
              </th>
              <th scope="col" className="pl-3 font-normal max-sm:pl-1.5">
                Drawdown
              </th>
              <th scope="col" className="pl-3 font-normal max-sm:pl-1.5">
                Sharpe
              </th>
              <th scope="col">
                <span className="sr-only">Actions</span>
              </th>
            </tr>
          </thead>
          <tbody>
            <tr className="border-t border-line">
              <th scope="row" className="py-1.5 text-left font-normal">
                as it is
                <FirstDay answer={answer} />
              </th>
              <Figures answer={answer} />
              <td />
            </tr>
            {variants.map(({ label, algorithm, applyTo }) => (
              <tr key={label} className="border-t border-line">
                <Trial label={label} request={{ ...request, trading_bot: algorithm }} />
                <td className="whitespace-nowrap py-1 pl-2 text-right max-sm:*:block max-sm:*:px-1!">
                  <Button size="sm" variant="ghost" onClick={() => onRun(algorithm, `the strategy ${label}`)}>
                    Show
                  </Button>
                  {isEditable && (
                    <Button
                      size="sm"
                      variant="ghost"
                      onClick={() => {
                        // Not the tree that was run: it may have been edited since.
                        store.edit(`Go on ${label}`, applyTo);
                        onUsed();
                      }}
                    >
                      Use
                    </Button>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {provenance && (
        <p className="text-muted">
          Data {provenance.data_version}, engine {provenance.engine_version}
        </p>
      )}
    </div>
  );
}

/**
 * A variant over the same days, with figures only. It is no trial of the strategy's lineage until it is shown
 * or used.
 */
function Trial({ label, request }: { label: string; request: BacktestRequest }) {
  const result = useQuery({
    queryKey: ['period-variant', request],
    queryFn: ({ signal }) => backtest({ ...request, include: {} }, null, signal),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 60_000,
    retry: false,
  });
  return (
    <>
      <th scope="row" className="py-1.5 text-left font-normal">
        {label}
        {result.data && <FirstDay answer={result.data} />}
      </th>
      {result.data ? (
        <Figures answer={result.data} />
      ) : (
        <td colSpan={4} className="pl-3 text-right text-muted">
          {result.error ? messageOf(result.error) : 'Running…'}
        </td>
      )}
    </>
  );
}

/** Where a phone has no room for the column. */
function FirstDay({ answer }: { answer: BacktestAnswer }) {
  return (
    <span className="block text-muted sm:hidden">from {formatDate(answer.calculated_dates.first_day)}</span>
  );
}

function Figures({ answer: { metrics, calculated_dates } }: { answer: BacktestAnswer }) {
  return (
    <>
      <td className="num whitespace-nowrap py-1.5 pl-3 text-right max-sm:hidden">
        {formatDate(calculated_dates.first_day)}
      </td>
      <td className="num pl-3 text-right max-sm:pl-1.5">{formatPercent(metrics.annualized_return)}</td>
      <td className="num pl-3 text-right max-sm:pl-1.5">{formatPercent(metrics.max_drawdown)}</td>
      <td className="num pl-3 text-right max-sm:pl-1.5">{formatRatio(metrics.sharpe)}</td>
    </>
  );
}
