import { fileURLToPath } from 'node:url';
import asc from 'assemblyscript/asc';

const folder = fileURLToPath(new URL('.', import.meta.url));

/** Compiler options. No runtime: kernels have no data, no allocation and no stack of their own, so that threads can share a memory. */
const OPTIONS = [
  '-O3',
  '--noAssert',
  '--runtime',
  'stub',
  '--importMemory',
  '--sharedMemory',
  '--initialMemory',
  '1',
  '--maximumMemory',
  '65536',
  '--enable',
  'simd',
  '--enable',
  'threads',
  '--enable',
  'bulk-memory',
];

/** Compiles `assembly/` into a `.wasm` (path relative to this folder). Rejects with the compiler's output where it fails. */
export async function buildKernels(outFile: string): Promise<void> {
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

if (process.argv[1] === fileURLToPath(import.meta.url)) await buildKernels('kernels.wasm');
