import { Problem } from '@tollgate/contracts/platform/problem';
import type { Failure } from '../lifecycle/payment.ts';
import type { EndOutcome } from './end-payment.ts';

/**
 * An outcome as a member sends it. Throws `invalid-request` when a failure is missing, or accompanies another status.
 */
export function readOutcome<Status extends EndOutcome['status']>(sent: {
  status: Status;
  failure?: Failure;
}): Extract<EndOutcome, { status: Status }> {
  const { status, failure } = sent;
  if (status === 'failed' && !failure) {
    throw invalidFailure('missing', 'A payment that fails needs a code and a message.');
  }
  if (status !== 'failed' && failure) {
    throw invalidFailure('invalid', 'Only a payment that fails has a failure. Leave this out.');
  }
  return sent as Extract<EndOutcome, { status: Status }>;
}

function invalidFailure(code: string, detail: string): Problem {
  return new Problem('invalid-request', detail, {
    errors: [{ pointer: '/outcome/failure', code, detail }],
  });
}
