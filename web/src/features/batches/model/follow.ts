import type { BatchDetail, BatchServerEvent } from '@quantloom/domain/contracts/http/batches';
import { followBatchBacktest } from '@quantloom/domain/contracts/http/calls';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { api } from '../../../lib/api.ts';

/** Splits a server-sent event stream into its data texts. Comments and other fields are left out. */
async function* readEvents(stream: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const reader = stream
    .pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>)
    .getReader();
  let buffer = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    buffer += value;
    for (let end = buffer.search(/\r?\n\r?\n/); end !== -1; end = buffer.search(/\r?\n\r?\n/)) {
      const block = buffer.slice(0, end);
      buffer = buffer.slice(end).replace(/^(\r?\n){2}/, '');
      const data = block
        .split(/\r?\n/)
        .filter((line) => line.startsWith('data:'))
        .map((line) => line.slice(5).trimStart())
        .join('\n');
      if (data !== '') yield data;
    }
  }
}

/** Whether a batch still changes by itself. */
export function isOpen({ status }: Pick<BatchDetail, 'status'>): boolean {
  return status !== 'Finished' && status !== 'Stopped' && status !== 'Error';
}

/**
 * Keeps an open batch's detail in the query cache up to date by server-sent events. Answers false when the
 * stream is not to be had: the caller then polls.
 */
export function useFollowBatch(id: string, isFollowing: boolean): boolean {
  const queryClient = useQueryClient();
  const [isStreaming, setStreaming] = useState(true);
  useEffect(() => {
    if (!isFollowing) return;
    const abort = new AbortController();
    const follow = async () => {
      const response = await api().open(followBatchBacktest, { params: { id }, signal: abort.signal });
      if (!response.body) throw new Error('The browser does not stream answers');
      setStreaming(true);
      let hasEnded = false;
      for await (const text of readEvents(response.body)) {
        const { status, ...event } = JSON.parse(text) as BatchServerEvent;
        hasEnded = status === 'Deleted' || !isOpen({ status });
        if (status === 'Deleted') break;
        queryClient.setQueryData<BatchDetail>(
          ['batch-backtests', id],
          (old) => old && { ...old, ...event, status },
        );
        if (hasEnded) break;
      }
      // A server that closes the stream of a running batch leaves the rest to polling.
      if (!hasEnded) setStreaming(false);
      // The end of a batch brings its summary.
      await queryClient.invalidateQueries({ queryKey: ['batch-backtests'] });
    };
    follow().catch(() => {
      if (!abort.signal.aborted) setStreaming(false);
    });
    return () => abort.abort();
  }, [id, isFollowing, queryClient]);
  return isStreaming;
}
