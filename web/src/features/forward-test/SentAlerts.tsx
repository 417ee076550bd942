import type { SentAlert } from '@quantloom/domain/contracts/http/alerts';
import { formatDateTime } from '../../lib/format.ts';
import { Badge } from '../../ui/Badge.tsx';
import { ScrollRegion } from '../../ui/ScrollRegion.tsx';

const STATES = {
  sending: { label: 'Being sent', color: 'blue' },
  waiting: { label: 'Tried again later', color: 'yellow' },
  delivered: { label: 'Delivered', color: 'green' },
  given_up: { label: 'Given up', color: 'red' },
  lapsed: { label: 'Not sent: too old by then', color: 'red' },
} as const;
const KINDS = {
  holdings: 'holdings',
  near: 'close to flipping',
  failed: 'not evaluated',
  band: 'left its band',
  ended: 'deleted or made private',
} as const;

/** The last messages to the user, with what came of each. */
export function SentAlerts({ sent }: { sent: readonly SentAlert[] }) {
  if (sent.length === 0) return <p className="text-sm text-muted">Nothing was sent so far.</p>;
  return (
    <ScrollRegion label="What was sent" className="overflow-x-auto">
      <table className="w-full text-sm">
        <thead className="text-left text-xs text-muted">
          <tr>
            {['Sent', 'By', 'About', 'Result'].map((label) => (
              <th key={label} scope="col" className="py-1 pr-4 font-normal">
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {sent.map(({ id, at, channel, day, kinds, state, attempts, reason }) => (
            <tr key={id} className="border-t border-line align-top">
              <td className="py-1.5 pr-4 whitespace-nowrap">{formatDateTime(at)}</td>
              <td className="py-1.5 pr-4">{channel === 'mail' ? 'Mail' : 'Webhook'}</td>
              <td className="py-1.5 pr-4">
                {day}: {kinds.map((kind) => KINDS[kind]).join(', ')}
              </td>
              <td className="py-1.5">
                <Badge color={STATES[state].color}>{STATES[state].label}</Badge>
                {reason !== null && <span className="text-muted"> {reason}</span>}
                {attempts > 1 && <span className="text-muted"> ({attempts} attempts)</span>}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  );
}
