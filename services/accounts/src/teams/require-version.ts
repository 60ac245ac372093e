import { Problem } from '@tollgate/contracts/problem';
import type { Team } from './team.ts';

/** Throws `precondition-failed` when the team changed since the caller read it; undefined accepts any version. */
export function requireVersion({ version }: Team, ifVersion: number | undefined): void {
  if (ifVersion === undefined || ifVersion === version) return;
  throw new Problem(
    'precondition-failed',
    `You sent version ${ifVersion}, but the team is now at version ${version}.`,
  );
}
