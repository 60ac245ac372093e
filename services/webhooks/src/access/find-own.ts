import type { Actor } from '@tollgate/contracts/accounts/actor';
import type { Environment } from '@tollgate/contracts/platform/environment';
import { requireEnvironment } from '@tollgate/security/require-environment';
import { recordNotFound } from '@tollgate/store/audited-records';

interface Records<Found> {
  /** What a record is called in errors, without an article. */
  readonly noun: string;
  find(teamId: string, id: string): Promise<Found | null>;
}

/** Returns the team's record. Throws `not-found`, also for another team's record, and `forbidden` outside the actor's environments. */
export async function findOwn<Found extends { environment: Environment }>(
  records: Records<Found>,
  actor: Actor,
  id: string,
): Promise<Found> {
  const found = await records.find(actor.team_id, id);
  if (!found) throw recordNotFound(records, id);
  requireEnvironment(actor, found.environment);
  return found;
}
