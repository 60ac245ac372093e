import { PAYMENT_EVENT_TYPES, type PaymentEventType } from '@tollgate/contracts/payments/events';
import type { Environment } from '@tollgate/contracts/platform/environment';
import { createEndpoint, rotateSecret } from '@tollgate/contracts/webhooks/rpc';
import { WEBHOOK_LIMITS } from '@tollgate/contracts/webhooks/webhook';
import type { Call } from '@tollgate/launcher/first-run/member-session';

/** Webhooks of a team with more endpoints than fit on one page. */
export interface FullWebhooks {
  /** A sandbox endpoint that subscribes to all events, fails, and has a secret rotation in progress. */
  endpointId: string;
  /** An endpoint without deliveries. */
  liveEndpointId: string;
}

/** More than one page; an application can have up to 50. */
const ENDPOINTS = 28;
/** No server listens on this port. */
const SANDBOX_URL = 'http://127.0.0.1:1/';
/** Loopback, which a platform under test allows in live. */
const LIVE_URL = 'https://127.0.0.1:8443/';

export async function fillWebhooks(call: Call, application_id: string): Promise<FullWebhooks> {
  const add = async (
    environment: Environment,
    url: string,
    event_types: PaymentEventType[],
    description = '',
  ) => {
    const { id } = await call(createEndpoint, { application_id, environment, url, event_types, description });
    return id;
  };
  for (let index = 0; index < ENDPOINTS; index += 1) {
    // These subscribe to a type that no payment of the team has: one endpoint with deliveries is enough.
    await add(
      'sandbox',
      `${SANDBOX_URL}${index}`,
      ['payment.canceled'],
      index % 2 === 0 ? '' : `Number ${index}`,
    );
  }
  const longUrl = SANDBOX_URL.padEnd(WEBHOOK_LIMITS.url, 'x');
  const description = 'D'.repeat(WEBHOOK_LIMITS.description);
  const endpointId = await add('sandbox', longUrl, [...PAYMENT_EVENT_TYPES], description);
  await call(rotateSecret, { endpoint_id: endpointId });
  return { endpointId, liveEndpointId: await add('live', LIVE_URL, ['payment.succeeded']) };
}
