import { type Api, until } from '../harness/api.ts';

export interface FinishedBatch {
  /** The result file, byte for byte. */
  readonly csv: string;
  /** Number of the combination → why it could not run. */
  readonly failures: Readonly<Record<string, string>>;
}

/**
 * Creates a batch over HTTP, waits for its end and downloads what came out. Rejects with the answer where it
 * is refused or fails.
 */
export async function runBatch(api: Api, request: object): Promise<FinishedBatch> {
  const created = await api.post('/api/v1/batch-backtests', {
    name: 'From outside',
    is_public: false,
    ...request,
  });
  if (created.status !== 201) throw new Error(`${created.status}: ${created.body.error}`);
  const place = `/api/v1/batch-backtests/${created.body.id}`;
  const batch = await until(
    async () => (await api.get(place)).body,
    ({ status }) => status === 'Finished' || status === 'Error',
  );
  if (batch.status !== 'Finished') throw new Error(batch.error);
  const csv = (await api.get(`${place}/results`)).body as string;
  const listed: { combination: number; reason: string }[] = (await api.get(`${place}/results/failures`)).body
    .failures;
  return {
    csv,
    failures: Object.fromEntries(listed.map(({ combination, reason }) => [combination, reason])),
  };
}
