import { ERRORS, type ErrorCode } from '@tollgate/contracts/platform/errors';
import { EXAMPLE_REQUEST_ID } from './examples.ts';

/** An example problem, without the members that belong to one request. */
export function exampleProblem(code: ErrorCode, docsBaseUrl: string): Record<string, unknown> {
  const { status, title, remedy, retryable } = ERRORS[code];
  return {
    type: `${docsBaseUrl}/errors/${code}`,
    title,
    status,
    detail: remedy,
    code,
    request_id: EXAMPLE_REQUEST_ID,
    retryable,
    ...(code === 'insufficient-scope' && { required_scope: 'payment:create' }),
    ...(code === 'payment-not-cancelable' && { payment_status: 'succeeded' }),
    ...(code === 'invalid-request' && {
      errors: [{ pointer: '/amount', code: 'missing', detail: 'This field is required.' }],
    }),
  };
}
