import { readFileSync } from 'node:fs';
import { ALL_ROUTES } from '@quantloom/domain/contracts/http/all-routes';
import * as calls from '@quantloom/domain/contracts/http/calls';
import { expect, it } from 'vitest';
import { CALLS_FILE, callsText } from './calls-text.ts';

it('the calls of the pages are those of the contracts as they are now', async () => {
  const kept = readFileSync(CALLS_FILE, 'utf8');
  expect(kept === (await callsText()), 'run `npm run calls` and commit what it writes').toBe(true);
});

it('every route can be called', () => {
  const written = Object.values(calls).map(
    ({ method, path: at, access }) => `${method} ${at} ${access.kind}`,
  );
  const routes = ALL_ROUTES.map(({ method, path: at, access }) => `${method} ${at} ${access.kind}`);
  expect([...new Set(written)].sort()).toEqual([...new Set(routes)].sort());
});
