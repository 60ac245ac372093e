/** An error response: https://docs.stripe.com/api/errors */
export class StripeProblem extends Error {
  readonly status: number;
  readonly error: Record<string, unknown>;
  /** Whether an endpoint had begun to execute: only such results are stored for an idempotency key. */
  readonly isExecuted: boolean;

  constructor(
    status: number,
    error: { type: string; message: string; [field: string]: unknown },
    isExecuted = false,
  ) {
    super(error.message);
    this.status = status;
    this.error = error;
    this.isExecuted = isExecuted;
  }
}

export function invalid(
  message: string,
  fields: { code?: string; param?: string } = {},
  status = 400,
): StripeProblem {
  return new StripeProblem(status, { type: 'invalid_request_error', message, ...fields });
}

export function resourceMissing(kind: string, id: string, param: string, status = 400): StripeProblem {
  return invalid(`No such ${kind}: '${id}'`, { code: 'resource_missing', param }, status);
}
