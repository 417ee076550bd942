import type { AsLived } from '@quantloom/domain/contracts/http/as-lived';
import { formatDate, formatMetric, plural } from '../../lib/format.ts';
import { horizonInWords, specOf } from './registration.ts';

/** What was said beforehand will count, and what has come of it. */
export function RegisteredNote({ registered }: { registered: AsLived['registered'] }) {
  if (!registered) return null;
  const { metric, horizon_days: horizon, end_day: end, days, days_so_far: passed, value } = registered;
  const spec = specOf(metric);
  const none = registered.is_decided ? 'no figure' : 'no figure yet';
  const figure = <strong>{value === null ? none : value === 0 ? '0' : formatMetric(spec, value)}</strong>;
  return (
    <p>
      Registered on {formatDate(registered.registered_at)}: {spec.label} over {horizonInWords(horizon)}.{' '}
      {registered.is_decided ? (
        <>
          Decided on {formatDate(end)}, after {plural(days, 'trading day')}: {figure}.
        </>
      ) : (
        <>
          So far, after {passed} of {plural(days, 'trading day')}: {figure}. It is decided on{' '}
          {formatDate(end)}.
        </>
      )}
      {registered.is_revised &&
        ' Part of it was decided by another revision than the one that was registered.'}
    </p>
  );
}
