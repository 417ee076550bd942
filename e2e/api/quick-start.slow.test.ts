import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasProgram } from '../harness/programs.ts';
import { API_CLIENT, REPOSITORY, type RunningServer, removeDataDir, startServer } from '../harness/server.ts';

let server: RunningServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(async () => {
  await server.stop();
  await removeDataDir(server.dataDir);
});

/** Runs a quick start as a reader would: the file as it is served, with his three settings. */
async function run(program: string, file: string): Promise<Record<string, number>> {
  const shown = await (await fetch(`${server.url}/developers/${file}`)).text();
  const page = await (await fetch(`${server.url}/developers`)).text();
  const escaped = shown.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  expect(page).toContain(escaped.replaceAll('"', '&quot;').replaceAll("'", '&#39;'));
  const { stdout } = await promisify(execFile)(
    program,
    [path.join(REPOSITORY, 'http/src/developer-docs/quick-start', file)],
    {
      env: {
        ...process.env,
        QUANTLOOM_URL: server.url,
        QUANTLOOM_CLIENT_ID: API_CLIENT.id,
        QUANTLOOM_CLIENT_SECRET: API_CLIENT.secret,
      },
    },
  );
  const answer = JSON.parse(stdout) as { metrics?: Record<string, number> } & Record<string, number>;
  return answer.metrics ?? answer;
}

describe('the quick starts, word for word', () => {
  const results: Record<string, number>[] = [];
  it.skipIf(!hasProgram('curl'))('curl', async () => {
    results.push(await run('sh', 'quick-start.sh'));
  });
  it.skipIf(!hasProgram('python3'))('Python', async () => {
    results.push(await run('python3', 'quick-start.py'));
  });
  it('TypeScript', async () => {
    results.push(await run(process.execPath, 'quick-start.ts'));
  });
  it('all come to the same figures', () => {
    expect(results[0]?.duration).toBeGreaterThan(1000);
    for (const result of results) expect(result).toEqual(results[0]);
  });
});
