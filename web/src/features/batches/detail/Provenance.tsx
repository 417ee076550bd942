import type { BatchDetail } from '@quantloom/domain/contracts/http/batches';
import { Notice } from '../../../ui/feedback.tsx';
import { templateOf } from '../model/template-of.ts';

/**
 * One line under figures: which strategy, prices and engine they come from, how trades were filled, and what
 * differs today.
 */
export function Provenance({ batch }: { batch: BatchDetail }) {
  const { strategy_revision, data_version, engine_version, fills, differs_today } = batch.provenance;
  return (
    <footer className="flex flex-col gap-2 text-sm text-muted">
      <p>
        {templateOf(batch)?.name ?? 'No template'}
        {strategy_revision !== null && `, revision ${strategy_revision}`} · data {data_version} · engine{' '}
        {engine_version} · {fills}
      </p>
      {differs_today.map((reason) => (
        <Notice key={reason} kind="warning">
          {reason}
        </Notice>
      ))}
    </footer>
  );
}
