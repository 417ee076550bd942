/**
 * Makes the data folder that `upgrade.slow.test.ts` opens: starts the product of a checkout on an empty
 * folder, lets people work through its HTTP API, notes what it answers them, and ends it by `kill -9` while a
 * batch is at work.
 *
 *     node e2e/upgrade/record-data-folder.ts CHECKOUT NAME
 *
 * writes `e2e/upgrade/NAME.tar.gz` (the folder as the killed process left it) and `NAME.json` (the answers).
 * CHECKOUT is a working copy of the version in question with its dependencies installed; run it with Node 24.
 */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { Api, until } from '../harness/api.ts';
import { quantloom, REPOSITORY, removeDataDir, startServer } from '../harness/server.ts';
import { asset, condition, ifThenElse, root } from '../harness/templates.ts';
import { bodyOf, signInAll } from './people.ts';
import { ask, type RecordedAnswer, type Recording } from './recording.ts';

const [checkout = '', name = ''] = process.argv.slice(2);
if (!checkout || !/^[\w-]+$/.test(name)) throw new Error('Usage: record-data-folder.ts CHECKOUT NAME');
const git = (...words: string[]) =>
  execFileSync('git', ['-C', checkout, ...words], { encoding: 'utf8' }).trim();

const DAYS = { start_date: '2004-01-02', end_date: '2012-12-31', benchmark_ticker: 'MSFT' };
const terms = { ...DAYS, slippage_bps: 10, starting_balance: 10_000 };
const rsi = (title: string, window: unknown, thenTicker: string, elseTicker: string) =>
  root(
    title,
    ifThenElse(
      [condition({ lhs_val: 'MSFT', lhs_fn_params: { window } })],
      [asset(thenTicker)],
      [asset(elseTicker)],
    ),
  );

// What an installation has: two processors at most, and a machine client from its environment.
const server = await startServer({
  program: path.join(path.resolve(checkout), 'deploy/src/start.ts'),
  environment: { COMPUTE_THREADS: '1' },
});
const { url, dataDir } = server;
try {
  const imported = await quantloom(
    dataDir,
    'data',
    'import',
    path.join(REPOSITORY, 'docs/examples/public_domain.csv.gz'),
  );
  if (imported.code !== 0) throw new Error(imported.stdout + imported.stderr);

  const { ada, ben, cleo, dan } = await signInAll(url, 'signup');
  const visitor = new Api(url);
  bodyOf(await visitor.post('/api/v1/waitlist', { email: 'eve@example.com' }));

  // The administrator puts two people on the API plan and gives one of them a right.
  const users = await until(
    async () => bodyOf(await ada.get('/api/v1/admin/users')).users as { id: string; email: string }[],
    (all) => all.length >= 4,
  );
  const idOf = (person: string) => users.find(({ email }) => email.startsWith(person))?.id ?? '';
  for (const person of ['cleo', 'dan'])
    bodyOf(await ada.post(`/api/v1/admin/users/${idOf(person)}/plan`, { plan_id: 'api' }));
  bodyOf(
    await ada.post(`/api/v1/admin/users/${idOf('ben')}/features`, {
      feature: 'web.settings.api-clients.view',
      granted: true,
      reason: 'Asked for it.',
    }),
  );

  const save = async (api: Api, title: string, algorithm: unknown, isPublic = false): Promise<string> =>
    bodyOf(await api.post('/api/v1/trading-bots', { name: title, is_public: isPublic, algorithm })).id;
  const bot = (id: string) => `/api/v1/trading-bots/${id}`;

  // Strategies with a history: saved, renamed, shown, restored, cloned, deleted and brought back.
  const shared = await save(ada, 'Ada’s “momentum”', rsi('Momentum', 10, 'AAPL', 'IBM'), true);
  const secret = await save(ada, 'Nobody sees this', rsi('Private', 20, 'MSFT', 'IBM'));
  const changed = await save(ben, 'Draft 1', rsi('Draft 1', 10, 'AAPL', 'IBM'));
  for (const window of [12, 14, 16])
    bodyOf(await ben.patch(bot(changed), { algorithm: rsi('Draft 1', window, 'AAPL', 'MSFT') }));
  bodyOf(await ben.patch(bot(changed), { name: 'Zoë’s naïve 策略 🚀' }));
  bodyOf(await ben.post(`${bot(changed)}/history/1/restore`, undefined));
  const clone = bodyOf(await ben.post(`${bot(shared)}/clone`, undefined)).id as string;
  const undone = await save(ben, 'Deleted and brought back', rsi('Undone', 5, 'GOOG', 'IBM'));
  bodyOf(await ben.delete(`/api/v1/drafts/${undone}`));
  bodyOf(await ben.post(`${bot(undone)}/undo-delete`, undefined));
  const gone = await save(ben, 'Deleted', rsi('Gone', 5, 'GOOG', 'IBM'));
  bodyOf(await ben.delete(`/api/v1/drafts/${gone}`));
  bodyOf(
    await ben.post('/api/v1/backtests', {
      ...terms,
      trading_bot: rsi('Tried', 10, 'AAPL', 'IBM'),
      strategy_id: changed,
    }),
  );

  // Lists, private and public.
  const list = async (title: string, isPublic: boolean, variables: string[]): Promise<string> =>
    bodyOf(await cleo.post('/api/v1/variable-lists', { name: title, is_public: isPublic, variables })).id;
  const privateList = await list('Mine', false, ['AAPL', 'IBM', 'MSFT']);
  const publicList = await list('For everybody', true, ['AAPL', 'GOOG']);
  bodyOf(await cleo.patch(`/api/v1/variable-lists/${privateList}`, { variables: ['AAPL', 'IBM'] }));
  const cloned = bodyOf(await ada.post(`/api/v1/variable-lists/${publicList}/clone`, undefined)).id as string;
  const goneList = await list('Deleted', false, ['IBM']);
  bodyOf(await cleo.delete(`/api/v1/variable-lists/${goneList}`));

  // Batches: one private with a failure in it, one public whose rows were there already, one deleted.
  const template = rsi('Template', '$W', '$A', '$B');
  const templateId = await save(cleo, 'Template', template);
  const create = async (api: Api, title: string, variables: Record<string, unknown[]>, isPublic = false) => {
    const { id, combinations } = bodyOf(
      await api.post('/api/v1/batch-backtests', {
        name: title,
        is_public: isPublic,
        template_bot: { id: templateId, name: 'Template', algorithm: template },
        variables,
        backtest_config: terms,
      }),
    );
    return { id, combinations, path: `/api/v1/batch-backtests/${id}` };
  };
  const finished = (api: Api, batch: string) =>
    until(
      async () => (await api.get(batch)).body,
      ({ status }) => status === 'Finished' || status === 'Error',
    );
  const first = await create(cleo, 'First', {
    $W: [5, 10, 14],
    $A: ['AAPL', 'MSFT', 'FB'],
    $B: ['IBM', 'MSFT'],
  });
  await finished(cleo, first.path);
  const again = await create(cleo, 'Again', { $W: [5, 10], $A: ['AAPL', 'MSFT'], $B: ['IBM', 'MSFT'] }, true);
  await finished(cleo, again.path);
  const deleted = await create(cleo, 'Deleted', { $W: [3], $A: ['AAPL'], $B: ['IBM'] });
  await finished(cleo, deleted.path);
  bodyOf(await cleo.delete(deleted.path));
  bodyOf(await cleo.patch(first.path, { name: 'The first one' }));
  bodyOf(await cleo.patch(first.path, { note: 'The best window is the shortest.' }));
  bodyOf(await cleo.post(`${first.path}/pins`, { combination: 2, note: 'Keep.' }));
  const client = bodyOf(await cleo.post('/api/v1/oauth/clients', {}));

  const apis = { ada, ben, cleo, dan };
  const questions: Pick<RecordedAnswer, 'person' | 'method' | 'path' | 'request'>[] = [];
  const get = (person: keyof typeof apis, ...paths: string[]) => {
    for (const one of paths) questions.push({ person, method: 'GET', path: one });
  };
  for (const person of ['ada', 'ben', 'cleo', 'dan'] as const) {
    get(person, '/api/v1/users/me', '/api/v1/drafts', '/api/v1/subscriptions/me');
    // Dan starts a batch afterwards, which stands in his history.
    if (person !== 'dan') get(person, '/api/v1/users/me/history?format=json');
    get(person, bot(shared), bot(secret), bot(changed), `${bot(changed)}/history`);
    get(person, `/api/v1/variable-lists/${privateList}`, `/api/v1/variable-lists/${publicList}`);
    get(person, first.path, again.path);
  }
  for (const revision of [0, 1, 2, 3, 4, 5]) get('ben', `${bot(changed)}/history/${revision}`);
  get('ben', bot(clone), bot(undone), `${bot(undone)}/history`, bot(gone), '/api/v1/oauth/clients');
  get(
    'cleo',
    '/api/v1/variable-lists',
    `/api/v1/variable-lists/${privateList}/history`,
    '/api/v1/batch-backtests',
  );
  get('cleo', `/api/v1/variable-lists/${privateList}/history/0`, deleted.path, '/api/v1/oauth/clients');
  get('ada', '/api/v1/variable-lists', `/api/v1/variable-lists/${cloned}`, '/api/v1/backtests/errors');
  get(
    'ada',
    '/api/v1/admin/users',
    ...['ada', 'ben', 'cleo'].map((who) => `/api/v1/admin/users/${idOf(who)}`),
  );
  for (const batch of [first.path, again.path]) {
    get(
      'cleo',
      `${batch}/results`,
      `${batch}/results?sort=sharpe_ratio:desc&limit=5`,
      `${batch}/results/failures`,
    );
    get(
      'cleo',
      `${batch}/analysis/histograms?bins=4`,
      `${batch}/analysis/variables`,
      `${batch}/analysis/heat-map?x=$W&y=$A`,
    );
  }
  get('ada', '/api/v1/tickers?q=GOOG');
  questions.push({
    person: 'ada',
    method: 'POST',
    path: '/api/v1/backtests',
    request: { ...terms, trading_bot: rsi('Single', 10, 'AAPL', 'IBM') },
  });

  const askAll = async () => {
    const answers: RecordedAnswer[] = [];
    for (const question of questions) answers.push(await ask(apis[question.person], question));
    return answers;
  };
  // Read models follow the log: noted when two rounds are alike.
  let answers = await askAll();
  let isSettled = false;
  for (let round = 0; round < 20 && !isSettled; round += 1) {
    const next = await askAll();
    isSettled = isDeepStrictEqual(next, answers);
    answers = next;
  }
  if (!isSettled) throw new Error('The answers go on changing');

  const THREE = ['AAPL', 'IBM', 'MSFT'];
  const windows = Array.from({ length: 2_500 }, (_, index) => index + 2);
  const running = await create(dan, 'At work', { $W: windows, $A: THREE, $B: THREE });
  const seen = await until(
    async () => (await dan.get(running.path)).body,
    ({ status, progress }) => (status === 'Running' && progress.rows > 0) || status === 'Finished',
  );
  if (seen.progress.rows >= running.combinations)
    throw new Error('The batch was over before the kill: give it more windows');
  await server.kill();

  const recording: Recording = {
    madeBy: `${git('log', '-1', '--format=%s')} (${git('log', '-1', '--format=%cs')})`,
    answers,
    running: { id: running.id, combinations: running.combinations },
    client: { id: client.id, secret: client.secret },
  };
  const target = path.join(import.meta.dirname, name);
  const owner = ['--owner=0', '--group=0', '--numeric-owner'];
  execFileSync('tar', [...owner, '-I', 'gzip -9', '-cf', `${target}.tar.gz`, '-C', dataDir, '.']);
  writeFileSync(`${target}.json`, `${JSON.stringify(recording, null, 1)}\n`);
  console.log(`${answers.length} answers, ${seen.progress.rows} of ${running.combinations} rows at the kill`);
} finally {
  await server.kill();
  await removeDataDir(dataDir);
}
