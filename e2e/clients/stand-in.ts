import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

const AT_ONCE = { 'retry-after': '0' };
const BATCHES = '/api/v1/batch-backtests';
/** Whatever else is asked for, and the word that its answer tells. */
const OTHERS: Readonly<Record<string, string>> = {
  '/api/v1/import': 'import',
  '/api/v1/backtests': 'backtests',
  [`${BATCHES}/estimate`]: 'estimate',
  [`${BATCHES}/b1/analysis/verdict`]: 'verdict',
};
const DRAFTS = ['a', 'b', 'c', 'd', 'e'].map((id) => ({ id, name: id }));

interface Answer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Text goes out as it is. */
  readonly body: unknown;
}
const problem = (status: number, code: string, error: string): Answer => ({
  ...{ status, body: { status, code, error, title: code, detail: 'In words for programs.' } },
  headers: { ...AT_ONCE, 'content-type': 'application/problem+json' },
});
const busy = (status: number) => problem(status, 'busy', 'Ask again.');

/** What batches answer, one time after the other; the last answer stays. */
const OF_BATCHES: Readonly<Record<string, readonly Answer[]>> = {
  waits: ['Queued', 'Running', 'Finished'].map((status) => ({ body: { id: 'waits', status } })),
  long: ['Running', 'Running', 'Finished'].map((status) => ({ body: { id: 'long', status } })),
  busy: [busy(429), busy(503), { body: { id: 'busy', status: 'Finished' } }],
  // Its session ends while the API is busy.
  late: [
    busy(429),
    problem(401, 'unauthenticated', 'Sign in again.'),
    { body: { id: 'late', status: 'Finished' } },
  ],
  dated: [
    { status: 503, headers: { 'retry-after': new Date(0).toUTCString() }, body: {} },
    { body: { id: 'dated', status: 'Finished' } },
  ],
  stopped: [{ body: { id: 'stopped', status: 'Stopped' } }],
  broken: [{ body: { id: 'broken', status: 'Error', error: 'NOPE has no prices' } }],
  away: [{ status: 503, headers: { ...AT_ONCE, 'content-type': 'text/plain' }, body: 'Bad day' }],
  nothing: [problem(404, 'batch_not_found', 'There is no such batch.')],
  unknown: [problem(404, 'batch_not_found', 'There is no such batch.')],
  brief: [{ body: { id: 'brief', status: 'Finished' } }],
  asked: [
    { status: 429, headers: { 'retry-after': '7' }, body: {} },
    { body: { id: 'asked', status: 'Finished' } },
  ],
  unasked: [
    { status: 503, body: {} },
    { status: 503, body: {} },
    { body: { id: 'unasked', status: 'Finished' } },
  ],
};

export type StandIn = Awaited<ReturnType<typeof standIn>>;

/** An API that is in the way of its clients as real ones seldom are, and remembers what it was asked. */
export async function standIn() {
  const record = {
    /** How often a token was asked for, and given. */
    asked: 0,
    tokens: 0,
    /** For whom tokens were asked for, each once. */
    audiences: [] as unknown[],
    /** How often each batch was asked for. */
    batches: {} as Record<string, number>,
    keys: [] as unknown[],
    results: [] as Record<string, string[]>[],
    drafts: [] as Record<string, string[]>[],
    calls: [] as { path: string; body: unknown }[],
  };
  const answerTo = (method: string, url: URL, token: string, key: unknown, body: unknown): Answer => {
    const query = Object.fromEntries(
      [...url.searchParams.keys()].map((name) => [name, url.searchParams.getAll(name)]),
    );
    const { pathname } = url;
    if (pathname === '/oauth/token') {
      record.asked += 1;
      if (record.asked === 1)
        return { status: 503, headers: { ...AT_ONCE, 'content-type': 'text/plain' }, body: 'Bad day' };
      if ((body as { client_secret?: string }).client_secret !== 'secret')
        return { status: 401, body: { error: 'invalid_client', error_description: 'It is another secret.' } };
      record.tokens += 1;
      const { audience } = body as { audience?: unknown };
      if (!record.audiences.includes(audience)) record.audiences.push(audience);
      const seconds = audience === 'https://other.example' ? 0 : 3600;
      return { body: { access_token: `t${record.tokens}`, expires_in: seconds } };
    }
    // The session of the first token has been ended.
    if (token === 'Bearer t1') return problem(401, 'unauthenticated', 'Sign in again.');
    const word = OTHERS[pathname];
    if (word !== undefined) {
      record.calls.push({ path: pathname, body });
      return { body: { told: word } };
    }
    if (method === 'POST') {
      record.keys.push(key);
      return record.keys.length === 1 ? busy(503) : { status: 201, body: { id: 'b1' } };
    }
    if (pathname.endsWith('/results')) {
      record.results.push(query);
      if (query.format?.[0] === 'parquet')
        return { headers: { 'content-type': 'application/vnd.apache.parquet' }, body: 'PAR1' };
      const columns = ['n', '$W'];
      if (!query.cursor)
        return {
          body: {
            columns,
            rows: [
              [1, 'SPY'],
              [2, null],
            ],
            next_cursor: 'c2',
          },
        };
      return { body: { columns, rows: [[3, 'TLT']], next_cursor: null } };
    }
    if (pathname === '/api/v1/drafts') {
      record.drafts.push(query);
      const [skip, limit] = [Number(query.skip?.[0]), Number(query.limit?.[0])];
      return { body: DRAFTS.slice(skip, skip + limit) };
    }
    const id = pathname.slice(BATCHES.length + 1);
    const before = record.batches[id] ?? 0;
    record.batches[id] = before + 1;
    const answers = OF_BATCHES[id] ?? [];
    return answers[Math.min(before, answers.length - 1)] ?? { status: 500, body: {} };
  };
  const server = createServer(async ({ method = '', url = '', headers }, response) => {
    const body = method === 'POST' ? await json(response.req) : null;
    const path = new URL(url, 'http://stand-in');
    const answer = answerTo(method, path, headers.authorization ?? '', headers['idempotency-key'], body);
    response.writeHead(answer.status ?? 200, { 'content-type': 'application/json', ...answer.headers });
    response.end(typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    record,
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}
