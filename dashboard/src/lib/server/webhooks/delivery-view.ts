import type { AdminClient } from '@tollgate/admin-client/admin-client';
import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import type { Role } from '@tollgate/contracts/platform/roles';
import { allows } from '#lib/server/access.ts';
import { orNullIfNotFound } from '#lib/server/or-null.ts';
import type { DeliveryView } from '#lib/webhooks/delivery-view.ts';

/**
 * Loads a delivery with everything that its page shows. `attemptId` selects the attempt whose bodies are read; the
 * default is the newest, also when the delivery has no attempt with this id. Throws AdminProblem `not-found`.
 */
export async function loadDeliveryView(
  admin: AdminClient,
  { deliveryId, attemptId, role }: { deliveryId: string; attemptId: string | null; role: Role },
): Promise<DeliveryView> {
  const { attempt_log, ...delivery } = await admin.call(ADMIN_ROUTES.getDelivery, {
    delivery_id: deliveryId,
  });
  const attempts = attempt_log.toReversed();
  const chosen = attempts.find(({ id }) => id === attemptId) ?? attempts[0];
  const [endpoint, bodies] = await Promise.all([
    orNullIfNotFound(admin.call(ADMIN_ROUTES.getEndpoint, { endpoint_id: delivery.endpoint_id })),
    chosen &&
      orNullIfNotFound(
        admin.call(ADMIN_ROUTES.getAttempt, { delivery_id: deliveryId, attempt_id: chosen.id }),
      ),
  ]);
  const { environment, status } = delivery;
  const decide = allows(ADMIN_ROUTES.resendDelivery, role, environment);
  const canBeSent = endpoint?.status === 'enabled' && attempts[0]?.error?.code !== 'event-gone';
  return {
    delivery,
    attempts,
    chosen: bodies ?? null,
    endpoint,
    may: {
      decide,
      resend: decide && canBeSent,
      cancel: status === 'pending' && allows(ADMIN_ROUTES.cancelDelivery, role, environment),
    },
  };
}
