import { Bot } from 'lucide-react';
import { Button } from '../../ui/Button.tsx';
import {
  EmptyState,
  ErrorState,
  Notice,
  Progress,
  ProgressRing,
  Skeleton,
  SkeletonRows,
} from '../../ui/feedback.tsx';
import { Spinner } from '../../ui/Spinner.tsx';
import { NotAuthorizedView, NotFoundView } from '../../ui/views.tsx';
import { Row, Specimen } from './Specimen.tsx';

/** What is shown while there is nothing, not yet, or not allowed to be anything. */
export function States() {
  return (
    <Specimen
      title="States"
      rule="Designed, not left over: loading in the shape of what comes, empty with one action, failed with what stays safe and a way on."
    >
      <Row>
        <Spinner label="Loading" />
        <ProgressRing value={40} label="40% done" />
        <ProgressRing value={null} label="Under way" />
        <div className="w-48">
          <Progress value={64} label="64% done" />
        </div>
        <Skeleton className="w-40" />
      </Row>
      <div className="rounded border border-line">
        <SkeletonRows rows={2} />
      </div>
      <Notice>A line that belongs to the page.</Notice>
      <Notice kind="warning">The specified weights must add up to 100% for this block</Notice>
      <Notice kind="danger" action={<Button size="sm">Try again</Button>}>
        Not saved. Your changes are kept here.
      </Notice>
      <Notice kind="success">Saved</Notice>
      <div className="grid gap-4 sm:grid-cols-2">
        <div className="rounded border border-line">
          <EmptyState
            icon={Bot}
            title="No Trading Bots"
            action={<Button variant="primary">New Trading Bot</Button>}
          >
            Get started by creating a Trading Bot
          </EmptyState>
        </div>
        <div className="rounded border border-line">
          <ErrorState
            title="The drafts could not be loaded"
            error={new TypeError('fetch')}
            onRetry={() => {}}
          >
            They are safe on the server.
          </ErrorState>
        </div>
        <div className="rounded border border-line">
          <NotFoundView level={2} />
        </div>
        <div className="rounded border border-line">
          <NotAuthorizedView level={2} />
        </div>
      </div>
    </Specimen>
  );
}
