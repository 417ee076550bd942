import { pinResultRow, unpinResultRow, updateBatchBacktest } from '@quantloom/domain/contracts/http/calls';
import { api, queryClient } from '../../../lib/api.ts';

const changed = (id: string) =>
  queryClient.invalidateQueries({ queryKey: ['batch-backtests', id], exact: true });

/** Pins a result row; pinning again changes its note. */
export async function pinRow(id: string, combination: number, note: string): Promise<void> {
  await api().call(pinResultRow, { params: { id }, body: { combination, note } });
  await changed(id);
}

export async function unpinRow(id: string, combination: number): Promise<void> {
  await api().call(unpinResultRow, { params: { id, combination: String(combination) } });
  await changed(id);
}

/** Changes the note on the batch as a whole. */
export async function saveNote(id: string, note: string): Promise<void> {
  await api().call(updateBatchBacktest, { params: { id }, body: { note } });
  await changed(id);
}
