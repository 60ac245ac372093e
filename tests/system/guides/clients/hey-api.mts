import { createClient } from '../../../.artifacts/clients/hey-api/client/index.ts';
import { cancelPayment, createPayment, readPayment } from '../../../.artifacts/clients/hey-api/index.ts';

/** Creates, reads, and cancels a payment with the client of @hey-api/openapi-ts. */
export async function journey(baseUrl: string, key: string) {
  const client = createClient({ baseUrl, auth: key });
  const created = await createPayment({
    client,
    headers: { 'Idempotency-Key': `hey-api-${Date.now()}` },
    body: { amount: 1250, currency: 'EUR', payment_method: 'pm_hold', metadata: { cart: 'c-93' } },
  });
  if (created.data === undefined) throw new Error(created.error?.detail);
  const path = { payment_id: created.data.id };
  const read = await readPayment({ client, path });
  const canceled = await cancelPayment({
    client,
    path,
    body: { cancellation_reason: 'requested_by_customer' },
  });
  const missing = await readPayment({ client, path: { payment_id: 'pay_x' } });
  return { created: created.data, read: read.data, canceled: canceled.data, code: missing.error?.code };
}
