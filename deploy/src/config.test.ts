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
    [{ STRIPE_SECRET_KEY: 'sk_test', STRIPE_API_PRICE: 'price' }, /STRIPE_WEBHOOK_SECRET/],
    [{ OIDC_ISSUER: 'https://issuer.example', OIDC_CLIENT_ID: 'web' }, /OIDC_AUDIENCE/],
    [{ OIDC_CLIENT_ID: 'web', OIDC_AUDIENCE: 'api' }, /OIDC_ISSUER/],
    [{ KAFKA_SASL_USERNAME: 'quantloom' }, /KAFKA_SASL_MECHANISM/],
    [{ KAFKA_SASL_MECHANISM: 'plain', KAFKA_SASL_USERNAME: 'quantloom' }, /KAFKA_SASL_PASSWORD/],
    [{ KAFKA_TLS_CA: 'a certificate' }, /KAFKA_TLS=true/],
    [{ ALPACA_PAPER_URL: 'https://api.alpaca.markets' }, /ALPACA_PAPER_URL/],
    [{ PUBLIC_URL: 'q.example' }, /PUBLIC_URL q\.example is not an address/],
    [{ SECRET_KEY: 'ab'.repeat(31) }, /SECRET_KEY/],
    [{ MARKET_DATA_REFRESH_AT: '24:00' }, /MARKET_DATA_REFRESH_AT/],
    [{ METRICS_TOKEN: 'short' }, /METRICS_TOKEN/],
    [{ KAFKA_REPLICATION: '1', KAFKA_MIN_INSYNC_REPLICAS: '2' }, /KAFKA_MIN_INSYNC_REPLICAS/],
    [{ CORS_ORIGINS: '*' }, /CORS_ORIGINS names \*/],
    [{ CORS_ORIGINS: 'https://a.example,https://*.b.example' }, /CORS_ORIGINS/],
    [{ CORS_ORIGINS: 'https://a.example/path' }, /CORS_ORIGINS/],
    [{ CORS_ORIGINS: 'null' }, /CORS_ORIGINS/],
    [{ SECRET_KEY_FILE: '/does/not/exist' }, /SECRET_KEY_FILE/],
  ])('names the setting at fault in %j', (environment, message) => {
    expect(() => readConfig(environment)).toThrow(message);
  });

  it('takes settings that go together', () => {
    const kafka = {
      KAFKA_SASL_MECHANISM: 'plain',
      KAFKA_SASL_USERNAME: 'quantloom',
      KAFKA_SASL_PASSWORD: 'secret',
      KAFKA_TLS: 'true',
      KAFKA_TLS_CA: 'a certificate',
      // As many copies as there are may all be asked for.
      KAFKA_REPLICATION: '3',
      KAFKA_MIN_INSYNC_REPLICAS: '3',
    };
    expect(readConfig(kafka)).toMatchObject({ KAFKA_TLS: true, KAFKA_MIN_INSYNC_REPLICAS: 3 });
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
