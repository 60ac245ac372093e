import createClient from 'openapi-fetch';
import type { paths } from '../../../.artifacts/clients/openapi-typescript.ts';

/** Creates, reads, and cancels a payment with the types of openapi-typescript. */
export async function journey(baseUrl: string, key: string) {
  const client = createClient<paths>({ baseUrl, headers: { authorization: `Bearer ${key}` } });
  const created = await client.POST('/v1/payments', {
    params: { header: { 'Idempotency-Key': `openapi-fetch-${Date.now()}` } },
    body: { amount: 1250, currency: 'EUR', payment_method: 'pm_hold', metadata: { cart: 'c-93' } },
  });
  if (created.error) throw new Error(created.error.detail);
  const path = { payment_id: created.data.id };
  const read = await client.GET('/v1/payments/{payment_id}', { params: { path } });
  const canceled = await client.POST('/v1/payments/{payment_id}/cancel', {
    params: { path },
    body: { cancellation_reason: 'requested_by_customer' },
  });
  const missing = await client.GET('/v1/payments/{payment_id}', {
    params: { path: { payment_id: 'pay_x' } },
  });
  return {
    created: created.data,
    read: read.data,
    canceled: canceled.data,
    code: missing.error?.code,
  };
}
