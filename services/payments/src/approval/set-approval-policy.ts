import type { MemberActor } from '@tollgate/contracts/accounts/actor';
import type { setApprovalPolicy as contract } from '@tollgate/contracts/payments/rpc';
import type { ApprovalThreshold } from '@tollgate/contracts/payments/settlement-approval';
import { CURRENCY_EXPONENTS } from '@tollgate/contracts/platform/money';
import { Problem } from '@tollgate/contracts/platform/problem';
import { requireRole } from '@tollgate/security/require-role';
import { actorAuthor } from '@tollgate/store/audit-author';
import { changeAudited } from '@tollgate/store/audited-records';
import { requireVersion } from '@tollgate/store/require-version';
import type { Static } from 'typebox';
import { auditEntry, ofTeam } from '../audit/audit-entry.ts';
import type { Context } from '../context.ts';

/**
 * Sets above which amounts settling a live payment needs a second member. It applies to settlements from then on. The
 * same thresholds again change nothing.
 *
 * @throws Problem `forbidden`, `invalid-request`, `precondition-failed`, `conflict`
 */
export async function setApprovalPolicy(
  context: Context,
  actor: MemberActor,
  { thresholds: sent, if_version }: Static<typeof contract.request>,
): Promise<Static<typeof contract.reply>> {
  requireRole(actor, 'admin', 'change the approval policy');
  const { team_id } = actor;
  const sorted = readThresholds(sent);
  const { thresholds, version } = await changeAudited(
    context,
    context.policies,
    { _id: team_id, team_id },
    (before, now) => {
      requireVersion(if_version, before.version, 'the approval policy');
      if (textOf(sorted) === textOf(before.thresholds)) return before;
      return { ...before, thresholds: sorted, version: before.version + 1, updated_at: now };
    },
    (before, after) =>
      auditEntry('team.approval_policy_changed', actorAuthor(actor), after.updated_at, {
        ...ofTeam(team_id),
        environment: 'live',
        changes: {
          approval_thresholds: { before: textOf(before.thresholds), after: textOf(after.thresholds) },
        },
      }),
  );
  return { thresholds, version };
}

/** Sorted by currency. */
function readThresholds(sent: readonly ApprovalThreshold[]): ApprovalThreshold[] {
  for (const [index, { currency }] of sent.entries()) {
    const pointer = `/thresholds/${index}/currency`;
    if (!CURRENCY_EXPONENTS.has(currency)) {
      throw invalid(pointer, `${currency} is not an active ISO 4217 currency code.`);
    }
    if (sent.findIndex((other) => other.currency === currency) !== index) {
      throw invalid(pointer, `${currency} already has a threshold.`);
    }
  }
  return sent
    .map(({ currency, amount }) => ({ currency, amount }))
    .toSorted((a, b) => (a.currency < b.currency ? -1 : 1));
}

/** `EUR 100000, USD 50000`, or `off`. The audit log shows it, too. */
function textOf(thresholds: readonly ApprovalThreshold[]): string {
  return thresholds.map(({ currency, amount }) => `${currency} ${amount}`).join(', ') || 'off';
}

function invalid(pointer: string, detail: string): Problem {
  return new Problem('invalid-request', detail, { errors: [{ pointer, code: 'invalid', detail }] });
}
