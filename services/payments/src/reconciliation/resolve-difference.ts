import type { Actor } from '@tollgate/contracts/accounts/actor';
import type { AuditEntry } from '@tollgate/contracts/audit/audit';
import type { PaymentDifference } from '@tollgate/contracts/payments/payment-difference';
import { requireNoCardNumber } from '@tollgate/contracts/platform/card-number';
import { newId } from '@tollgate/contracts/platform/ids';
import { Problem } from '@tollgate/contracts/platform/problem';
import { ROLE_BY_ENVIRONMENT } from '@tollgate/contracts/platform/roles';
import type { Clock } from '@tollgate/runtime/clock';
import { signAuditEntry } from '@tollgate/security/audit-entry';
import { requireEnvironment } from '@tollgate/security/require-environment';
import { requireRole } from '@tollgate/security/require-role';
import type { Signer } from '@tollgate/security/signature';
import { actorAuthor } from '@tollgate/store/audit-author';
import { type AuditOutbox, auditMessage } from '@tollgate/store/audit-outbox';
import { type DifferenceDocument, differenceView } from './difference.ts';
import type { DifferenceStore, FoundDifference } from './difference-store.ts';

type Resolution = NonNullable<DifferenceDocument['resolution']>;

/**
 * Records what was done about a difference, such as a refund at the processor. The payment stays as it is. Repeating a
 * record returns it.
 *
 * @throws Problem `not-found` (also for other teams' payments, and without a difference), `forbidden`, `conflict` when
 * another record was made, `invalid-request`
 */
export async function resolveDifference(
  deps: { differences: DifferenceStore; audit: AuditOutbox; signer: Signer; clock: Clock },
  actor: Actor,
  { paymentId, note }: { paymentId: string; note: string },
): Promise<PaymentDifference> {
  const difference = await deps.differences.findOfPayment({ _id: paymentId, team_id: actor.team_id });
  if (!difference) throw noDifference();
  const { environment } = difference;
  requireEnvironment(actor, environment);
  requireRole(actor, ROLE_BY_ENVIRONMENT[environment], `resolve differences of ${environment} payments`);
  requireNoCardNumber('/note', [note]);
  if (difference.resolution) return repeated(difference, difference.resolution, actor, note);

  const resolution: Resolution = { at: new Date(deps.clock.now()), by: authorOf(actor), note };
  const entry = signAuditEntry(deps.signer, resolutionEntry(difference, resolution, actor));
  const resolved = await deps.differences.resolve(difference, resolution, entry);
  if (!resolved)
    throw new Problem('conflict', 'The difference changed while you resolved it. Read it again.');
  deps.audit.enqueue([auditMessage(paymentId, entry)]);
  return differenceView(resolved);
}

function repeated(difference: FoundDifference, { by, note }: Resolution, actor: Actor, again: string) {
  if (note === again && by.id === authorOf(actor).id) return differenceView(difference);
  throw new Problem('conflict', 'The difference is already resolved. Read the payment to see by whom.');
}

function authorOf(actor: Actor): Resolution['by'] {
  const id = actor.type === 'member' ? actor.member_id : actor.token_id;
  return { type: actor.type, id, name: actor.name };
}

function resolutionEntry(
  { _id, team_id, environment, application_id, processor, status, reply }: FoundDifference,
  { at, note }: Resolution,
  actor: Actor,
): AuditEntry {
  return {
    id: newId('audit'),
    occurred_at: at.toISOString(),
    team_id,
    environment,
    ...actorAuthor(actor),
    action: 'payment.difference_resolved',
    target: { type: 'payment', id: _id, name: null },
    application_id,
    changes: {
      note: { before: null, after: note },
      // What the member knew: neither value changes.
      status: { before: status, after: status },
      processor: { before: null, after: processor },
      processor_status: { before: null, after: reply.status ?? null },
    },
  };
}

function noDifference(): Problem {
  return new Problem(
    'not-found',
    'No difference to resolve was found: the payment does not exist, or its processor agrees with Tollgate.',
  );
}
