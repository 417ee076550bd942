import { expect, it } from 'vitest';
import { clusterMembers } from './members.ts';

it('a cluster is as many processes of each kind as was asked for, and the gateway knows all of its APIs', async () => {
  const size = { commandApis: 2, queryApis: 3, projectors: 1, compute: 2 };
  const publicUrl = 'http://localhost:8123';
  const members = await clusterMembers(size, { publicPort: 8123, publicUrl });
  const [gateway, ...others] = members;
  expect(members.map(({ name, file }) => `${name} ${file}`)).toEqual([
    'gateway gateway.ts',
    'command-api-1 command-api.ts',
    'command-api-2 command-api.ts',
    'query-api-1 query-api.ts',
    'query-api-2 query-api.ts',
    'query-api-3 query-api.ts',
    'projectors-1 projectors.ts',
    'compute-1 compute.ts',
    'compute-2 compute.ts',
  ]);
  expect(new Set(members.map(({ port }) => port)).size).toBe(members.length);
  const urls = (prefix: string) =>
    others
      .filter(({ name }) => name.startsWith(prefix))
      .map(({ port }) => `http://127.0.0.1:${port}`)
      .join(',');
  expect(gateway).toMatchObject({
    port: 8123,
    environment: {
      PUBLIC_URL: publicUrl,
      COMMAND_API_URLS: urls('command-api'),
      QUERY_API_URLS: urls('query-api'),
    },
  });
  // The gateway alone is reached from outside: what others claim to pass on is not believed.
  expect(gateway?.environment.BEHIND_PROXY).toBeUndefined();
  for (const { environment } of others)
    expect(environment).toEqual({ PUBLIC_URL: publicUrl, BEHIND_PROXY: 'true' });
});
