import {
  createEndpoint,
  getDelivery,
  listDeliveries,
  listEvents,
  sendTestEvent,
} from '@tollgate/contracts/webhooks/rpc';
import type { Call } from '@tollgate/launcher/first-run/member-session';
import { eventually } from '@tollgate/test-kit/eventually';
import { startWebhookReceiver } from '../platform/webhook-receiver.ts';

/** A sandbox delivery log of more than one page. */
export interface FullDeliveries {
  /** Its response was larger than what is stored. */
  failedDeliveryId: string;
  /** An event of a payment with deliveries to several endpoints. */
  eventId: string;
  /** Stops the receivers. */
  close(): Promise<void>;
}

const ROWS = 50;
const LONG_PATH = '/integrations/of-payments/and-everything-else'.repeat(10);

/**
 * Creates one endpoint that accepts deliveries and one that fails. Waits until the log is full after `pay` has created
 * payments.
 */
export async function fillDeliveries(
  call: Call,
  application_id: string,
  pay: () => Promise<void>,
): Promise<FullDeliveries> {
  const receiver = await startWebhookReceiver({
    respond: ({ path }) =>
      path.endsWith('/failing')
        ? { status: 500, headers: { 'x-why': 'long '.repeat(100) }, body: 'unbroken'.repeat(4_000) }
        : { status: 200, body: '{"received":true,"by":["the shop"]}' },
  });
  const add = (name: string) =>
    call(createEndpoint, {
      application_id,
      environment: 'sandbox',
      url: `${receiver.url}${LONG_PATH}/${name}`,
      event_types: ['payment.created', 'payment.failed', 'payment.succeeded'],
    });
  await add('taking');
  const failing = await add('failing');
  await pay();

  const { id } = await call(sendTestEvent, { endpoint_id: failing.id, event_type: 'payment.failed' });
  await eventually('there is more than a page', async () => {
    const { next_cursor } = await call(listDeliveries, { environment: 'sandbox', limit: ROWS });
    return next_cursor !== null;
  });
  // Behind the events of all payments, which the endpoint fails, too.
  await eventually(
    'one has failed',
    async () => {
      const { attempts } = await call(getDelivery, { delivery_id: id });
      return attempts > 0;
    },
    { timeoutMs: 60_000 },
  );
  const { data } = await call(listEvents, {
    application_id,
    environment: 'sandbox',
    type: 'payment.created',
    limit: 1,
  });
  return { failedDeliveryId: id, eventId: String(data[0]?.id), close: () => receiver.close() };
}
