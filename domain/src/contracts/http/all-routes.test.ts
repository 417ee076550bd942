import { readdirSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { ALL_ROUTES, isContract } from './all-routes.ts';
import type { RouteContract } from './route.ts';

it('holds every contract of this folder', async () => {
  const files = readdirSync(import.meta.dirname).filter(
    (file) => file.endsWith('.ts') && !file.includes('.test.') && file !== 'all-routes.ts',
  );
  const declared: RouteContract[] = [];
  for (const file of files) {
    const module = (await import(path.join(import.meta.dirname, file))) as object;
    declared.push(...Object.values(module).filter(isContract));
  }
  const ids = (routes: readonly RouteContract[]) => [...new Set(routes.map(({ id }) => id))].sort();
  expect(ids(ALL_ROUTES), 'Add the module to the list in all-routes.ts').toEqual(ids(declared));
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
