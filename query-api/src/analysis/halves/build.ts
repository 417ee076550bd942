import { fileURLToPath } from 'node:url';
import asc from 'assemblyscript/asc';

const folder = fileURLToPath(new URL('.', import.meta.url));

/** No runtime: the kernel has no data, no allocation and no stack of its own. */
const OPTIONS = '-O3 --noAssert --runtime stub --initialMemory 4 --maximumMemory 4 --enable simd'.split(' ');

/** Compiles `assembly/` into a `.wasm` (path relative to this folder). Rejects with the compiler's output where it fails. */
export async function buildHalves(outFile: string): Promise<void> {
  const { error, stderr } = await asc.main([
    'assembly/index.ts',
    '--baseDir',
    folder,
    '-o',
    outFile,
    ...OPTIONS,
  ]);
  if (error) throw new Error(stderr.toString() || error.message, { cause: error });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await buildHalves('halves.wasm');
