import { expect, test } from 'vitest';
import { isCompiled } from '../../../testing/assembly.ts';
import { KERNELS } from '../../../testing/build-kernels.ts';

test('the committed kernels are what their sources compile to', async () => {
  expect(await isCompiled(KERNELS), 'run `npm run build:kernels -w compute`').toBe(true);
}, 60_000);
