import { ERRORS, type ErrorDefinition } from './errors.ts';
import type { ProblemDetails } from './problem.ts';

/** The parts of a request that decide whether repeating it is safe. */
export interface RepeatableRequest {
  method: string;
  hasIdempotencyKey: boolean;
}

/**
 * Whether a client may repeat the request that got this problem, unchanged: the value of `retryable` and
 * `X-Should-Retry`. It is a promise that the repetition has no second effect. A POST without an idempotency key whose
 * outcome is unknown may have been processed, so it must not be repeated.
 */
export function isRetryable(
  { code, outcomeUnknown }: Pick<ProblemDetails, 'code' | 'outcomeUnknown'>,
  { method, hasIdempotencyKey }: RepeatableRequest,
): boolean {
  const { retryable, outcomeIsUnknown = false }: ErrorDefinition = ERRORS[code];
  const isSafe = method !== 'POST' || hasIdempotencyKey;
  return retryable && (isSafe || !(outcomeUnknown ?? outcomeIsUnknown));
}
