import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { readConfig } from './config.ts';

describe('configuration', () => {
  it('has defaults for everything an embedded installation needs', () => {
    const config = readConfig({});
    expect(config).toMatchObject({
      PORT: 8080,
      DATA_DIR: '.data',
      HOST: '127.0.0.1',
      publicUrl: 'http://localhost:8080',
    });
    expect(config.OIDC_ISSUER).toBeUndefined();
    expect(config.KAFKA_CLIENT).toBe('kafkajs');
    expect(config.EVENTSTORE_CLIENT).toBe('eventstore');
  });

  it('reads numbers, drops empty values and trailing slashes', () => {
    const config = readConfig({ PORT: '9001', PUBLIC_URL: 'https://q.example/', DATA_DIR: '' });
    expect(config).toMatchObject({ PORT: 9001, publicUrl: 'https://q.example', DATA_DIR: '.data' });
  });

  it.each([
    [{ PORT: 'web' }, /PORT/],
    [{ PORT: '70000' }, /PORT/],
    [{ BOOTSTRAP_API_CLIENT: 'no-secret' }, /BOOTSTRAP_API_CLIENT/],
    [{ LOG_LEVEL: 'loud' }, /LOG_LEVEL/],
    [{ KAFKA_CLIENT: 'librdkafka' }, /KAFKA_CLIENT/],
    [{ EVENTSTORE_CLIENT: 'tcp' }, /EVENTSTORE_CLIENT/],
    [{ OIDC_ISSUER: 'https://issuer.example' }, /OIDC_CLIENT_ID/],
    [{ STRIPE_SECRET_KEY: 'sk_test' }, /STRIPE_API_PRICE/],
    [{ KAFKA_REPLICATION: '1', KAFKA_MIN_INSYNC_REPLICAS: '2' }, /KAFKA_MIN_INSYNC_REPLICAS/],
    [{ CORS_ORIGINS: '*' }, /CORS_ORIGINS names \*/],
    [{ CORS_ORIGINS: 'https://a.example,https://*.b.example' }, /CORS_ORIGINS/],
    [{ CORS_ORIGINS: 'https://a.example/path' }, /CORS_ORIGINS/],
    [{ CORS_ORIGINS: 'null' }, /CORS_ORIGINS/],
    [{ SECRET_KEY_FILE: '/does/not/exist' }, /SECRET_KEY_FILE/],
  ])('names the setting at fault in %j', (environment, message) => {
    expect(() => readConfig(environment)).toThrow(message);
  });

  it('reads exact origins, and none by default', () => {
    expect(readConfig({}).allowedOrigins).toEqual([]);
    expect(readConfig({ CORS_ORIGINS: 'https://a.example, http://localhost:8888' }).allowedOrigins).toEqual([
      'https://a.example',
      'http://localhost:8888',
    ]);
  });

  it('reads a secret from a file', () => {
    const file = path.join(mkdtempSync(path.join(tmpdir(), 'config-')), 'key');
    writeFileSync(file, `${'ab'.repeat(32)}\n`);
    expect(readConfig({ SECRET_KEY_FILE: file }).SECRET_KEY).toBe('ab'.repeat(32));
  });
});
