import {
  createEndpoint,
  getDelivery,
  listDeliveries,
  listEvents,
  sendTestEvent,
} from '@tollgate/contracts/rpc/webhooks';
import type { Call } from '@tollgate/launcher/first-run/member-session';
import { eventually } from '@tollgate/test-kit/eventually';
import { startWebhookReceiver } from '../../platform/webhook-receiver.ts';

/** In the sandbox: a log of more than one page, in which there is everything. */
export interface FullDeliveries {
  /** The response has more than is kept. */
  failedDeliveryId: string;
  /** Of a payment, sent to several endpoints. */
  eventId: string;
  /** Stops what responds. */
  close(): Promise<void>;
}

const ROWS = 50;
const LONG_PATH = '/integrations/of-payments/and-everything-else'.repeat(10);

/** Makes two endpoints, one that takes what it is sent and one that fails; then, once `pay` has made payments, waits until the log is full. */
export async function fillDeliveries(
  call: Call,
  application_id: string,
  pay: () => Promise<void>,
): Promise<FullDeliveries> {
  const receiver = await startWebhookReceiver({
    answer: ({ path }) =>
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
  await eventually('one has failed', async () => {
    const { attempts } = await call(getDelivery, { delivery_id: id });
    return attempts > 0;
  });
  const { data } = await call(listEvents, {
    application_id,
    environment: 'sandbox',
    type: 'payment.created',
    limit: 1,
  });
  return { failedDeliveryId: id, eventId: String(data[0]?.id), close: () => receiver.close() };
}
