import type { Actor } from '@tollgate/contracts/accounts/actor';
import type { AuditEntry } from '@tollgate/contracts/audit/audit';
import type { PaymentDifference } from '@tollgate/contracts/payments/payment-difference';
import type { resolveDifference as contract } from '@tollgate/contracts/payments/rpc';
import { requireNoCardNumber } from '@tollgate/contracts/platform/card-number';
import { Problem } from '@tollgate/contracts/platform/problem';
import { ROLE_BY_ENVIRONMENT } from '@tollgate/contracts/platform/roles';
import { requireEnvironment } from '@tollgate/security/require-environment';
import { requireRole } from '@tollgate/security/require-role';
import { actorAuthor } from '@tollgate/store/audit-author';
import { recordAudited } from '@tollgate/store/audited-records';
import type { Static } from 'typebox';
import { auditEntry } from '../audit/audit-entry.ts';
import type { Context } from '../context.ts';
import { differenceView, type FoundDifference, type Resolution } from './difference.ts';
import { FOUND, UNRESOLVED } from './difference-store.ts';

/**
 * Records what was done about a difference, such as a refund at the processor. The payment stays as it is. Repeating a
 * record returns it.
 *
 * @throws Problem `not-found` (also for other teams' payments, and without a difference), `forbidden`, `conflict` when
 * another record was made, `invalid-request`
 */
export async function resolveDifference(
  context: Context,
  actor: Actor,
  { payment_id, note }: Static<typeof contract.request>,
): Promise<PaymentDifference> {
  const { differences, clock } = context;
  const { team_id } = actor;
  const difference = await differences.findOfPayment({ _id: payment_id, team_id });
  if (!difference) throw noDifference();
  const { environment } = difference;
  requireEnvironment(actor, environment);
  requireRole(actor, ROLE_BY_ENVIRONMENT[environment], `resolve differences of ${environment} payments`);
  requireNoCardNumber('/note', [note]);
  if (difference.resolution) return repeated(difference, difference.resolution, actor, note);

  const resolution: Resolution = { at: new Date(clock.now()), by: authorOf(actor), note };
  const unresolved = { _id: payment_id, team_id, ...UNRESOLVED, ...FOUND };
  const entry = resolutionEntry(difference, resolution, actor);
  if (!(await recordAudited(context, differences, unresolved, entry, { resolution }, ['ask_at'])))
    throw new Problem('conflict', 'The difference changed while you resolved it. Read it again.');
  return differenceView({ ...difference, resolution });
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
  return auditEntry('payment.difference_resolved', actorAuthor(actor), at, {
    team_id,
    environment,
    application_id,
    target: { type: 'payment', id: _id, name: null },
    changes: {
      note: { before: null, after: note },
      // What the member knew: neither value changes.
      status: { before: status, after: status },
      processor: { before: null, after: processor },
      processor_status: { before: null, after: reply.status ?? null },
    },
  });
}

function noDifference(): Problem {
  return new Problem(
    'not-found',
    'No difference to resolve was found: the payment does not exist, or its processor agrees with Tollgate.',
  );
}
