import type { Actor } from '@tollgate/contracts/accounts/actor';
import type { SandboxReset as Reply } from '@tollgate/contracts/payments/sandbox-reset';
import type { IdempotentCall } from '@tollgate/contracts/platform/idempotent-call';
import { newId } from '@tollgate/contracts/platform/ids';
import { Problem } from '@tollgate/contracts/platform/problem';
import { requireEnvironment } from '@tollgate/security/require-environment';
import { requireRole } from '@tollgate/security/require-role';
import { actorAuthor } from '@tollgate/store/audit-author';
import { insertAudited } from '@tollgate/store/audited-records';
import { createOnce } from '@tollgate/store/create-once';
import { wroteUnlessDuplicate } from '@tollgate/store/duplicate-key';
import { auditEntry, ofTeam } from '../audit/audit-entry.ts';
import type { Context } from '../context.ts';
import { resetView, type SandboxReset } from './sandbox-reset.ts';

/**
 * Requests the deletion of all sandbox data that the team created until now. While a reset is in progress, returns that one,
 * and an idempotency key is bound to it.
 *
 * @throws Problem `forbidden`, `unavailable`
 */
export async function requestReset(
  context: Context,
  actor: Actor,
  call: IdempotentCall | null,
): Promise<Reply> {
  requireEnvironment(actor, 'sandbox');
  requireRole(actor, 'admin', 'reset the sandbox');
  const { resets } = context;
  const reset = await createOnce<SandboxReset>(context, actor, call, {
    newId: () => newId('sandboxReset'),
    idOf: ({ _id }) => _id,
    find: (resetId) => resets.find(actor.team_id, resetId),
    create: async (reserveId) =>
      (await resets.findInProgress(actor.team_id)) ?? startReset(context, actor, await reserveId()),
  });
  return resetView(reset);
}

/** The newest reset of the team. Throws Problem `not-found` when there was none, and `forbidden`. */
export async function getReset({ resets }: Pick<Context, 'resets'>, actor: Actor): Promise<Reply> {
  requireEnvironment(actor, 'sandbox');
  const newest = await resets.findNewest(actor.team_id);
  if (!newest) throw new Problem('not-found', 'The sandbox of your team was never reset.');
  return resetView(newest);
}

async function startReset(context: Context, actor: Actor, resetId: string): Promise<SandboxReset> {
  const { resets, clock } = context;
  const { team_id } = actor;
  const now = new Date(clock.now());
  const reset: SandboxReset = {
    _id: resetId,
    team_id,
    status: 'in_progress',
    requested_at: now,
    completed_at: null,
    due_at: now,
    outbox: [],
  };
  const entry = auditEntry('sandbox.reset', actorAuthor(actor), now, {
    ...ofTeam(team_id),
    environment: 'sandbox',
    changes: {},
  });
  if (await wroteUnlessDuplicate(insertAudited(context, resets, reset, entry))) return reset;
  const concurrent = await resets.findInProgress(team_id);
  if (concurrent) return concurrent;
  throw new Problem('conflict', 'Another reset ended while you requested one. Send it again.');
}
