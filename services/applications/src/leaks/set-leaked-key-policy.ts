import type { Actor } from '@tollgate/contracts/accounts/actor';
import type { setLeakedKeyPolicy as contract } from '@tollgate/contracts/applications/rpc';
import { changeAudited } from '@tollgate/store/audited-records';
import { requireVersion } from '@tollgate/store/require-version';
import type { Static } from 'typebox';
import { requireRoleForLeakedKeyPolicy } from '../access/permissions.ts';
import { leakedKeyPolicyEntry } from '../audit-entry.ts';
import type { Context } from '../context.ts';
import { type LeakedKeyPolicy, withPolicy } from './leaked-key-policy.ts';

/** Changes the policy for later leaks. Throws `forbidden`, `precondition-failed`, `conflict`. */
export function setLeakedKeyPolicy(
  context: Context,
  actor: Actor,
  { policy, if_version }: Static<typeof contract.request>,
): Promise<LeakedKeyPolicy> {
  const { team_id } = actor;
  return changeAudited(
    context,
    context.leakedKeyPolicies,
    { _id: team_id, team_id },
    (before, now) => {
      requireRoleForLeakedKeyPolicy(actor);
      requireVersion(if_version, before.version, 'the policy');
      return withPolicy(before, policy, now);
    },
    leakedKeyPolicyEntry(actor),
  );
}
