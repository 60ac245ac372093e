// An application as a user of the published package writes it, with web standards only.
import { fromMinorUnits, NotFoundError, Tollgate, toMinorUnits, webhooks } from '@tollgate/sdk';
import { generateTestRequest, verify } from '@tollgate/sdk/webhooks';

export interface Input {
  apiKey: string;
  baseUrl: string;
  webhook: { body: string; headers: Record<string, string>; secret: string; nowMs: number };
}

/** Uses everything that the package exports at run time. */
export async function journey({ apiKey, baseUrl, webhook }: Input): Promise<string[]> {
  const tollgate = new Tollgate({ apiKey, baseUrl });
  const created = await tollgate.payments.create({ amount: toMinorUnits('12.50', 'EUR'), currency: 'EUR' });
  const canceled = await tollgate.payments.cancel(created.id, { cancellation_reason: 'duplicate' });
  const missing = await tollgate.payments.retrieve('pay_0').catch((error: unknown) => error);
  const now = new Date(webhook.nowMs);
  const event = await verify(new TextEncoder().encode(webhook.body), webhook.headers, webhook.secret, {
    now,
  });
  const forged = await webhooks
    .verify(`${webhook.body} `, new Headers(webhook.headers), [webhook.secret], { now })
    .catch((error: unknown) => error);
  const test = await generateTestRequest({ type: 'payment.failed', data: {} }, webhook.secret);
  const tested = await verify(test.body, test.headers, webhook.secret);
  return [
    tollgate.environment,
    fromMinorUnits(created.amount, created.currency),
    canceled.status,
    `${canceled.lastResponse.status}`,
    missing instanceof NotFoundError ? missing.code : String(missing),
    event.type === 'payment.succeeded' ? event.data.status : event.type,
    tested.type,
    forged instanceof Error ? forged.name : String(forged),
  ];
}
