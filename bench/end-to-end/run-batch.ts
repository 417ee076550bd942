import type { Signed } from '../results/measured-server.ts';
import type { Spent, TreeServer } from './tree-server.ts';

export interface BatchRun {
  readonly id: string;
  readonly rows: number;
  /** On the clock, from the request on. */
  readonly seconds: { readonly rows: number; readonly finished: number };
  /** From its creation to its end by the log: followers are told up to half a second later. */
  readonly secondsByLog: number;
  /** Processor seconds until all rows were there, and from then to the end. */
  readonly computing: Spent;
  readonly compiling: Spent;
  readonly peakMegabytes: number;
  readonly hash: string | null;
}

interface BatchAnswer {
  readonly combinations: number;
  readonly created_at: string;
  readonly time_actual: { readonly end_time: string | null };
  readonly provenance?: { readonly result_hash?: string | null };
}

const minus = (a: Spent, b: Spent): Spent => ({
  engine: a.engine - b.engine,
  storing: a.storing - b.storing,
  messaging: a.messaging - b.messaging,
  total: a.total - b.total,
});

/** Runs one batch to its end, followed by its events as the page does. */
export async function runBatch(
  { call, token }: Signed,
  server: TreeServer,
  request: object,
): Promise<BatchRun> {
  server.peakMegabytes();
  const before = server.spent();
  const began = performance.now();
  const { id } = await call<{ id: string }>('POST', '/api/v1/batch-backtests', request);
  let stored: { readonly at: number; readonly spent: Spent } | null = null;
  for await (const status of statuses(server.url, token, id)) {
    if (status === 'Error') throw new Error('The batch ended with an error');
    if (status === 'CompilingResults' || status === 'Finished')
      stored ??= { at: (performance.now() - began) / 1e3, spent: server.spent() };
  }
  const finished = (performance.now() - began) / 1e3;
  if (!stored) throw new Error('The batch was not followed to its end');
  const after = server.spent();
  const batch = await call<BatchAnswer>('GET', `/api/v1/batch-backtests/${id}`);
  return {
    id,
    rows: batch.combinations,
    seconds: { rows: stored.at, finished },
    secondsByLog: (Date.parse(batch.time_actual.end_time ?? '') - Date.parse(batch.created_at)) / 1e3,
    computing: minus(stored.spent, before),
    compiling: minus(after, stored.spent),
    peakMegabytes: server.peakMegabytes(),
    hash: batch.provenance?.result_hash ?? null,
  };
}

export interface Waited {
  /** Milliseconds until the server had taken the request. */
  readonly accepted: number;
  /** Until it was told that all rows are stored. */
  readonly computed: number;
  /** Until the first page of rows was there. */
  readonly rows: number;
}

const VERDICT_TRIES = 3_000;
const VERDICT_PAUSE_MS = 20;

/** What a small batch took with the verdict on it, which is made after the rows are there. */
export interface Judged extends Waited {
  /** Milliseconds until the verdict was there. */
  readonly verdict: number;
  /** Processor milliseconds of the server, all threads together. */
  readonly cpu: number;
}

/** A small batch from the request to its rows, and on to its verdict. */
export async function clickToVerdict(signed: Signed, server: TreeServer, request: object): Promise<Judged> {
  const began = performance.now();
  const before = server.spent();
  const { id, ...waited } = await clickToRows(signed, server.url, request);
  for (let tries = 1; ; tries += 1)
    try {
      await signed.call('GET', `/api/v1/batch-backtests/${id}/analysis/verdict`);
      break;
    } catch (error) {
      // Refused until the batch has finished.
      if (tries === VERDICT_TRIES) throw error;
      await new Promise((resolve) => setTimeout(resolve, VERDICT_PAUSE_MS));
    }
  const cpu = 1000 * (server.spent().total - before.total);
  return { ...waited, verdict: performance.now() - began, cpu };
}

/**
 * The first rows of a small batch as soon as they can be read: what a click waits for. An earlier version
 * lets them be read when the batch has finished.
 */
export async function clickToRows(
  { call, token }: Signed,
  url: string,
  request: object,
): Promise<Waited & { readonly id: string }> {
  const began = performance.now();
  const { id } = await call<{ id: string }>('POST', '/api/v1/batch-backtests', request);
  const accepted = performance.now() - began;
  let computed: number | undefined;
  const rows = () =>
    call<{ rows: readonly unknown[] }>('GET', `/api/v1/batch-backtests/${id}/results?limit=1000`);
  for await (const status of statuses(url, token, id)) {
    if (status === 'Error') throw new Error('The batch ended with an error');
    if (status !== 'Finished' && status !== 'CompilingResults') continue;
    computed ??= performance.now() - began;
    const page = await rows().catch(() => null);
    if (page) return { id, accepted, computed, rows: performance.now() - began };
  }
  throw new Error('The rows could not be read');
}

/** On a busy machine the read side may be behind the answer to the request by more than it is waited for. */
const UNKNOWN_TRIES = 100;
const UNKNOWN_PAUSE_MS = 100;

async function follow(url: string, token: string, id: string): Promise<Response> {
  for (let tries = 1; ; tries += 1) {
    const response = await fetch(`${url}/api/v1/batch-backtests/${id}/events`, {
      headers: { authorization: `Bearer ${token}` },
    });
    if (response.status !== 404 || tries === UNKNOWN_TRIES) return response;
    await response.arrayBuffer();
    await new Promise((resolve) => setTimeout(resolve, UNKNOWN_PAUSE_MS));
  }
}

/** What a batch's events say of its status, to its end. */
export async function* statuses(url: string, token: string, id: string): AsyncGenerator<string> {
  const response = await follow(url, token, id);
  if (!response.ok || !response.body) throw new Error(`The batch cannot be followed: ${response.status}`);
  let text = '';
  for await (const piece of response.body.pipeThrough(new TextDecoderStream())) {
    text += piece;
    const events = text.split('\n\n');
    text = events.pop() ?? '';
    for (const event of events) {
      const data = /^data: (.*)$/m.exec(event)?.[1];
      if (data) yield (JSON.parse(data) as { status: string }).status;
    }
  }
}
