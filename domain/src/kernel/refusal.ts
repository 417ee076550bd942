/** A typed fault of a document, with the block it belongs to. */
export interface Problem {
  /** Stable, snake_case. */
  readonly code: string;
  /** A sentence for the user. */
  readonly message: string;
  /** Id of the block (or condition) at fault. */
  readonly nodeId?: string;
  /** JSON pointer into the request body. */
  readonly path?: string;
}

/** An expected "no": `code` is stable, for programs; `detail` is the sentence the user reads. */
export interface Refusal {
  readonly refusal: true;
  readonly code: string;
  readonly status: 400 | 401 | 403 | 404 | 409 | 412 | 413 | 422 | 429;
  readonly detail: string;
  readonly problems?: readonly Problem[];
  readonly currentRevision?: number;
  /** Further members of the error body, such as `usage` of a refused estimate. */
  readonly data?: Readonly<Record<string, unknown>>;
}

/** Builds a refusal. */
export function refuse(
  status: Refusal['status'],
  code: string,
  detail: string,
  more: Pick<Refusal, 'problems' | 'currentRevision' | 'data'> = {},
): Refusal {
  return { refusal: true, code, status, detail, ...more };
}

/** Tells a refusal from every other answer. */
export function isRefusal(value: unknown): value is Refusal {
  return typeof value === 'object' && value !== null && (value as { refusal?: unknown }).refusal === true;
}

/** Carries a refusal through code that can only throw; services unwind it at their edge. */
export class RefusalError extends Error {
  readonly refusal: Refusal;
  constructor(refusal: Refusal) {
    super(refusal.detail);
    this.name = 'RefusalError';
    this.refusal = refusal;
  }
}
