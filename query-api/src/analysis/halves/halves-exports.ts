// Written by `npm run build:kernels` from `assembly/`, where it is said what each of them computes.
// Not to be changed by hand.
export interface KernelExports {
  readonly memory: WebAssembly.Memory;
  readonly ROWS: { readonly value: number };
  readonly SUMS: { readonly value: number };
  readonly SQUARES: { readonly value: number };
  readonly MASKS: { readonly value: number };
  readonly COUNTS: { readonly value: number };
  readonly MARKS: { readonly value: number };
  readonly WINNERS: { readonly value: number };
  readonly BELOW: { readonly value: number };
  readonly AT_MOST: { readonly value: number };
  readonly NUMBERS: { readonly value: number };
  readonly BYTES: { readonly value: number };
  contend(splits: number, low: number, high: number): void;
  rank(splits: number, low: number, high: number): void;
}
