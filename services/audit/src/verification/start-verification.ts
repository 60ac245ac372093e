import type { Actor } from '@tollgate/contracts/accounts/actor';
import type { IdempotentCall } from '@tollgate/contracts/platform/idempotent-call';
import { newId } from '@tollgate/contracts/platform/ids';
import { createOnce } from '@tollgate/store/create-once';
import type { Context } from '../context.ts';
import type { VerificationRunner } from './run-verification.ts';
import type { StoredVerification } from './verification-store.ts';

/**
 * Starts a verification, unless one is running for the team: then returns that one, and an idempotency key is bound to
 * it.
 */
export function startVerification(
  context: Context & { verificationRunner: VerificationRunner },
  actor: Actor,
  call: IdempotentCall | null,
): Promise<StoredVerification> {
  return createOnce(context, actor, call, {
    newId: () => newId('auditVerification'),
    idOf: ({ _id }) => _id,
    find: (id) => context.verifications.find(actor.team_id, id),
    create: async (reserveId) => context.verificationRunner.start(actor.team_id, await reserveId()),
  });
}
