import type { SecondFactorName } from '@tollgate/contracts/accounts/passkey';
import type { ErrorCode } from '@tollgate/contracts/platform/errors';
import type { FieldError } from '@tollgate/contracts/platform/problem';

/**
 * An error response of the admin API, `unavailable` when it does not respond, or `upstream-error` for a response that is
 * not its own.
 */
export class AdminProblem extends Error {
  readonly status: number;
  readonly code: ErrorCode;
  readonly detail: string;
  readonly errors: readonly FieldError[];
  /** Set with `second-factor-required`: what the member can complete the sign-in with. */
  readonly factors: readonly SecondFactorName[];
  readonly retryAfterS: number | null;
  /** Request id to quote in a support request; null without a response. */
  readonly requestId: string | null;
  /** Title and documentation of the code; null unless the admin API sent the problem. */
  readonly title: string | null;
  readonly type: string | null;
  /** Status of the response as it was received; null without a response. */
  readonly responseStatus: number | null;

  constructor(problem: {
    status: number;
    code: ErrorCode;
    detail: string;
    errors?: readonly FieldError[] | undefined;
    factors?: readonly SecondFactorName[] | undefined;
    retryAfterS?: number | null;
    requestId?: string | null;
    title?: string | null;
    type?: string | null;
    responseStatus?: number | null;
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
    this.title = problem.title ?? null;
    this.type = problem.type ?? null;
    this.responseStatus = problem.responseStatus ?? null;
  }
}

/** `application/problem+json`, as the admin API sends it. */
export interface ProblemBody {
  type: string;
  title: string;
  status: number;
  code: ErrorCode;
  detail: string;
  request_id: string;
  retryable: boolean;
  errors?: FieldError[];
  factors?: SecondFactorName[];
}

export function unreachable(error: unknown): AdminProblem {
  // `fetch failed` alone says nothing.
  const cause = (error as Error).cause ?? error;
  const detail = 'The admin API is unavailable. Try again in a moment.';
  return new AdminProblem({ status: 503, code: 'unavailable', detail, cause });
}

/** The problem in a response whose status is not that of a success, or whose body is not JSON. */
export function problemOf({ status, headers }: Response, text: string): AdminProblem {
  const retryAfterS = Number.parseInt(headers.get('retry-after') ?? '', 10);
  const received = {
    responseStatus: status,
    retryAfterS: Number.isNaN(retryAfterS) ? null : retryAfterS,
    requestId: headers.get('x-request-id'),
  };
  const body = parseProblem(text);
  if (body === null) {
    return new AdminProblem({
      ...received,
      status: 502,
      code: 'upstream-error',
      detail: 'The admin API returned an invalid response. Try again in a moment.',
    });
  }
  const { code, detail, title, type, errors, factors, request_id } = body;
  return new AdminProblem({
    ...received,
    ...{ status, code, detail, title, type, errors, factors },
    requestId: request_id ?? received.requestId,
  });
}

/** Null for what is not a problem, such as the page of a proxy. */
function parseProblem(text: string): ProblemBody | null {
  try {
    const body = JSON.parse(text) as ProblemBody | null;
    return typeof body?.code === 'string' && typeof body.detail === 'string' ? body : null;
  } catch {
    return null;
  }
}
