import type { AdminClient } from '@tollgate/admin-client/admin-client';
import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import type { PaymentEventView } from '#lib/payments/payment-view.ts';

/** A payment has few events. With many endpoints, only the newest deliveries are shown. */
const LIMIT = 100;

/** Loads the events of a payment with their deliveries, oldest first, as in its timeline. Throws AdminProblem. */
export async function listPaymentEvents(admin: AdminClient, paymentId: string): Promise<PaymentEventView[]> {
  const wanted = { payment_id: paymentId, limit: LIMIT };
  const [events, deliveries] = await Promise.all([
    admin.call(ADMIN_ROUTES.listEvents, wanted),
    admin.call(ADMIN_ROUTES.listDeliveries, wanted),
  ]);
  const byEvent = Map.groupBy(deliveries.data, ({ event_id }) => event_id);
  return events.data.toReversed().map(({ id, type, occurred_at }) => ({
    id,
    type,
    at: occurred_at,
    deliveries: byEvent.get(id) ?? [],
  }));
}
