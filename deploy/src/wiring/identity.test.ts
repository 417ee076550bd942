import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { openSqliteEventStore } from '@quantloom/adapters/event-store/sqlite/sqlite-event-store';
import { createSqliteRateLimits } from '@quantloom/adapters/rate-limits/sqlite/rate-limits';
import { openSqliteDatabase } from '@quantloom/adapters/sqlite/database';
import { DEFAULT_AUDIENCE, WEB_CLIENT_ID } from '@quantloom/domain/identity/issuer';
import { pino } from 'pino';
import { expect, it } from 'vitest';
import { readConfig } from '../config.ts';
import { openIdentity, openRemoteIdentity } from './identity.ts';

const secretKey = 'ab'.repeat(32);
const FOREIGN = {
  PUBLIC_URL: 'https://app.example',
  OIDC_ISSUER: 'https://sign-in.example/realm',
  OIDC_CLIENT_ID: 'their-client',
  OIDC_AUDIENCE: 'their-audience',
};

it('an API process of a cluster takes the gateway for the issuer where none is named', async () => {
  const { handler, bootstrapClient, isOwn, settings, connectOrigins } = openRemoteIdentity(
    readConfig({ PUBLIC_URL: 'https://app.example/' }),
    { secretKey },
  );
  expect({ handler, bootstrapClient, isOwn, connectOrigins }).toEqual({
    handler: null,
    bootstrapClient: null,
    isOwn: true,
    connectOrigins: [],
  });
  expect(settings).toEqual({
    issuer: 'https://app.example/',
    clientId: WEB_CLIENT_ID,
    audience: DEFAULT_AUDIENCE,
  });
});

it.each(['https://sign-in.example/realm', 'https://sign-in.example/realm//'])(
  'an issuer of somebody else is told to the page with one slash at the end, however it is written (%s)',
  async (OIDC_ISSUER) => {
    const config = readConfig({ ...FOREIGN, OIDC_ISSUER });
    const remote = openRemoteIdentity(config, { secretKey });
    // Nothing of what the embedded one needs is touched.
    const own = await openIdentity(config, { secretKey } as Parameters<typeof openIdentity>[1]);
    for (const { settings, connectOrigins, handler, isOwn, bootstrapClient } of [remote, own]) {
      expect(settings).toEqual({
        issuer: 'https://sign-in.example/realm/',
        clientId: 'their-client',
        audience: 'their-audience',
      });
      expect(connectOrigins).toEqual(['https://sign-in.example']);
      expect({ handler, isOwn, bootstrapClient }).toEqual({
        handler: null,
        isOwn: false,
        bootstrapClient: null,
      });
    }
  },
);

it('without one the issuer is part of the product, and serves its own paths', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'identity-'));
  const database = openSqliteDatabase(path.join(folder, 'log.sqlite'));
  const identity = await openIdentity(readConfig({ DATA_DIR: folder, PUBLIC_URL: 'https://app.example' }), {
    secretKey,
    rateLimits: createSqliteRateLimits(database),
    eventStore: openSqliteEventStore(database),
    log: pino({ level: 'silent' }),
  });
  try {
    expect(identity.isOwn).toBe(true);
    expect(identity.settings).toMatchObject({ issuer: 'https://app.example/', clientId: WEB_CLIENT_ID });
    expect(identity.connectOrigins).toEqual([]);
    expect(identity.handler?.handles('/authorize')).toBe(true);
    expect(identity.handler?.handles('/api/v1/backtests')).toBe(false);
    expect(identity.bootstrapClient).not.toBeNull();
  } finally {
    await identity.close();
    database.close();
    rmSync(folder, { recursive: true });
  }
});
