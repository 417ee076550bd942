import { getTradingBotImport } from '@quantloom/domain/contracts/http/calls';
import { useQuery } from '@tanstack/react-query';
import { api, messageOf } from '../../../lib/api.ts';
import { formatDateTime } from '../../../lib/format.ts';
import { Button } from '../../../ui/Button.tsx';
import { Dialog } from '../../../ui/Dialog.tsx';
import { ErrorState } from '../../../ui/feedback.tsx';
import type { EditorStore } from '../model/editor-store.ts';
import { FidelityList } from './FidelityList.tsx';

/** The report of the import that a saved strategy came from. */
export function OriginDialog({
  id,
  store,
  onClose,
}: {
  id: string;
  store: EditorStore;
  onClose: () => void;
}) {
  const origin = useQuery({
    queryKey: ['trading-bots', id, 'import'],
    queryFn: ({ signal }) => api().call(getTradingBotImport, { params: { id }, signal }),
  });
  const { imported_at: at, file_name: file, report } = origin.data ?? {};
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title="Import report"
      size="lg"
      description={
        at && report && `${report.source}${file ? `, ${file}` : ''}, imported on ${formatDateTime(at)}.`
      }
      footer={<Button onClick={onClose}>Close</Button>}
    >
      {origin.isError && (
        <ErrorState title="The report could not be loaded" onRetry={() => void origin.refetch()}>
          {messageOf(origin.error)}
        </ErrorState>
      )}
      {origin.data && !report && <p>This strategy was not imported from another tool.</p>}
      {report && (
        <FidelityList
          report={report}
          onBlock={(block) => {
            onClose();
            store.reveal(block);
          }}
        />
      )}
    </Dialog>
  );
}
