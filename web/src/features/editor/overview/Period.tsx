import { useMemo } from 'react';
import { formatDate } from '../../../lib/format.ts';
import { FetchedPopup, fetchedPart } from '../../../ui/fetched.tsx';
import { decidingTickers } from '../model/period-variants.ts';
import type { PeriodPopoverProps } from './PeriodPopover.tsx';

const popover = fetchedPart(async () => (await import('./PeriodPopover.tsx')).PeriodPopover);

/** More than a weekend and holidays between the day that was asked for and the day there is. */
const FAR_MS = 7 * 86_400_000;
const areFar = (one: string, other: string) => Math.abs(Date.parse(one) - Date.parse(other)) > FAR_MS;

/**
 * The days of a result, with what decided them where they are not those that were asked for; the reasons open
 * below.
 */
export function Period({ answer, request, onRun }: Omit<PeriodPopoverProps, 'trigger'>) {
  const { first_day: first, last_day: last, ...by } = answer.calculated_dates;
  const isLate = areFar(request.start_date, first);
  const isEarly = areFar(request.end_date, last) && by.last_day_decided_by.length > 0;
  const [starter, ender] = useMemo(
    () => [
      isLate ? decidingTickers(request.trading_bot, by.first_day_decided_by)[0] : undefined,
      isEarly ? decidingTickers(request.trading_bot, by.last_day_decided_by)[0] : undefined,
    ],
    [request, isLate, isEarly, by.first_day_decided_by, by.last_day_decided_by],
  );
  const words = [
    `From ${formatDate(first)}${starter ? `: ${starter}` : ''}`,
    ...(isEarly ? [`to ${formatDate(last)}${ender ? `: ${ender}` : ''}`] : []),
  ].join(' ');
  return (
    <FetchedPopup
      part={popover}
      props={{
        answer,
        request,
        onRun,
        trigger: (
          <button
            type="button"
            className="rounded-sm text-sm text-muted underline decoration-dotted underline-offset-4 hover:text-ink"
          >
            {words}
          </button>
        ),
      }}
    />
  );
}
