/**
 * A fault of the engine itself, as opposed to a strategy that cannot run. Carries what is needed to find and
 * replay it.
 */
export class EngineDefectError extends Error {
  readonly code = 'engine_defect';
  /** JSON-serialisable; `error` holds message and stack lines, further members depend on where it happened. */
  readonly debugData: Readonly<Record<string, unknown>>;

  constructor(message: string, debugData: Readonly<Record<string, unknown>>, options?: ErrorOptions) {
    super(message, options);
    this.name = 'EngineDefectError';
    this.debugData = debugData;
  }

  /** Wraps whatever the engine threw, with what is known about where. */
  static from(cause: unknown, context: Readonly<Record<string, unknown>> = {}): EngineDefectError {
    if (cause instanceof EngineDefectError) return cause;
    const message = cause instanceof Error ? cause.message : String(cause);
    const stack = cause instanceof Error ? (cause.stack ?? '').split('\n').map((line) => line.trim()) : [];
    return new EngineDefectError(
      `The engine failed: ${message}`,
      { ...context, error: { message, stack } },
      { cause },
    );
  }
}
