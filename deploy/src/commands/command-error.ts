import { RefusalError } from '@quantloom/domain/kernel/refusal';

/** A command that cannot be carried out, for a reason its user can do something about. */
export class CommandError extends Error {
  readonly status: number;
  constructor(status: number, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'CommandError';
    this.status = status;
  }
}

/** The body that a failed command prints, like the API's: `{status, error, …}`. */
export function errorBody(error: unknown): Readonly<Record<string, unknown>> {
  if (error instanceof RefusalError) {
    const { status, detail, code, problems } = error.refusal;
    return { status, error: detail, code, ...(problems === undefined ? {} : { errors: problems }) };
  }
  if (error instanceof CommandError) return { status: error.status, error: error.message };
  const message = error instanceof Error ? error.message : String(error);
  const code = (error as { code?: unknown } | null)?.code;
  return { status: 500, error: message, ...(typeof code === 'string' ? { code } : {}) };
}
