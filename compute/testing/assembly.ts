import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import asc from 'assemblyscript/asc';
import { exportsText } from './kernel-exports.ts';

/** Kernels need no runtime: they have no data, no allocation and no stack of their own. */
const OPTIONS = ['-O3', '--noAssert', '--runtime', 'stub', '--enable', 'simd', '--bindings', 'raw'];

/** A `.wasm` file, compiled from the folder `assembly` beside it. */
export interface CompiledKernel {
  readonly file: URL;
  /** Compiler options besides those of every kernel, which say what its memory is. */
  readonly options: readonly string[];
}

/** What sources compile to: the module, and the TypeScript of what it exports. */
interface Compiled {
  readonly module: Buffer;
  readonly exports: string;
}

/** The file that tells TypeScript what a kernel exports. */
const exportsFileOf = ({ file }: CompiledKernel) => fileURLToPath(file).replace(/\.wasm$/, '-exports.ts');

/** Compiles a kernel into its files. Rejects with the compiler's output where it fails. */
export async function compileKernel(kernel: CompiledKernel): Promise<void> {
  const { module, exports } = await compiled(kernel);
  await writeFile(kernel.file, module);
  await writeFile(exportsFileOf(kernel), exports);
}

/** Whether a kernel's files are what its sources compile to. */
export async function isCompiled(kernel: CompiledKernel): Promise<boolean> {
  const { module, exports } = await compiled(kernel);
  return (
    module.equals(await readFile(kernel.file)) && exports === (await readFile(exportsFileOf(kernel), 'utf8'))
  );
}

async function compiled({ file, options }: CompiledKernel): Promise<Compiled> {
  const sources = path.dirname(fileURLToPath(file));
  const folder = await mkdtemp(path.join(tmpdir(), 'kernel-'));
  try {
    const out = path.relative(sources, path.join(folder, 'kernel.wasm'));
    const { error, stderr } = await asc.main([
      'assembly/index.ts',
      '--baseDir',
      sources,
      '-o',
      out,
      ...OPTIONS,
      ...options,
    ]);
    if (error) throw new Error(stderr.toString() || error.message, { cause: error });
    const declared = await readFile(path.join(folder, 'kernel.d.ts'), 'utf8');
    return { module: await readFile(path.join(folder, 'kernel.wasm')), exports: exportsText(declared) };
  } finally {
    await rm(folder, { recursive: true });
  }
}
