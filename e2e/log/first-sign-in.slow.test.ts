import { afterAll, beforeAll, expect, it } from 'vitest';
import { quantloom, type RunningServer, removeDataDir, startServer } from '../harness/server.ts';
import { signIn } from '../upgrade/people.ts';

let server: RunningServer;
beforeAll(async () => {
  // Nobody is there before the first person: no machine client of the environment either.
  server = await startServer({ environment: { BOOTSTRAP_API_CLIENT: '' } });
});
afterAll(async () => {
  await server?.stop();
  if (server) await removeDataDir(server.dataDir);
});

it('leaves a sound log after the first people have signed up on an empty folder', async () => {
  await signIn(server.url, 'ada', 'signup');
  await signIn(server.url, 'ben', 'signup');
  const { code, stdout, stderr } = await quantloom(server.dataDir, 'log', 'verify', '--json');
  expect(code, stdout + stderr).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ events: 3, faultCount: 0, accepted: [], parkedEvents: 0 });
}, 60_000);
