import type { BatchDetail } from '@quantloom/domain/contracts/http/batches';

/**
 * The template as it was when the batch ran; null where none is stored with the batch, which everything but
 * running it again can do without.
 */
export function templateOf(batch: Pick<BatchDetail, 'template_bot'>): BatchDetail['template_bot'] | null {
  return (batch.template_bot as BatchDetail['template_bot'] | null | undefined) ?? null;
}
