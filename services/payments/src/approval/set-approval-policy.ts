import type { MemberActor } from '@tollgate/contracts/accounts/actor';
import type { AuditEntry } from '@tollgate/contracts/audit/audit';
import type { ApprovalPolicy, ApprovalThreshold } from '@tollgate/contracts/payments/settlement-approval';
import { newId } from '@tollgate/contracts/platform/ids';
import { CURRENCY_EXPONENTS } from '@tollgate/contracts/platform/money';
import { Problem } from '@tollgate/contracts/platform/problem';
import type { Clock } from '@tollgate/runtime/clock';
import { signAuditEntry } from '@tollgate/security/audit-entry';
import { requireRole } from '@tollgate/security/require-role';
import type { Signer } from '@tollgate/security/signature';
import { actorAuthor } from '@tollgate/store/audit-author';
import { type AuditOutbox, auditMessage } from '@tollgate/store/audit-outbox';
import { requireVersion } from '@tollgate/store/require-version';
import type { PolicyStore } from './policy-store.ts';

/**
 * Sets above which amounts settling a live payment needs a second member. It applies to settlements from then on. The
 * same thresholds again change nothing.
 *
 * @throws Problem `forbidden`, `invalid-request`, `precondition-failed`
 */
export async function setApprovalPolicy(
  deps: { policies: PolicyStore; audit: Pick<AuditOutbox, 'enqueue'>; signer: Signer; clock: Clock },
  actor: MemberActor,
  { thresholds: sent, ifVersion }: { thresholds: ApprovalThreshold[]; ifVersion: number | undefined },
): Promise<ApprovalPolicy> {
  requireRole(actor, 'admin', 'change the approval policy');
  const thresholds = readThresholds(sent);
  const before = await deps.policies.find(actor.team_id);
  requireVersion(ifVersion, before.version, 'the approval policy');
  if (textOf(thresholds) === textOf(before.thresholds)) return before;

  const after = { thresholds, version: before.version + 1 };
  const at = new Date(deps.clock.now());
  const audit = signAuditEntry(deps.signer, changeEntry(actor, { before, after, at }));
  if (!(await deps.policies.replace(actor.team_id, before, after, { at, audit }))) {
    throw new Problem('precondition-failed', 'Another request changed the approval policy at the same time.');
  }
  deps.audit.enqueue([auditMessage(actor.team_id, audit)]);
  return after;
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

function changeEntry(
  actor: MemberActor,
  { before, after, at }: { before: ApprovalPolicy; after: ApprovalPolicy; at: Date },
): AuditEntry {
  return {
    id: newId('audit'),
    occurred_at: at.toISOString(),
    team_id: actor.team_id,
    environment: 'live',
    ...actorAuthor(actor),
    action: 'team.approval_policy_changed',
    target: { type: 'team', id: actor.team_id, name: null },
    application_id: null,
    changes: {
      approval_thresholds: { before: textOf(before.thresholds), after: textOf(after.thresholds) },
    },
  };
}

function invalid(pointer: string, detail: string): Problem {
  return new Problem('invalid-request', detail, { errors: [{ pointer, code: 'invalid', detail }] });
}
