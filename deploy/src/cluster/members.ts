import { freePort } from './free-port.ts';
import type { Member } from './supervised.ts';

/** Processes of each kind beside the gateway. */
export interface ClusterSize {
  readonly commandApis: number;
  readonly queryApis: number;
  readonly projectors: number;
  readonly compute: number;
}

/** The processes of a cluster on this machine, each with a port of its own; the gateway gets the public one. */
export async function clusterMembers(
  size: ClusterSize,
  { publicPort, publicUrl }: { readonly publicPort: number; readonly publicUrl: string },
): Promise<Member[]> {
  const make = (name: string, file: string, count: number): Promise<Member[]> =>
    Promise.all(
      Array.from({ length: count }, async (_, index) => ({
        name: `${name}-${index + 1}`,
        file,
        port: await freePort(),
        environment: { PUBLIC_URL: publicUrl, BEHIND_PROXY: 'true' },
      })),
    );
  const commandApis = await make('command-api', 'command-api.ts', size.commandApis);
  const queryApis = await make('query-api', 'query-api.ts', size.queryApis);
  const urls = (members: readonly Member[]) =>
    members.map(({ port }) => `http://127.0.0.1:${port}`).join(',');
  return [
    {
      name: 'gateway',
      file: 'gateway.ts',
      port: publicPort,
      environment: {
        PUBLIC_URL: publicUrl,
        COMMAND_API_URLS: urls(commandApis),
        QUERY_API_URLS: urls(queryApis),
      },
    },
    ...commandApis,
    ...queryApis,
    ...(await make('projectors', 'projectors.ts', size.projectors)),
    ...(await make('compute', 'compute.ts', size.compute)),
  ];
}
