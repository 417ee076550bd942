import { afterAll, describe, it } from 'vitest';

export interface RunningServer {
  readonly url: string;
  stop(): Promise<void>;
}

export interface RealServer {
  readonly name: string;
  /** Environment variable that names a running server. */
  readonly variable: string;
  /** Starts one in a container. */
  start(): Promise<RunningServer>;
}

/**
 * Runs a suite against the server that the environment names, or else one in a container where a Docker
 * engine answers. Without either the suite is skipped under a name that says so.
 */
export async function onRealServer(
  server: RealServer,
  suite: (url: () => Promise<string>) => void,
): Promise<void> {
  const given = process.env[server.variable];
  if (given) {
    suite(async () => given);
    return;
  }
  if (!(await hasDocker())) {
    describe.skip(`${server.name}: skipped, ${server.variable} is not set and no Docker engine answers`, () => {
      it('runs the contract suite', () => {});
    });
    return;
  }
  let running: Promise<RunningServer> | undefined;
  suite(async () => {
    running ??= server.start();
    return (await running).url;
  });
  afterAll(async () => {
    await (await running)?.stop();
  });
}

async function hasDocker(): Promise<boolean> {
  try {
    const { getContainerRuntimeClient } = await import('testcontainers');
    await getContainerRuntimeClient();
    return true;
  } catch {
    // Testcontainers says that it found no engine by throwing.
    return false;
  }
}
