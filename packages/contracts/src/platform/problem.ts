import type { ErrorCode } from './errors.ts';

/** One invalid field. Exactly one of `pointer` (RFC 6901, into the body), `header`, and `parameter` is present. */
export interface FieldError {
  pointer?: string;
  header?: string;
  parameter?: string;
  code: string;
  detail: string;
}

/** What went wrong in a use case. The edge of a service maps it to `application/problem+json` or an RPC reply. */
export interface ProblemDetails {
  code: ErrorCode;
  detail: string;
  errors?: FieldError[];
  /** Members of single codes: `required_scope`, `payment_status`. */
  extensions?: Record<string, unknown>;
  retryAfterS?: number;
  /** Whether the request may have been processed, if that differs from what the code says. */
  outcomeUnknown?: boolean;
}

/** An expected rejection that a use case throws and the edge returns. Any other thrown error is a bug. */
export class Problem extends Error {
  readonly details: ProblemDetails;

  constructor(code: ErrorCode, detail: string, more: Omit<ProblemDetails, 'code' | 'detail'> = {}) {
    super(`${code}: ${detail}`);
    this.name = 'Problem';
    this.details = { code, detail, ...more };
  }
}
