import { readdirSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { isContract } from './all-routes.ts';
import * as calls from './calls.ts';
import type { RouteContract } from './route.ts';

const CONTRACTS = new Map<string, RouteContract>();
for (const file of readdirSync(import.meta.dirname)) {
  if (!file.endsWith('.ts') || file.includes('.test.')) continue;
  const module = (await import(path.join(import.meta.dirname, file))) as object;
  for (const [name, value] of Object.entries(module)) if (isContract(value)) CONTRACTS.set(name, value);
}

describe('the calls of the pages', () => {
  it.each(Object.entries(calls))('%s calls the contract of its name', (name, call) => {
    const contract = CONTRACTS.get(name);
    expect(call).toEqual({
      method: contract?.method,
      path: contract?.path,
      access: { kind: contract?.access.kind },
    });
  });
});
