import type { Actor } from '@tollgate/contracts/accounts/actor';
import type { AuditEntry } from '@tollgate/contracts/audit/audit';
import type { SandboxReset } from '@tollgate/contracts/payments/sandbox-reset';
import type { IdempotentCall } from '@tollgate/contracts/platform/idempotent-call';
import { newId } from '@tollgate/contracts/platform/ids';
import { Problem } from '@tollgate/contracts/platform/problem';
import type { Clock } from '@tollgate/runtime/clock';
import { signAuditEntry } from '@tollgate/security/audit-entry';
import { requireEnvironment } from '@tollgate/security/require-environment';
import { requireRole } from '@tollgate/security/require-role';
import type { Signer } from '@tollgate/security/signature';
import { actorAuthor } from '@tollgate/store/audit-author';
import { type AuditOutbox, auditMessage } from '@tollgate/store/audit-outbox';
import { createOnce } from '@tollgate/store/create-once';
import type { IdempotencyStore } from '@tollgate/store/idempotency-store';
import type { ResetDocument, ResetStore } from './reset-store.ts';

export interface ResetDeps {
  resets: ResetStore;
  idempotency: IdempotencyStore;
  audit: AuditOutbox;
  signer: Signer;
  clock: Clock;
}

/**
 * Requests the deletion of all sandbox data that the team created until now. While a reset is in progress, returns that one,
 * and an idempotency key is bound to it.
 *
 * @throws Problem `forbidden`, `unavailable`
 */
export async function requestReset(
  deps: ResetDeps,
  actor: Actor,
  call: IdempotentCall | null,
): Promise<SandboxReset> {
  requireEnvironment(actor, 'sandbox');
  requireRole(actor, 'admin', 'reset the sandbox');
  const { resets } = deps;
  const reset = await createOnce<ResetDocument>(deps, actor, call, {
    newId: () => newId('sandboxReset'),
    idOf: ({ _id }) => _id,
    find: (resetId) => resets.find(actor.team_id, resetId),
    create: async (reserveId) =>
      (await resets.findInProgress(actor.team_id)) ?? startReset(deps, actor, await reserveId()),
  });
  return resetView(reset);
}

/** The newest reset of the team. Throws Problem `not-found` when there was none, and `forbidden`. */
export async function getReset({ resets }: Pick<ResetDeps, 'resets'>, actor: Actor): Promise<SandboxReset> {
  requireEnvironment(actor, 'sandbox');
  const newest = await resets.findNewest(actor.team_id);
  if (!newest) throw new Problem('not-found', 'The sandbox of your team was never reset.');
  return resetView(newest);
}

async function startReset(deps: ResetDeps, actor: Actor, resetId: string): Promise<ResetDocument> {
  const { resets, audit, signer, clock } = deps;
  const now = new Date(clock.now());
  const entry = signAuditEntry(signer, resetEntry(actor, now));
  const reset: ResetDocument = {
    _id: resetId,
    team_id: actor.team_id,
    status: 'in_progress',
    requested_at: now,
    completed_at: null,
    due_at: now,
    outbox: [entry],
  };
  if (await resets.insert(reset)) {
    audit.enqueue([auditMessage(resetId, entry)]);
    return reset;
  }
  const concurrent = await resets.findInProgress(actor.team_id);
  if (!concurrent)
    throw new Problem('conflict', 'Another reset ended while you requested one. Send it again.');
  return concurrent;
}

function resetEntry(actor: Actor, at: Date): AuditEntry {
  return {
    id: newId('audit'),
    occurred_at: at.toISOString(),
    team_id: actor.team_id,
    environment: 'sandbox',
    ...actorAuthor(actor),
    action: 'sandbox.reset',
    target: { type: 'team', id: actor.team_id, name: null },
    application_id: null,
    changes: {},
  };
}

function resetView({ _id, status, requested_at, completed_at }: ResetDocument): SandboxReset {
  return {
    id: _id,
    status,
    requested_at: requested_at.toISOString(),
    completed_at: completed_at?.toISOString() ?? null,
  };
}
