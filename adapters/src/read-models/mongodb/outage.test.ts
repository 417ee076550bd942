import { afterEach, expect, it } from 'vitest';
import { mongoProbe } from './outage.ts';

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

const probeOf = (url: string) => {
  const probe = mongoProbe(url);
  closing.push(() => probe.close());
  return () => probe.check(new AbortController().signal);
};

it('says the same of a MongoDB that is not there however often it is asked', async () => {
  const check = probeOf('mongodb://127.0.0.1:1/?directConnection=true');
  for (let time = 0; time < 2; time += 1)
    await expect(check()).rejects.toThrow('MongoDB is not reached, or has no primary yet');
}, 60_000);

it('tells of a connection string that cannot be read', async () => {
  await expect(probeOf('nonsense')()).rejects.toThrow('MongoDB answers with an error');
});
