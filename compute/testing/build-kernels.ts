import { KERNELS_FILE } from '../src/engine/kernels/kernels.ts';
import { type CompiledKernel, compileKernel } from './assembly.ts';

/** Threads share the memory. */
export const KERNELS: CompiledKernel = {
  file: KERNELS_FILE,
  options: [
    '--importMemory',
    '--sharedMemory',
    '--initialMemory',
    '1',
    '--maximumMemory',
    '65536',
    '--enable',
    'threads',
    '--enable',
    'bulk-memory',
  ],
};

if (import.meta.main) await compileKernel(KERNELS);
