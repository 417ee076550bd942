import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Api, until } from '../harness/api.ts';
import { quantloom, type RunningServer, removeDataDir, startServer } from '../harness/server.ts';
import { type Person, signInAll } from './people.ts';
import { ask, type Recording } from './recording.ts';

const FOLDERS = readdirSync(import.meta.dirname)
  .filter((file) => file.endsWith('.tar.gz'))
  .map((file) => file.slice(0, -'.tar.gz'.length));

/** Figures may be summed up in another order. */
const TOLERANCE = 1e-9;

/** Sentences that were mended since, as they were then and as they are now. */
const MENDED: Readonly<Record<string, string>> = {
  'Api client created': 'API client created',
  'Api client deleted': 'API client deleted',
};

/**
 * What of the recorded answer is not in the one of today; an answer may have fields more, but not a line more
 * or less.
 */
function differences(recorded: unknown, now: unknown, at = ''): string[] {
  if (typeof recorded === 'number' && typeof now === 'number')
    return Math.abs(recorded - now) <= TOLERANCE * Math.max(1, Math.abs(recorded))
      ? []
      : [`${at}: ${recorded}, now ${now}`];
  if (Array.isArray(recorded)) {
    if (!Array.isArray(now) || now.length !== recorded.length)
      return [
        `${at}: ${recorded.length} lines, now ${Array.isArray(now) ? now.length : JSON.stringify(now)}`,
      ];
    return recorded.flatMap((line, index) => differences(line, now[index], `${at}/${index}`));
  }
  if (typeof recorded === 'object' && recorded !== null) {
    if (typeof now !== 'object' || now === null) return [`${at}: an object, now ${JSON.stringify(now)}`];
    const fields = now as Record<string, unknown>;
    return Object.entries(recorded).flatMap(([name, value]) =>
      differences(value, fields[name], `${at}/${name}`),
    );
  }
  const expected = typeof recorded === 'string' ? (MENDED[recorded] ?? recorded) : recorded;
  return Object.is(expected, now) ? [] : [`${at}: ${JSON.stringify(recorded)}, now ${JSON.stringify(now)}`];
}

/**
 * Data folders of earlier versions, each as `kill -9` left it; `record-data-folder.ts` made them. They are
 * never made anew.
 */
describe.each(FOLDERS)('%s, opened by this version', (name) => {
  const recording = JSON.parse(
    readFileSync(path.join(import.meta.dirname, `${name}.json`), 'utf8'),
  ) as Recording;
  let server: RunningServer;
  let people: Record<Person, Api>;
  beforeAll(async () => {
    const dataDir = mkdtempSync(path.join(tmpdir(), 'quantloom-upgrade-'));
    execFileSync('tar', ['-xzf', path.join(import.meta.dirname, `${name}.tar.gz`), '-C', dataDir]);
    server = await startServer({ dataDir });
    people = await signInAll(server.url, 'login');
  });
  afterAll(async () => {
    await server?.stop();
    if (server) await removeDataDir(server.dataDir);
  });

  const expectSameAnswers = async () => {
    const found: string[] = [];
    for (const recorded of recording.answers) {
      const { status, answer } = await ask(people[recorded.person], recorded);
      const question = `${recorded.person} ${recorded.method} ${recorded.path}`;
      if (status !== recorded.status) found.push(`${question}: ${recorded.status}, now ${status}`);
      else found.push(...differences(recorded.answer, answer, question));
    }
    expect(found).toEqual([]);
  };
  const finished = (id: string) =>
    until(
      async () => (await people.dan.get(`/api/v1/batch-backtests/${id}`)).body,
      ({ status }) => status === 'Finished' || status === 'Error',
      120_000,
    );

  it('answers everybody what the earlier version answered', expectSameAnswers);

  it('finishes the batch that was at work when the process was killed, with every row', async () => {
    const { id, combinations } = recording.running;
    expect(await finished(id)).toMatchObject({ status: 'Finished', combinations, error: null });
    const { body } = await people.dan.get(`/api/v1/batch-backtests/${id}/results`);
    const rows = parse(body as string, { columns: true }) as Record<string, string>[];
    expect(rows).toHaveLength(combinations);
    const tickers = ['AAPL', 'IBM', 'MSFT'];
    const misplaced = rows.findIndex(
      (row, index) =>
        row.$W !== String(Math.floor(index / 9) + 2) ||
        row.$A !== tickers[Math.floor(index / 3) % 3] ||
        row.$B !== tickers[index % 3],
    );
    expect(misplaced).toBe(-1);
    // The last windows are longer than the prices: such rows stand for a reason, the first ones have figures.
    expect(rows[0]?.cumulative_return).not.toBe('');
  });

  it('lets the machine client in that was made then', async () => {
    const { audience } = (await (await fetch(`${server.url}/config.json`)).json()) as { audience: string };
    const { id, secret } = recording.client;
    const response = await fetch(`${server.url}/oauth/token`, {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'client_credentials',
        client_id: id,
        client_secret: secret,
        audience,
        scope: 'api:backtester',
      }),
    });
    const { access_token } = (await response.json()) as { access_token: string };
    const me = await new Api(server.url, access_token).get('/api/v1/users/me');
    expect(me.body.id).toBe((await people.cleo.get('/api/v1/users/me')).body.id);
  });

  it('takes work on: a strategy of then changes, a batch of now runs', async () => {
    const { ben, dan } = people;
    const drafts = (await ben.get('/api/v1/drafts')).body as { id: string; name: string; revision: number }[];
    const [draft] = drafts;
    const renamed = await ben.patch(`/api/v1/trading-bots/${draft?.id}`, { name: 'Renamed today' });
    expect(renamed).toMatchObject({ status: 200, body: { revision: (draft?.revision ?? 0) + 1 } });
    // Back again, for the second start below.
    await ben.patch(`/api/v1/trading-bots/${draft?.id}`, { name: draft?.name });
    const old = (await dan.get(`/api/v1/batch-backtests/${recording.running.id}`)).body;
    const created = await dan.post('/api/v1/batch-backtests', {
      name: 'Of now',
      template_bot: old.template_bot,
      variables: { $W: [4, 7], $A: ['AAPL'], $B: ['IBM', 'MSFT'] },
      backtest_config: { ...old.backtest_config, slippage_bps: 25 },
    });
    expect(created.status, JSON.stringify(created.body)).toBe(201);
    expect(await finished(created.body.id)).toMatchObject({ status: 'Finished', combinations: 4 });
  });

  it('has a sound log, also when it is started again', async () => {
    const sound = async () => {
      const verified = await quantloom(server.dataDir, 'log', 'verify');
      expect(verified.code, verified.stdout + verified.stderr).toBe(0);
    };
    await sound();
    await server.stop();
    server = await startServer({ dataDir: server.dataDir });
    people = await signInAll(server.url, 'login');
    await sound();
    expect(await finished(recording.running.id)).toMatchObject({ status: 'Finished' });
  });
});
