import { readFileSync } from 'node:fs';
import type { KernelExports } from './kernels-exports.ts';
import { LANES } from './shared.ts';

/**
 * The kernels of `assembly/`, by name; see there what each computes. Addresses are byte offsets into the
 * memory they were made over.
 */
export type Kernels = KernelExports;

/** Bytes of scratch that the simulation passes and summing up need. */
export const SIMULATION_SCRATCH = 107 * LANES * 8;
/** Bytes in front of and behind every column, since kernels run in steps of 16 days and look one day back. */
export const COLUMN_MARGIN = 128;

/**
 * The largest memory the kernels may be given, in pages of 64 KB: 4 GB. It is part of the module's import and
 * must be the same in the memory.
 */
export const MAXIMUM_PAGES = 65536;

export const KERNELS_FILE = new URL('./kernels.wasm', import.meta.url);

let compiled: WebAssembly.Module | null = null;

/** The kernels over a memory. The module is compiled once per thread, in under a millisecond. */
export function instantiateKernels(memory: WebAssembly.Memory): Kernels {
  compiled ??= new WebAssembly.Module(readFileSync(KERNELS_FILE));
  return new WebAssembly.Instance(compiled, { env: { memory } }).exports as unknown as Kernels;
}

/** A memory that kernels of several threads can work in. */
export function createMemory(): WebAssembly.Memory {
  return new WebAssembly.Memory({ initial: 16, maximum: MAXIMUM_PAGES, shared: true });
}
