import { Problem } from '@tollgate/contracts/problem';

/** @param detail says what happened and what the person can do; it never contains what a provider or a caller wrote */
export function ssoFailed(detail: string): Problem {
  return new Problem('sso-failed', detail);
}
