import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import asc from 'assemblyscript/asc';

/** Kernels need no runtime: they have no data, no allocation and no stack of their own. */
const OPTIONS = ['-O3', '--noAssert', '--runtime', 'stub', '--enable', 'simd'];

/** A `.wasm` file, compiled from the folder `assembly` beside it. */
export interface CompiledKernel {
  readonly file: URL;
  /** Compiler options besides those of every kernel, which say what its memory is. */
  readonly options: readonly string[];
}

/** Compiles a kernel into its file, or into another one. Rejects with the compiler's output where it fails. */
export async function compileKernel(
  { file, options }: CompiledKernel,
  outFile = fileURLToPath(file),
): Promise<void> {
  const folder = path.dirname(fileURLToPath(file));
  const out = path.relative(folder, outFile);
  const { error, stderr } = await asc.main([
    'assembly/index.ts',
    '--baseDir',
    folder,
    '-o',
    out,
    ...OPTIONS,
    ...options,
  ]);
  if (error) throw new Error(stderr.toString() || error.message, { cause: error });
}

/** Whether a kernel's file is what its sources compile to. */
export async function isCompiled(kernel: CompiledKernel): Promise<boolean> {
  const folder = await mkdtemp(path.join(tmpdir(), 'kernel-'));
  try {
    const file = path.join(folder, 'kernel.wasm');
    await compileKernel(kernel, file);
    return (await readFile(file)).equals(await readFile(kernel.file));
  } finally {
    await rm(folder, { recursive: true });
  }
}
