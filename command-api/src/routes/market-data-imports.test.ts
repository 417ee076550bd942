import type { MarketDataImports, UploadState } from '@quantloom/domain/ports/market-data-imports';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type MemoryServer, openMemoryServer } from '../../testing/memory-server.ts';
import { PRINCIPALS } from '../../testing/test-api.ts';
import { mountMarketDataImports } from './market-data-imports.ts';

const IMPORTS = '/admin/market-data/imports';
const ID = '0123456789abcdef';
const UPLOADING: UploadState = {
  ...{ state: 'uploading', stage: '', done: 0, files: 0, bytes: 0 },
  ...{ error: null, question: null, report: null },
};

describe('imports of files over the network', () => {
  let server: MemoryServer;
  let imports: MarketDataImports;
  let asked: unknown[];

  beforeEach(async () => {
    asked = [];
    const told = <T>(answer: T, ...given: readonly unknown[]): Promise<T> => {
      asked.push(given);
      return Promise.resolve(answer);
    };
    imports = {
      begin: async () => UPLOADING,
      put: (...given) => told(UPLOADING, ...given),
      run: (...given) => told({ ...UPLOADING, state: 'running' as const }, ...given),
      state: async (id) => (id === ID ? UPLOADING : null),
      changedResults: (...given) => told(null, ...given),
      use: (version) => told(undefined, version),
    };
    const all: MarketDataImports = new Proxy(imports, { get: (_, name) => Reflect.get(imports, name) });
    server = await openMemoryServer(mountMarketDataImports, { marketDataImports: all });
  });
  afterEach(() => server.app.close());
  const use = (version = 'v1') => server.call('admin', 'POST', '/admin/market-data/use', { version });

  it('are carried out as they were asked for, and only told about where nothing is said', async () => {
    const run = (body: object) => server.call('admin', 'POST', `${IMPORTS}/${ID}/run`, body);
    const usual = { replace: false, keepDifferent: false, allowBadRows: false };
    expect(await run({ publish: false })).toMatchObject({
      status: 202,
      body: { data: { state: 'running' } },
    });
    expect(asked).toEqual([[ID, { publish: false, ...usual }]]);
    await run({
      ...{ publish: true, replace: true, keep_different: true, allow_bad_rows: true, ticker: 'SPY' },
      ...{ dates: 'day_first', decimal: 'comma', series: '@VIX', lag_days: 0 },
    });
    expect(asked.at(-1)).toEqual([
      ID,
      {
        ...{ publish: true, replace: true, keepDifferent: true, allowBadRows: true, ticker: 'SPY' },
        ...{ dates: 'day_first', decimal: 'comma', series: '@VIX', lagDays: 0 },
      },
    ]);
  });

  it.each([
    ['replace', 'replace'],
    ['keep_different', 'keepDifferent'],
    ['allow_bad_rows', 'allowBadRows'],
  ])('are let through where they differ or are bad only as far as was asked for: %s', async (name, told) => {
    await server.call('admin', 'POST', `${IMPORTS}/${ID}/run`, { publish: true, [name]: true });
    const none = { replace: false, keepDifferent: false, allowBadRows: false };
    expect(asked).toEqual([[ID, { publish: true, ...none, [told]: true }]]);
  });

  it('get the bytes that were sent, at their place', async () => {
    const body = { path: 'a/b.csv', offset: 3, content: Buffer.from('abc').toString('base64') };
    expect((await server.call('admin', 'POST', `${IMPORTS}/${ID}/pieces`, body)).status).toBe(200);
    expect(asked).toEqual([[ID, 'a/b.csv', 3, Buffer.from('abc')]]);
  });

  it('name results to whoever asks as he may see them', async () => {
    await server.call('admin', 'GET', `${IMPORTS}/${ID}`);
    expect(asked).toEqual([[ID, PRINCIPALS.admin.userId]]);
  });

  it('are gone after a day, which the answer says', async () => {
    expect(await server.call('admin', 'GET', `${IMPORTS}/another-one`)).toMatchObject({
      status: 404,
      body: { code: 'import_not_found' },
    });
  });

  it.each([
    [{ code: 'unknown_version' }, 404, 'data_set_not_found'],
    [{ code: 'import_running' }, 409, 'import_running'],
    [{ code: 'data_set_damaged' }, 409, 'data_set_damaged'],
    [{ code: 'another' }, 500, 'internal_error'],
  ])('are refused in words where they cannot be: %j', async (error, status, code) => {
    imports = { ...imports, use: () => Promise.reject(Object.assign(new Error('It said so'), error)) };
    expect(await use()).toMatchObject({ status, body: { code } });
  });

  it('are refused for a path that is none', async () => {
    imports = { ...imports, put: () => Promise.reject(new RangeError('The path is none')) };
    const piece = { path: '../x', offset: 0, content: '' };
    expect(await server.call('admin', 'POST', `${IMPORTS}/${ID}/pieces`, piece)).toMatchObject({
      status: 400,
      body: { code: 'bad_upload', error: 'The path is none' },
    });
  });

  it('are an administrator’s alone, and of no use where the installation takes none', async () => {
    expect((await server.call('paid', 'POST', IMPORTS)).status).toBe(403);
    expect((await server.call('adminMachine', 'POST', IMPORTS)).status).toBe(403);
    const without = await openMemoryServer(mountMarketDataImports);
    expect(await without.call('admin', 'POST', IMPORTS)).toMatchObject({
      status: 409,
      body: { code: 'imports_unavailable' },
    });
    await without.app.close();
  });
});
