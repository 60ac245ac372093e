import { Problem } from '../platform/problem.ts';

/** The rejection of an API token where only members are allowed. */
export function tokenNotAccepted(): Problem {
  return new Problem('forbidden', 'API tokens cannot do this. Sign in as a member.');
}
