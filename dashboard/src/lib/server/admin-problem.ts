import type { SecondFactorName } from '@tollgate/contracts/accounts/passkey';
import type { ErrorCode } from '@tollgate/contracts/platform/errors';
import type { FieldError } from '@tollgate/contracts/platform/problem';

/** An error response of the admin API, or `unavailable` when the gateway is unreachable. */
export class AdminProblem extends Error {
  readonly status: number;
  readonly code: ErrorCode;
  readonly detail: string;
  readonly errors: readonly FieldError[];
  /** Set with `second-factor-required`: what the member can complete the sign-in with. */
  readonly factors: readonly SecondFactorName[];
  readonly retryAfterS: number | null;
  /** Request id to quote in a support request; null when the gateway is unreachable. */
  readonly requestId: string | null;

  constructor(problem: {
    status: number;
    code: ErrorCode;
    detail: string;
    errors?: readonly FieldError[];
    factors?: readonly SecondFactorName[];
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
    this.factors = problem.factors ?? [];
    this.retryAfterS = problem.retryAfterS ?? null;
    this.requestId = problem.requestId ?? null;
  }
}

/**
 * Whether the cursor is invalid for this list: from an old address, or one with other filters. The list then starts
 * over.
 */
export function isAboutCursor(error: unknown): boolean {
  if (!(error instanceof AdminProblem) || error.code !== 'invalid-request') return false;
  return error.errors.some(({ pointer, parameter }) => (pointer ?? parameter)?.endsWith('cursor'));
}
