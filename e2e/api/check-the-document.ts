import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { signInByForm, TestBrowser } from '@quantloom/adapters/testing/identity/test-browser';
import { removeDataDir, startServer } from '../harness/server.ts';

/*
 * Lets Schemathesis hold the API against its document and sums up what was refused. With `pip install schemathesis`
 * in an environment of its own: `node e2e/api/check-the-document.ts PATH/TO/schemathesis [--max-examples=50 …]`; what
 * follows the path is handed on to it.
 *
 * A finding is an answer of 5xx, one that its document does not describe, and a request that is valid by its schema and
 * refused as `invalid_request`, whose rule the schema should have told. Other refusals name a rule by their code: look
 * whether the document tells it.
 */

/** Below the 3,000 requests a minute of a person: what is refused for their number tells nothing of an operation. */
const PER_MINUTE = 2_900;
/**
 * The last one is an endless stream; the others would take the caller's rights or account away, and the run
 * with them.
 */
const LEFT_OUT =
  'changePlan requestDeletion setUserAccess setUserDeletion setUserFeature setUserPlan assistUser ' +
  'updateCurrentUser followBatchBacktest';
const CHECKS =
  'not_a_server_error,positive_data_acceptance,response_schema_conformance,status_code_conformance,content_type_conformance';

interface Scenario {
  readonly recorder?: {
    readonly label: string;
    readonly checks?: Readonly<Record<string, readonly { readonly name: string; readonly status: string }[]>>;
    readonly interactions?: Readonly<
      Record<string, { readonly response?: { status_code: number; content?: { $base64?: string } } | null }>
    >;
  };
}
interface Parameter {
  readonly name: string;
}

/** The document without the key that makes a request repeatable: with another body it is refused, and rightly so. */
async function documentFor(url: string): Promise<string> {
  const document = (await (await fetch(`${url}/openapi.json`)).json()) as {
    paths: Record<string, Record<string, { parameters?: Parameter[] }>>;
  };
  for (const operation of Object.values(document.paths).flatMap((item) => Object.values(item)))
    operation.parameters = operation.parameters?.filter(({ name }) => name !== 'idempotency-key') ?? [];
  return JSON.stringify(document);
}

/** How often each operation failed which check with which code. */
async function failuresIn(report: string): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>();
  for await (const line of createInterface({ input: createReadStream(report) })) {
    const { recorder } = (JSON.parse(line) as { ScenarioFinished?: Scenario }).ScenarioFinished ?? {};
    for (const [id, checks] of Object.entries(recorder?.checks ?? {}))
      for (const { name } of checks.filter(({ status }) => status !== 'success')) {
        const response = recorder?.interactions?.[id]?.response;
        const text = Buffer.from(response?.content?.$base64 ?? '', 'base64').toString();
        const code = /"code":"(\w+)"/.exec(text)?.[1] ?? '';
        const key = `${recorder?.label} ${name} ${response?.status_code ?? ''} ${code}`;
        counts.set(key, (counts.get(key) ?? 0) + 1);
      }
  }
  return counts;
}

const [program = 'schemathesis', ...more] = process.argv.slice(2);
const folder = await mkdtemp(path.join(tmpdir(), 'quantloom-document-'));
const server = await startServer();
try {
  const browser = new TestBrowser(server.url);
  const { access_token: token } = await signInByForm(
    browser,
    'document@example.com',
    'correct horse battery',
    'signup',
  );
  const claims = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as {
    sub: string;
  };
  // The first account: administrator, and on the API plan.
  await fetch(`${server.url}/api/v1/users`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'document@example.com', auth0_id: claims.sub }),
  });
  const document = path.join(folder, 'openapi.json');
  const report = path.join(folder, 'report.ndjson');
  await writeFile(document, await documentFor(server.url));
  const child = spawn(
    program,
    [
      ...['run', document, `--url=${server.url}`, `--header=Authorization: Bearer ${token}`],
      ...['--phases=examples,coverage,fuzzing', '--mode=positive', '--continue-on-failure', '--no-color'],
      ...[`--rate-limit=${PER_MINUTE}/m`, `--checks=${CHECKS}`, '--request-timeout=30'],
      ...['--report=ndjson', `--report-ndjson-path=${report}`],
      ...LEFT_OUT.split(' ').map((name) => `--exclude-operation-id=${name}`),
      ...more,
    ],
    { stdio: ['ignore', 'ignore', 'inherit'], cwd: folder },
  );
  await once(child, 'exit');
  const failures = [...(await failuresIn(report))].sort();
  for (const [what, count] of failures) console.log(`${count} × ${what}`);
  const findings = failures.filter(
    ([what]) => !what.includes(' positive_data_acceptance 4') || what.endsWith(' invalid_request'),
  );
  console.log(`${findings.length} findings`);
  process.exitCode = findings.length === 0 ? 0 : 1;
} finally {
  await server.stop();
  await removeDataDir(server.dataDir);
  await rm(folder, { recursive: true, force: true });
}
