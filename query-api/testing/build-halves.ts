import { type CompiledKernel, compileKernel } from '@quantloom/compute/testing/assembly';
import { HALVES_FILE } from '../src/analysis/halves/wide-halves.ts';

export const HALVES: CompiledKernel = {
  file: HALVES_FILE,
  options: ['--initialMemory', '4', '--maximumMemory', '4'],
};

if (import.meta.main) await compileKernel(HALVES);
