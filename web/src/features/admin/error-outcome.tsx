import type { replayBacktestErrors } from '@quantloom/domain/contracts/http/backtest-errors';
import type { AnswerOf } from '@quantloom/domain/contracts/http/route';
import { Badge, type BadgeColor } from '../../ui/Badge.tsx';

type ReplayOutcome = AnswerOf<typeof replayBacktestErrors>['outcomes'][number];
export type OutcomeKind = ReplayOutcome['kind'];

const COLORS: Readonly<Record<OutcomeKind, BadgeColor>> = {
  open: 'yellow',
  succeeded: 'green',
  refused: 'blue',
  failed: 'red',
  requeued: 'purple',
};

/** How the last replay of an error ended; `open` before the first. */
export function OutcomeBadge({ kind }: { kind: OutcomeKind }) {
  return <Badge color={COLORS[kind]}>{kind}</Badge>;
}
