import type { Actor } from '@tollgate/contracts/accounts/actor';
import type { LeakedKeyPolicyName } from '@tollgate/contracts/applications/leak';
import { Problem } from '@tollgate/contracts/platform/problem';
import { signAuditEntry } from '@tollgate/security/audit-entry';
import { auditMessage } from '@tollgate/store/audit-outbox';
import { requireVersion } from '@tollgate/store/require-version';
import { requireRoleForLeakedKeyPolicy } from '../access/permissions.ts';
import { leakedKeyPolicyAuditEntry } from '../audit-entry.ts';
import type { Context } from '../context.ts';
import { type LeakedKeyPolicy, withPolicy } from './leaked-key-policy.ts';

/** Changes the policy for later leaks. Throws `forbidden`, `precondition-failed`. */
export async function setLeakedKeyPolicy(
  context: Context,
  actor: Actor,
  { policy, ifVersion }: { policy: LeakedKeyPolicyName; ifVersion: number | undefined },
): Promise<LeakedKeyPolicy> {
  requireRoleForLeakedKeyPolicy(actor);
  const before = await context.leakedKeyPolicies.find(actor.team_id);
  requireVersion(ifVersion, before.version, 'the policy');
  const after = withPolicy(before, policy, new Date(context.clock.now()));
  if (after === before) return before;
  const audit = signAuditEntry(context.signer, leakedKeyPolicyAuditEntry(actor, before, after));
  if (!(await context.leakedKeyPolicies.replace(before, after, audit)))
    throw new Problem('precondition-failed', 'Another request changed the policy at the same time.');
  context.audit.enqueue([auditMessage(after.teamId, audit)]);
  return after;
}
