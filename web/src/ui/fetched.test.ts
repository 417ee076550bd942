import { expect, it } from 'vitest';
import { fetchedPart } from './fetched.tsx';

const Shown = () => null;

it('fetches a part once, and once more when somebody asks after a failure', async () => {
  let fetches = 0;
  const part = fetchedPart(async () => {
    if (++fetches === 1) throw new TypeError('Failed to fetch');
    return Shown;
  });
  const ask = () =>
    new Promise<string>((resolve) =>
      part.whenFetched(
        () => resolve('there'),
        (reason) => resolve((reason as Error).message),
      ),
    );
  expect(await ask()).toBe('Failed to fetch');
  expect(await ask()).toBe('there');
  part.fetch();
  expect(await ask()).toBe('there');
  expect(fetches).toBe(2);
  expect(part.read()).toBe(Shown);
});
