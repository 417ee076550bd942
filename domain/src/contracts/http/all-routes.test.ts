import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { ALL_ROUTES } from './all-routes.ts';

it('holds every contract of this folder', () => {
  const declared = readdirSync(import.meta.dirname)
    .filter((file) => file.endsWith('.ts') && !file.includes('.test.') && file !== 'route.ts')
    .flatMap((file) =>
      [
        ...readFileSync(path.join(import.meta.dirname, file), 'utf8').matchAll(
          /defineRoute\(\{\s*id: '(\w+)'/g,
        ),
      ].map((match) => match[1]),
    );
  expect(ALL_ROUTES.map(({ id }) => id).sort()).toEqual(declared.sort());
  expect(declared.length).toBeGreaterThan(30);
});

it('has each id and each address once', () => {
  const ids = ALL_ROUTES.map(({ id }) => id);
  const addresses = ALL_ROUTES.map(
    ({ method, path: route }) => `${method} ${route.replaceAll(/\{\w+\}/g, '{}')}`,
  );
  expect(new Set(ids).size).toBe(ids.length);
  expect(new Set(addresses).size).toBe(addresses.length);
});
