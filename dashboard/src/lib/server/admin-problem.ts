import type { ErrorCode } from '@tollgate/contracts/errors';
import type { FieldError } from '@tollgate/contracts/problem';

/** A refusal of the admin API, or `unavailable` where it could not be asked. */
export class AdminProblem extends Error {
  readonly status: number;
  readonly code: ErrorCode;
  readonly detail: string;
  readonly errors: readonly FieldError[];
  readonly retryAfterS: number | null;
  /** For the person to quote; null where the gateway did not answer. */
  readonly requestId: string | null;

  constructor(problem: {
    status: number;
    code: ErrorCode;
    detail: string;
    errors?: readonly FieldError[];
    retryAfterS?: number | null;
    requestId?: string | null;
    cause?: unknown;
  }) {
    super(`${problem.code}: ${problem.detail}`, { cause: problem.cause });
    this.name = 'AdminProblem';
    this.status = problem.status;
    this.code = problem.code;
    this.detail = problem.detail;
    this.errors = problem.errors ?? [];
    this.retryAfterS = problem.retryAfterS ?? null;
    this.requestId = problem.requestId ?? null;
  }
}
