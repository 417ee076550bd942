import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { buildKernels } from './build.ts';
import { KERNELS_FILE } from './kernels.ts';

test('the committed kernels are what their sources compile to', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'kernels-'));
  try {
    const file = join(folder, 'kernels.wasm');
    await buildKernels(relative(fileURLToPath(new URL('.', import.meta.url)), file));
    const isSame = readFileSync(file).equals(readFileSync(KERNELS_FILE));
    expect(isSame, 'run `npm run build:kernels -w compute`').toBe(true);
  } finally {
    rmSync(folder, { recursive: true });
  }
}, 60_000);
