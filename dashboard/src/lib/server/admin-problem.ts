import type { ErrorCode } from '@tollgate/contracts/errors';
import type { FieldError } from '@tollgate/contracts/problem';

/** A rejection of the admin API, or `unavailable` where it could not be asked. */
export class AdminProblem extends Error {
  readonly status: number;
  readonly code: ErrorCode;
  readonly detail: string;
  readonly errors: readonly FieldError[];
  readonly retryAfterS: number | null;
  /** For the person to quote; null where the gateway did not respond. */
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

/** A cursor that no page of this list has given: from an old address, or one with other filters. The list begins anew then. */
export function isAboutCursor(error: unknown): boolean {
  if (!(error instanceof AdminProblem) || error.code !== 'invalid-request') return false;
  return error.errors.some(({ pointer, parameter }) => (pointer ?? parameter)?.endsWith('cursor'));
}
