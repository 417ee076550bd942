import { execFile, spawnSync } from 'node:child_process';
import { cp, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const run = promisify(execFile);
const REPOSITORY = path.resolve(import.meta.dirname, '../..');
const PROBE = path.join(import.meta.dirname, '../testing/offline-probe.ts');

const inNoNetwork = ['--map-root-user', '--net'];
const hasNamespaces = spawnSync('unshare', [...inNoNetwork, 'ip', 'link', 'set', 'lo', 'up']).status === 0;

/**
 * Not the image itself, which needs a container engine: the tree that its Dockerfile makes, by the
 * Dockerfile's own commands, in a network namespace with nothing but loopback.
 */
describe.skipIf(!hasNamespaces)("the image's tree without a network (needs unshare and ip)", () => {
  let folder: string;
  let app: string;
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'quantloom-image-'));
    app = path.join(folder, 'app');
    const leftOut = (await readFile(path.join(REPOSITORY, '.dockerignore'), 'utf8'))
      .split('\n')
      .filter(Boolean);
    const isCopied = (file: string) => {
      const name = path.relative(REPOSITORY, file);
      return !leftOut.some((pattern) => path.matchesGlob(name, pattern));
    };
    await cp(REPOSITORY, app, { recursive: true, filter: isCopied });
    // Where the image installs: what is installed already, as links where the file system allows.
    const modules = ['node_modules', path.join(app, 'node_modules')];
    await run('cp', ['-al', ...modules], { cwd: REPOSITORY }).catch(async () => {
      await rm(path.join(app, 'node_modules'), { recursive: true, force: true });
      await run('cp', ['-a', ...modules], { cwd: REPOSITORY });
    });
    const dockerfile = await readFile(path.join(REPOSITORY, 'deploy/Dockerfile'), 'utf8');
    const build = /^COPY \. \.\nRUN ((?:.*\\\n)*.*)$/m.exec(dockerfile)?.[1]?.replaceAll('\\\n', ' ');
    if (!build) throw new Error('The Dockerfile has another shape than this test thinks');
    const environment = { ...process.env, PATH: `${path.dirname(process.execPath)}:${process.env.PATH}` };
    await run('sh', ['-c', build], { cwd: app, env: { ...environment, npm_config_offline: 'true' } });
  }, 300_000);
  afterAll(async () => {
    await rm(folder, { recursive: true, force: true });
  });

  const offline = (script: string) =>
    run('unshare', [...inNoNetwork, 'sh', '-c', `ip link set lo up && ${script}`], {
      cwd: app,
      maxBuffer: 16 * 1024 * 1024,
    });

  it('serves the pages, signs a client in and backtests', async () => {
    const data = path.join(folder, 'data');
    const { stdout } = await offline(`exec '${process.execPath}' '${PROBE}' '${data}'`);
    const seen = JSON.parse(stdout.trim().split('\n').at(-1) ?? '');
    expect(seen).toMatchObject({ page: true, backtest: 200, outside: 'ENETUNREACH' });
    expect(seen.assets.length).toBeGreaterThan(0);
    expect(new Set(seen.assets)).toEqual(new Set([200]));
    expect(seen.cumulativeReturn).toBeTypeOf('number');
  });

  it('holds every module that the services load', async () => {
    const services = ['gateway', 'command-api', 'query-api', 'projectors', 'compute'];
    expect(await readdir(path.join(app, 'deploy/src/services'))).toEqual(
      expect.arrayContaining(services.map((name) => `${name}.ts`)),
    );
    for (const name of services) {
      const script = `DATA_DIR='${folder}/${name}' '${process.execPath}' deploy/src/services/${name}.ts`;
      // All of it is loaded before the settings are read, and without servers the settings do not suffice.
      await expect(offline(script), name).rejects.toMatchObject({
        stderr: expect.stringMatching(/^The configuration is not usable: CLICKHOUSE_URL/),
      });
    }
  });

  it('has no development tools', async () => {
    const packages = await readdir(path.join(app, 'node_modules'));
    for (const name of ['vitest', 'typescript', 'playwright-core', 'node'])
      expect(packages).not.toContain(name);
  });
});
