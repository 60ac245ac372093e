import { signAuditEntry } from '@tollgate/security/audit-entry';
import { memberAuditEntry } from '../audit-entry.ts';
import type { Context } from '../context.ts';
import type { Member } from '../members/member.ts';
import { type Origin, unprovenAuthor } from '../origin.ts';

/**
 * Records the failed sign-in in the team of each account. The audit entries are left to the sweep: publishing them here
 * would delay the response by some milliseconds, only for emails with an account.
 */
export async function recordFailures(
  context: Context,
  accounts: readonly Member[],
  request: Origin,
): Promise<void> {
  const now = new Date(context.clock.now());
  const author = unprovenAuthor(request);
  const audit = accounts.map((member) =>
    signAuditEntry(context.signer, memberAuditEntry('member.sign_in_failed', author, member, now)),
  );
  await context.failedSignIns.insert(audit, now);
}
