import { readFileSync } from 'node:fs';
import path from 'node:path';
import { PLANS } from '@quantloom/domain/identity/plans';
import { limitsAsMarkdown } from '@quantloom/domain/limits/limits';
import { expect, it } from 'vitest';

it("has the table of limits in the operators' guide as it is declared", () => {
  const guide = readFileSync(path.resolve(import.meta.dirname, '../../docs/operations.md'), 'utf8');
  const names = { free: PLANS.free.name, api: PLANS.api.name, 'copy-trader': PLANS['copy-trader'].name };
  expect(guide).toContain(limitsAsMarkdown(names));
});
