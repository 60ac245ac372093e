import type { ErrorCode } from './errors.ts';

/** One field at fault; exactly one of `pointer` (RFC 6901, into the body), `header` and `parameter` is present. */
export interface FieldError {
  pointer?: string;
  header?: string;
  parameter?: string;
  code: string;
  detail: string;
}

/** What a use case says went wrong. Edges turn it into `application/problem+json` or an RPC reply. */
export interface ProblemDetails {
  code: ErrorCode;
  detail: string;
  errors?: FieldError[];
  /** Members that belong to one code only: `required_scope`, `payment_status`. */
  extensions?: Record<string, unknown>;
  retryAfterS?: number;
}

/** An expected rejection, thrown by use cases and returned by the edge. Anything else that is thrown is a fault of ours. */
export class Problem extends Error {
  readonly details: ProblemDetails;

  constructor(code: ErrorCode, detail: string, more: Omit<ProblemDetails, 'code' | 'detail'> = {}) {
    super(`${code}: ${detail}`);
    this.name = 'Problem';
    this.details = { code, detail, ...more };
  }
}
