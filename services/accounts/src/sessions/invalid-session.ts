import { Problem } from '@tollgate/contracts/platform/problem';

export function invalidSession(): Problem {
  return new Problem('invalid-session', 'The session has ended. Sign in again.');
}
