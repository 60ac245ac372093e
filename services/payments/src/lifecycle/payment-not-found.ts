import { Problem } from '@tollgate/contracts/platform/problem';

/** The same error for unknown, malformed, and other applications' ids, so that it reveals nothing about what exists. */
export function paymentNotFound(): Problem {
  return new Problem(
    'payment-not-found',
    'This application has no payment with this ID in this environment.',
  );
}

/** The same error for unknown ids and other teams' ids, so that it reveals nothing about what exists. */
export function paymentNotFoundInTeam(): Problem {
  return new Problem('not-found', 'The team has no payment with this ID.');
}
