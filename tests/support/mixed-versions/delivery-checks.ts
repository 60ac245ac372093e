import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import type { PaymentEvent } from '@tollgate/contracts/payments/events';
import { DELIVERY_STATUSES } from '@tollgate/contracts/webhooks/webhook';
import type { Integration } from './integration.ts';
import type { MixedRun } from './mixed-run.ts';

/** Lists events that an endpoint has not received, requests that it rejected, and deliveries that have not succeeded. */
export async function wrongDeliveries(
  { owner, main, further }: MixedRun,
  events: PaymentEvent[],
): Promise<string[]> {
  const wrong = [main, ...further].flatMap((integration) => wrongAt(integration, events));
  for (const status of DELIVERY_STATUSES.filter((status) => status !== 'succeeded')) {
    const { data } = await owner.call(ADMIN_ROUTES.listDeliveries, { status });
    wrong.push(...data.map(({ id, event_id }) => `delivery ${id} of ${event_id} is ${status}`));
  }
  return wrong;
}

function wrongAt({ applicationId, receiver }: Integration, events: PaymentEvent[]): string[] {
  const bodies = new Map<string, Buffer>();
  const wrong = receiver.rejected.map((reason) => `a request was rejected: ${reason}`);
  for (const { id, rawBody } of receiver.received) {
    if (!rawBody.equals(bodies.get(id) ?? rawBody)) wrong.push(`${id} was repeated with another body`);
    bodies.set(id, rawBody);
  }
  const missing = events.filter(
    ({ id, application_id }) => application_id === applicationId && !bodies.has(id),
  );
  return [...wrong, ...missing.map(({ id, type }) => `${type} ${id} was not received`)];
}
