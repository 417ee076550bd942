import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { Ajv } from 'ajv';
import * as apps from 'kubernetes-models/apps/v1';
import * as autoscaling from 'kubernetes-models/autoscaling/v2';
import * as batch from 'kubernetes-models/batch/v1';
import * as networking from 'kubernetes-models/networking.k8s.io/v1';
import * as policy from 'kubernetes-models/policy/v1';
import * as core from 'kubernetes-models/v1';
import { describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { SETTING_NAMES } from './config.ts';

const REPOSITORY = path.resolve(import.meta.dirname, '../..');
const CHART = 'deploy/helm/quantloom';
const read = (file: string) => readFileSync(path.join(REPOSITORY, file), 'utf8');
const DIGEST = `sha256:${'0'.repeat(64)}`;

// biome-ignore lint/suspicious/noExplicitAny: files of others' shapes, which these tests check
type Anything = any;

const values: Anything = parse(read(`${CHART}/values.yaml`));
const roles = Object.entries<Anything>(values.roles);
const manifests: readonly Anything[] = readdirSync(path.join(REPOSITORY, 'deploy/kubernetes'))
  .filter((file) => file !== 'kustomization.yaml')
  .flatMap((file) => parseAllDocuments(read(`deploy/kubernetes/${file}`)).map((document) => document.toJS()));
const plain = (kind: string, name: string) =>
  manifests.find((manifest) => manifest.kind === kind && manifest.metadata.name === name);
const textOf = (env: readonly { name: string; value: string }[] = []) =>
  Object.fromEntries(env.map(({ name, value }) => [name, value]));

describe('the values of the chart', () => {
  const validate = new Ajv({ strict: false }).compile(JSON.parse(read(`${CHART}/values.schema.json`)));
  const withDigest = (change: (changed: Anything) => void = () => {}) => {
    const changed = structuredClone(values);
    changed.image.digest = DIGEST;
    change(changed);
    return validate(changed);
  };

  it('are taken with the digest of an image, and not without one or with a tag', () => {
    expect(withDigest()).toBe(true);
    expect(validate(values)).toBe(false);
    expect(
      withDigest((changed) => {
        changed.image.digest = 'latest';
      }),
    ).toBe(false);
  });

  it('name settings that exist, and secrets by their place', () => {
    for (const name of [...Object.keys(values.settings), ...Object.keys(values.secrets.files)])
      expect(SETTING_NAMES).toContain(name);
    for (const secret of ['SECRET_KEY', 'MONGODB_URL', 'METRICS_TOKEN', 'EVENTSTORE_URL', 'CLICKHOUSE_URL'])
      expect([secret in values.settings, secret in values.secrets.files]).toEqual([false, true]);
  });

  it('are those of deploy/kubernetes', () => {
    const { data } = plain('ConfigMap', 'quantloom');
    const files = Object.entries(values.secrets.files).map(([name, key]) => [
      `${name}_FILE`,
      `/run/secrets/quantloom/${key}`,
    ]);
    expect({ PUBLIC_URL: values.publicUrl, ...values.settings, ...Object.fromEntries(files) }).toEqual(data);
    expect(plain('PersistentVolumeClaim', 'data').spec.resources.requests.storage).toBe(values.data.size);
  });

  it.each(roles)('run %s as deploy/kubernetes does', (name, role) => {
    const { spec } = plain('Deployment', name);
    const [container] = spec.template.spec.containers;
    expect(container.command).toEqual(['node', `deploy/src/services/${name}.ts`]);
    expect(role.env ?? {}).toEqual(textOf(container.env));
    for (const setting of Object.keys(role.env ?? {})) expect(SETTING_NAMES).toContain(setting);
    expect(role.resources).toEqual(container.resources);
    expect(role.ready).toBe(container.readinessProbe.httpGet.path);
    expect([role.replicas, role.strategy]).toEqual([spec.replicas, spec.strategy?.type]);
    const scaler = plain('HorizontalPodAutoscaler', name)?.spec;
    expect(role.autoscaling?.minReplicas).toBe(scaler?.minReplicas);
    expect(role.autoscaling?.maxReplicas).toBe(scaler?.maxReplicas);
    expect(role.autoscaling?.cpu).toBe(scaler?.metrics[0].resource.target.averageUtilization);
    const keda = plain('ScaledObject', name)?.spec;
    expect(role.keda?.triggers).toEqual(keda?.triggers);
    expect([role.keda?.minReplicas, role.keda?.maxReplicas]).toEqual([
      keda?.minReplicaCount,
      keda?.maxReplicaCount,
    ]);
    expect(Boolean(role.service)).toBe(Boolean(plain('Service', name)));
  });

  it('have rules and boards of the same files that stand in deploy/monitoring', () => {
    expect(read(`${CHART}/files/prometheus-rules.yaml`)).toBe(
      read('deploy/monitoring/prometheus-rules.yaml'),
    );
    expect(readdirSync(path.join(REPOSITORY, CHART, 'files/grafana'))).toEqual(
      readdirSync(path.join(REPOSITORY, 'deploy/monitoring/grafana')),
    );
  });
});

const MODELS: Readonly<Record<string, object>> = {
  v1: core,
  'apps/v1': apps,
  'autoscaling/v2': autoscaling,
  'batch/v1': batch,
  'networking.k8s.io/v1': networking,
  'policy/v1': policy,
};
/** Of operators, whose schemas are not among the models: checked by hand below. */
const OF_OPERATORS = ['keda.sh/v1alpha1', 'monitoring.coreos.com/v1'];

const helm = (...args: readonly string[]) =>
  spawnSync('helm', args, { cwd: REPOSITORY, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
const hasHelm = helm('version', '--short').status === 0;

function render(...more: readonly string[]): readonly Anything[] {
  const set = ['--set', `image.digest=${DIGEST}`, ...more];
  const { stdout, stderr, status } = helm('template', 'quantloom', CHART, '--namespace', 'quantloom', ...set);
  if (status !== 0) throw new Error(stderr);
  return parseAllDocuments(stdout)
    .map((document) => {
      expect(document.errors).toEqual([]);
      return document.toJS();
    })
    .filter(Boolean);
}

/** The parts of a Deployment that the two ways of installing must have in common. */
function essentials({ spec }: Anything) {
  const { template, ...rest } = structuredClone(spec);
  const [container] = template.spec.containers;
  container.image = '';
  container.env = textOf(container.env);
  return { ...rest, labels: template.metadata.labels, pod: template.spec };
}

describe.skipIf(!hasHelm)('what helm makes of the chart (needs helm)', () => {
  const rendered = hasHelm ? render() : [];
  const made = (kind: string, name: string) =>
    rendered.find((manifest) => manifest.kind === kind && manifest.metadata.name === name);

  it('has the shapes of the schemas', () => {
    for (const manifest of rendered) {
      expect(manifest.metadata.namespace).toBe('quantloom');
      if (OF_OPERATORS.includes(manifest.apiVersion)) continue;
      const Model = (MODELS[manifest.apiVersion] as Anything)?.[manifest.kind];
      if (!Model) throw new Error(`No schema of ${manifest.apiVersion} ${manifest.kind}`);
      new Model(manifest).validate();
    }
  });

  it('passes helm lint, and fails in words without a digest', () => {
    expect(helm('lint', '--strict', CHART, '--set', `image.digest=${DIGEST}`).status).toBe(0);
    const { status, stderr } = helm('template', 'quantloom', CHART);
    expect([status, stderr]).toEqual([1, expect.stringContaining('image')]);
  });

  it.each(roles)('runs %s as deploy/kubernetes does, by digest', (name, role) => {
    const deployment = made('Deployment', name);
    expect(essentials(deployment)).toEqual(essentials(plain('Deployment', name)));
    expect(deployment.spec.template.spec.containers[0].image).toBe(`${values.image.repository}@${DIGEST}`);
    for (const kind of ['PodDisruptionBudget', 'HorizontalPodAutoscaler', 'ScaledObject'])
      expect(made(kind, name)?.spec).toEqual(plain(kind, name)?.spec);
    expect(made('Service', name).spec.clusterIP).toBe(role.service ? undefined : 'None');
  });

  it('configures the same, and brings the Secret by its name only', () => {
    expect(made('ConfigMap', 'quantloom').data).toEqual(plain('ConfigMap', 'quantloom').data);
    expect(rendered.filter(({ kind }) => kind === 'Secret')).toEqual([]);
    expect(made('Ingress', 'gateway').spec.rules[0].host).toBe('quantloom.example');
  });

  it('lets nobody in and out but those that are named', () => {
    const policies = rendered.filter(({ kind }) => kind === 'NetworkPolicy');
    const [closed] = policies.filter(({ spec }) => !spec.ingress && !spec.egress);
    expect(closed.spec.policyTypes).toEqual(['Ingress', 'Egress']);
    expect(closed.spec.podSelector.matchLabels).toEqual({ 'app.kubernetes.io/name': 'quantloom' });
    const { egress } = made('NetworkPolicy', 'quantloom-inside').spec;
    const ports = egress.flatMap(({ ports: its }: Anything) => its.map(({ port }: Anything) => port));
    expect(ports).toEqual([8080, 53, 53, 2113, 9092, 27017, 8123]);
    const internet = made('NetworkPolicy', 'quantloom-internet').spec;
    expect(internet.podSelector.matchExpressions[0].values).not.toContain('compute');
    for (const { ipBlock } of internet.egress[0].to) expect(ipBlock.except.length).toBeGreaterThan(2);
  });

  it('is watched: every process is asked with the token, and the rules are those of the repository', () => {
    const { endpoints, selector } = made('ServiceMonitor', 'quantloom').spec;
    expect(endpoints[0].authorization.credentials).toEqual({ name: 'quantloom', key: 'metrics-token' });
    for (const [name] of roles) {
      const { metadata, spec } = made('Service', name);
      expect(metadata.labels).toMatchObject(selector.matchLabels);
      expect(spec.ports[0].name).toBe(endpoints[0].port);
    }
    expect(made('PrometheusRule', 'quantloom').spec).toEqual(
      parse(read('deploy/monitoring/prometheus-rules.yaml')),
    );
    for (const text of Object.values<string>(made('ConfigMap', 'quantloom-boards').data))
      expect(JSON.parse(text).panels.length).toBeGreaterThan(0);
  });

  it('is backed up every night, the keys apart from the log', () => {
    const { spec } = made('CronJob', 'backup');
    const pod = spec.jobTemplate.spec.template.spec;
    const [, , script] = pod.containers[0].command;
    // The shell reads it, and would not run it.
    expect(spawnSync('sh', ['-n'], { input: script, encoding: 'utf8' }).stderr).toBe('');
    expect(script).toContain('log export');
    const claims = pod.volumes.flatMap(({ persistentVolumeClaim }: Anything) => persistentVolumeClaim ?? []);
    expect(claims.map(({ claimName }: Anything) => claimName)).toEqual(['data', 'backups', 'backup-keys']);
    for (const name of ['backups', 'backup-keys'])
      expect(made('PersistentVolumeClaim', name).metadata.annotations['helm.sh/resource-policy']).toBe(
        'keep',
      );
  });

  it('leaves out what is not wanted', () => {
    const off = ['network', 'ingress', 'monitoring', 'backups'].flatMap((part) => [
      '--set',
      `${part}.enabled=false`,
    ]);
    const kinds = new Set(
      render(...off, '--set', 'roles.compute.keda.enabled=false', '--set', 'data.existingClaim=mine').map(
        ({ kind }) => kind,
      ),
    );
    for (const kind of ['NetworkPolicy', 'Ingress', 'ServiceMonitor', 'CronJob', 'ScaledObject'])
      expect(kinds).not.toContain(kind);
    expect(kinds).not.toContain('PersistentVolumeClaim');
  });
});
