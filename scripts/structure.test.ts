import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { ALONE } from '../vitest.alone.ts';

/**
 * What each workspace may import of ours: dependencies point inward, only `deploy` (and what tests or
 * measures it) knows all.
 */
const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  domain: [],
  http: ['domain'],
  adapters: ['domain'],
  'command-api': ['domain', 'http'],
  'query-api': ['domain', 'http'],
  projectors: ['domain'],
  compute: ['domain'],
  web: ['domain'],
  deploy: ['domain', 'http', 'adapters', 'command-api', 'query-api', 'projectors', 'compute'],
  e2e: ['domain', 'http', 'adapters', 'command-api', 'query-api', 'projectors', 'compute', 'deploy', 'web'],
  // Measurements start the product as journeys do.
  bench: ['domain', 'http', 'adapters', 'command-api', 'query-api', 'projectors', 'compute', 'deploy', 'e2e'],
};
/** Tests may also use adapters to run services on the embedded servers. */
const ALLOWED_IN_TESTS: readonly string[] = [
  'adapters',
  'http',
  'command-api',
  'query-api',
  'projectors',
  'compute',
];

/** The floors of the engine, the lowest first (`compute/src/engine/README.md`). */
const ENGINE = 'compute/src/engine';
const FLOORS: readonly string[] = [
  'kernels',
  'model',
  'series',
  'reference',
  'figures',
  'answers',
  'batch/compile',
  'batch/memory',
  'batch/evaluate',
  'batch/run/lanes',
  'batch/run/daily',
  'batch/run/branch-sums',
  'batch/run/stretches',
  'batch/run',
  'batch',
];

const root = path.resolve(import.meta.dirname, '..');
const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '*.ts', '*.tsx'], {
  cwd: root,
  encoding: 'utf8',
})
  .split('\n')
  .filter((file) => file && Object.hasOwn(ALLOWED, file.split('/')[0] ?? ''));
const known: ReadonlySet<string> = new Set(files);

const IMPORT =
  /(?:^|\n)\s*(?:import|export)\s[^'"`;]*?from\s*['"]([^'"]+)['"]|import\(\s*['"]([^'"]+)['"]\s*\)|(?:^|\n)\s*import\s*['"]([^'"]+)['"]/g;

function importsOf(file: string): string[] {
  const text = readFileSync(path.join(root, file), 'utf8');
  return [...text.matchAll(IMPORT)].map((match) => match[1] ?? match[2] ?? match[3] ?? '');
}

/**
 * The files of ours that a file imports, by path or by the name of their workspace. Left out are styles, and
 * what AssemblyScript compiles: its paths have no endings.
 *
 * @throws Error for a name behind which there is no file
 */
function filesBehind(file: string): string[] {
  return importsOf(file).flatMap((specifier) => {
    if (specifier.startsWith('.')) {
      const target = path.posix.join(path.posix.dirname(file), specifier);
      return known.has(target) ? [target] : [];
    }
    const [, workspace, inside] = /^@quantloom\/([^/]+)\/(.+)$/.exec(specifier) ?? [];
    if (workspace === undefined) return [];
    // As `exports` of the workspaces have it; `e2e` has none, and is imported by path and ending.
    const places = [`${workspace}/src/${inside}.ts`, `${workspace}/${inside}.ts`, `${workspace}/${inside}`];
    const target = places.find((place) => known.has(place));
    if (target === undefined) throw new Error(`${file}: there is no file behind ${specifier}`);
    return [target];
  });
}

function isTest(file: string): boolean {
  return /\.test\.tsx?$|\/testing\//.test(file);
}

/** What runs of the engine: neither its tests nor what AssemblyScript compiles. */
const engine = files.filter(
  (file) => file.startsWith(`${ENGINE}/`) && !isTest(file) && !file.includes('/assembly/'),
);

/** @throws Error for a file that stands on no floor */
function floorOf(file: string): number {
  const folder = path.posix.dirname(path.posix.relative(ENGINE, file));
  // The longest name first: `batch/run/daily` is not `batch`.
  const floor = FLOORS.toSorted((a, b) => b.length - a.length).find(
    (name) => folder === name || folder.startsWith(`${name}/`),
  );
  if (floor === undefined) throw new Error(`${file} stands on no floor of the engine`);
  return FLOORS.indexOf(floor);
}

describe('structure', () => {
  it('finds the source files', () => {
    expect(files.length).toBeGreaterThan(20);
  });

  it('lets dependencies point inward only', () => {
    const violations: string[] = [];
    for (const file of files) {
      const workspace = file.split('/')[0] ?? '';
      const allowed = [
        ...(ALLOWED[workspace] ?? []),
        ...(isTest(file) && workspace !== 'domain' ? ALLOWED_IN_TESTS : []),
        workspace,
      ];
      for (const specifier of importsOf(file)) {
        if (specifier.startsWith('.')) {
          const target =
            path.relative(root, path.resolve(root, path.dirname(file), specifier)).split(path.sep)[0] ?? '';
          if (target !== workspace)
            violations.push(
              `${file}: ${specifier} leaves the workspace; import @quantloom/${target} by name`,
            );
        } else if (specifier.startsWith('@quantloom/')) {
          const target = specifier.split('/')[1] ?? '';
          if (!allowed.includes(target)) violations.push(`${file}: ${workspace} must not import ${target}`);
        }
      }
    }
    expect(violations).toEqual([]);
  });

  it('lets a file of the engine use its own floor and those below', () => {
    expect(engine.length).toBeGreaterThan(80);
    const violations = engine.flatMap((file) =>
      importsOf(file)
        .filter((specifier) => specifier.startsWith('.'))
        .map((specifier) => path.posix.join(path.posix.dirname(file), specifier))
        .filter((target) => !target.startsWith(`${ENGINE}/`) || floorOf(target) > floorOf(file))
        .map((target) => `${file}: ${target} stands above it`),
    );
    expect(violations).toEqual([]);
    expect(engine.flatMap(importsOf).filter((name) => name.includes('/compute/'))).toEqual([]);
  });

  it('has no circles of imports, types and what is fetched later included', () => {
    const done = new Set<string>();
    const circles: string[] = [];
    const visit = (file: string, way: readonly string[]): void => {
      if (way.includes(file)) circles.push([...way.slice(way.indexOf(file)), file].join(' → '));
      if (done.has(file) || way.includes(file)) return;
      for (const target of filesBehind(file)) visit(target, [...way, file]);
      done.add(file);
    };
    for (const file of files) visit(file, []);
    expect(done.size).toBe(files.length);
    expect(circles).toEqual([]);
  });

  it('lets nothing use the routes of an API but what mounts them', () => {
    const isRoute = (file: string) => /^(?:command|query)-api\/src\/routes\//.test(file);
    expect(files.filter(isRoute).length).toBeGreaterThan(50);
    const violations = files
      .filter((file) => !isRoute(file) && !isTest(file) && !file.endsWith('/src/app.ts'))
      .flatMap((file) =>
        filesBehind(file)
          .filter(isRoute)
          .map((target) => `${file}: ${target}`),
      );
    expect(violations).toEqual([]);
  });

  it('keeps drivers inside adapters', () => {
    const drivers = [
      '@eventstore/db-client',
      '@kurrent/kurrentdb-client',
      'kafkajs',
      '@platformatic/kafka',
      'mongodb',
      '@clickhouse/client',
      '@duckdb/node-api',
      'node:sqlite',
      'stripe',
      'oidc-provider',
    ];
    const violations = files
      .filter((file) => !['adapters', 'e2e', 'bench'].includes(file.split('/')[0] ?? '') && !isTest(file))
      .flatMap((file) =>
        importsOf(file)
          .filter((name) => drivers.includes(name))
          .map((name) => `${file}: ${name}`),
      );
    expect(violations).toEqual([]);
  });

  it('keeps what only tests use out of the product', () => {
    const isOfTests = (name: string) =>
      /(^|\/)testing(\/|$)|\.test(\.ts)?$/.test(name) || ['vitest', 'fast-check'].includes(name);
    const violations = files
      .filter((file) => !['e2e', 'bench'].includes(file.split('/')[0] ?? '') && !isTest(file))
      .flatMap((file) =>
        importsOf(file)
          .filter(isOfTests)
          .map((name) => `${file}: ${name}`),
      );
    expect(violations).toEqual([]);
    expect(files.filter((file) => /\/src\/(.*\/)?testing\//.test(file))).toEqual([]);
  });

  it('keeps clock and randomness out of domain', () => {
    const impure = /\bDate\.now\(|\bnew Date\(\)|\bMath\.random\(|\bperformance\.now\(|from 'node:/;
    const violations = files.filter(
      (file) =>
        file.startsWith('domain/') &&
        !isTest(file) &&
        impure.test(readFileSync(path.join(root, file), 'utf8')),
    );
    expect(violations).toEqual([]);
  });

  it('declares every projection by defineProjection, which types its events', () => {
    const byHand = /: Projection(<\w+>)? = \{/;
    const violations = files.filter((file) => byHand.test(readFileSync(path.join(root, file), 'utf8')));
    expect(violations).toEqual([]);
  });

  it('runs tests that replace a module in processes of their own: it would stay another one for those after them', () => {
    const alone = Object.entries(ALONE).flatMap(([name, own]) => own.map((file) => `${name}/${file}`));
    const replacing = files.filter(
      (file) =>
        /(?<!\.(?:browser|long|server|slow))\.test\.tsx?$/.test(file) &&
        /\bvi\.(?:mock|doMock)\(/.test(readFileSync(path.join(root, file), 'utf8')),
    );
    expect(replacing.toSorted()).toEqual(alone.toSorted());
  });

  it('keeps files readable in one go', () => {
    const long = files
      .map((file) => ({ file, lines: readFileSync(path.join(root, file), 'utf8').split('\n').length }))
      .filter(({ lines }) => lines > 450);
    expect(long).toEqual([]);
  });
});
