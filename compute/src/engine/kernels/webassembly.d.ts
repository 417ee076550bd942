/**
 * The part of the WebAssembly interface that the engine and the analysis use; the type library that has it is
 * the browser's.
 */
declare namespace WebAssembly {
  class Memory {
    constructor(descriptor: { initial: number; maximum: number; shared: true });
    readonly buffer: SharedArrayBuffer;
    /** Returns the number of pages before. */
    grow(pages: number): number;
  }
  class Module {
    constructor(bytes: Uint8Array);
  }
  class Instance {
    constructor(module: Module, imports?: { env: { memory: Memory } });
    readonly exports: unknown;
  }
}
