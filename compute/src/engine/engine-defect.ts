/** A fault of the engine itself, as opposed to a strategy that cannot run. Carries what is needed to find and replay it. */
export class EngineDefectError extends Error {
  readonly code = 'engine_defect';
  /** JSON-serialisable; `error` holds message and stack lines, further members depend on where it happened. */
  readonly debugData: Readonly<Record<string, unknown>>;

  constructor(cause: unknown, context: Readonly<Record<string, unknown>> = {}) {
    const message = cause instanceof Error ? cause.message : String(cause);
    super(`The engine failed: ${message}`, { cause });
    this.name = 'EngineDefectError';
    const stack = cause instanceof Error ? (cause.stack ?? '').split('\n').map((line) => line.trim()) : [];
    this.debugData = { ...context, error: { message, stack } };
  }
}
