import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { EVENTSTORE_CLIENTS } from './server-client.ts';

const packages = { eventstore: '@eventstore/db-client', kurrent: '@kurrent/kurrentdb-client' } as const;

/**
 * What a process of its own has loaded of the libraries after it has opened, asked and closed what the
 * product opens.
 */
async function loadedBy(name: string): Promise<string[]> {
  const script = `
    import { registerHooks } from 'node:module';
    const loaded = new Set();
    registerHooks({
      resolve(specifier, context, next) {
        loaded.add(specifier.split('/').slice(0, 2).join('/'));
        return next(specifier, context);
      },
    });
    const address = { url: 'esdb://127.0.0.1:1?tls=false', client: '${name}' };
    const { openEventStoreDb } = await import('${new URL('./eventstoredb-event-store.ts', import.meta.url)}');
    const { eventStoreDbProbe } = await import('${new URL('./outage.ts', import.meta.url)}');
    const store = await openEventStoreDb({ ...address, retries: 0 });
    const probe = eventStoreDbProbe(address);
    const said = await probe.check(new AbortController().signal).catch((error) => error.message);
    if (!/not reached/.test(said)) throw new Error(said);
    await probe.close();
    await store.close();
    console.log(${JSON.stringify(Object.values(packages))}.filter((each) => loaded.has(each)).join());
    process.exit();
  `;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script]);
  return stdout.trim().split(',');
}

describe('connectToServer', () => {
  it.each(EVENTSTORE_CLIENTS)('loads the library of %s and not the other', async (name) => {
    expect(await loadedBy(name)).toEqual([packages[name]]);
  });
});
