import { describe, expect, it } from 'vitest';
import { SharedLooks } from './shared-looks.ts';

function rig() {
  const clock = { time: 0 };
  const looked: string[] = [];
  const looks = new SharedLooks(
    async (key) => {
      looked.push(key);
      if (key === 'broken') throw new Error('broken');
      return `${key} at ${clock.time}`;
    },
    400,
    () => clock.time,
  );
  return { clock, looked, looks };
}

describe('looks of many followers', () => {
  it('are one within the time that a look lasts, for each thing', async () => {
    const { clock, looked, looks } = rig();
    const found = await Promise.all([...Array.from({ length: 300 }, () => looks.at('a')), looks.at('b')]);
    expect(looked).toEqual(['a', 'b']);
    expect(found[299]).toBe('a at 0');
    clock.time = 399;
    expect(await looks.at('a')).toBe('a at 0');
    clock.time = 400;
    expect(await looks.at('a')).toBe('a at 400');
    expect(looked).toEqual(['a', 'b', 'a']);
  });

  it('stay what they are while many others are looked at', async () => {
    const { clock, looked, looks } = rig();
    await looks.at('old');
    clock.time = 300;
    await looks.at('young');
    clock.time = 400;
    for (let i = 0; i < 100; i += 1) await looks.at(`k${i}`);
    expect(await looks.at('young')).toBe('young at 300');
    expect(looked.filter((key) => key === 'young')).toHaveLength(1);
  });

  it('are kept where an older one fails afterwards', async () => {
    const clock = { time: 0 };
    const pending: PromiseWithResolvers<string>[] = [];
    const looks = new SharedLooks(
      () => {
        const look = Promise.withResolvers<string>();
        pending.push(look);
        return look.promise;
      },
      400,
      () => clock.time,
    );
    const old = looks.at('a');
    clock.time = 400;
    const fresh = looks.at('a');
    pending[0]?.reject(new Error('too late'));
    await expect(old).rejects.toThrow('too late');
    expect(looks.at('a')).toBe(fresh);
    expect(pending).toHaveLength(2);
  });

  it('are made again after one that failed', async () => {
    const { looked, looks } = rig();
    await expect(looks.at('broken')).rejects.toThrow('broken');
    await expect(looks.at('broken')).rejects.toThrow('broken');
    expect(looked).toEqual(['broken', 'broken']);
  });
});
