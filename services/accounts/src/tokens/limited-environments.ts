import { ENVIRONMENTS, type Environment } from '@tollgate/contracts/platform/environment';

/** The environments that a token is limited to; null if they are all. */
export function limitedEnvironments(
  environments: readonly Environment[] | null,
): readonly Environment[] | null {
  return environments !== null && environments.length < ENVIRONMENTS.length ? environments : null;
}
