import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { KAFKA_CLIENTS } from './kafka-client.ts';

const packages = { kafkajs: 'kafkajs', platformatic: '@platformatic/kafka' } as const;

/** What a process of its own has loaded of the clients after `loadKafkaClient`. */
async function loadedBy(name: string): Promise<string[]> {
  const script = `
    import { registerHooks } from 'node:module';
    const loaded = new Set();
    registerHooks({
      resolve(specifier, context, next) {
        loaded.add(specifier);
        return next(specifier, context);
      },
    });
    const { loadKafkaClient } = await import('${new URL('./kafka-client.ts', import.meta.url)}');
    const { isOutage, openMessageBus } = await loadKafkaClient('${name}');
    if (typeof isOutage !== 'function' || typeof openMessageBus !== 'function') throw new Error('no client');
    console.log(${JSON.stringify(Object.values(packages))}.filter((each) => loaded.has(each)).join());
  `;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script]);
  return stdout.trim().split(',');
}

describe('loadKafkaClient', () => {
  it.each(KAFKA_CLIENTS)('loads %s and no other client', async (name) => {
    expect(await loadedBy(name)).toEqual([packages[name]]);
  });
});
