import type { Actor } from '@tollgate/contracts/accounts/actor';
import type { AuditVerification } from '@tollgate/contracts/audit/audit-log';
import type { IdempotentCall } from '@tollgate/contracts/platform/idempotent-call';
import { newId } from '@tollgate/contracts/platform/ids';
import { createOnce } from '@tollgate/store/create-once';
import type { Context } from '../context.ts';

/**
 * Starts a verification, unless one is running for the team: then returns that one, and an idempotency key is bound to
 * it.
 */
export function startVerification(
  context: Context,
  actor: Actor,
  call: IdempotentCall | null,
): Promise<AuditVerification> {
  return createOnce(context, actor, call, {
    newId: () => newId('auditVerification'),
    idOf: ({ id }) => id,
    find: (id) => context.verifications.find(actor.team_id, id),
    create: async (reserveId) => context.verificationRunner.start(actor.team_id, await reserveId()),
  });
}
