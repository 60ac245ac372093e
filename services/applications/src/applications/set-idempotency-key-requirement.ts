import type { Actor } from '@tollgate/contracts/accounts/actor';
import type { IdempotencyKeyRequirement } from '@tollgate/contracts/applications/idempotency-key-requirement';
import { requireRoleForKeyRequirement } from '../access/permissions.ts';
import type { Context } from '../context.ts';
import { type Application, withIdempotencyKeyRequirement } from './application.ts';
import { type ApplicationRef, changeApplication } from './change-application.ts';

/** Sets whether creating a payment requires an `Idempotency-Key`. Throws what `changeApplication` throws. */
export async function setIdempotencyKeyRequirement(
  context: Context,
  actor: Actor,
  request: ApplicationRef & { requireIdempotencyKey: IdempotencyKeyRequirement },
): Promise<Application> {
  const wanted = request.requireIdempotencyKey;
  return changeApplication(context, actor, request, {
    action: 'application.idempotency_key_requirement_changed',
    authorize: ({ requireIdempotencyKey }) =>
      requireRoleForKeyRequirement(actor, requireIdempotencyKey, wanted),
    apply: (application, now) => withIdempotencyKeyRequirement(application, wanted, now),
  });
}
