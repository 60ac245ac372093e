import { Problem } from '@tollgate/contracts/problem';

/** One response to members for unknown and other teams' ids, so that it says nothing about what exists. */
export function noSuchPayment(): Problem {
  return new Problem('not-found', 'The team has no payment with this ID.');
}
