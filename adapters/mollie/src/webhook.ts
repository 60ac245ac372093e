import { createHmac, timingSafeEqual } from 'node:crypto';
import { InvalidWebhook, type WebhookRequest } from '@tollgate/processor-adapter/adapter';

const SIGNATURE_HEADER = 'x-mollie-signature';
const PAYMENT_ID = /^tr_[A-Za-z0-9]{1,100}$/;

/**
 * Returns the body of a webhook.
 *
 * Mollie does not sign the webhooks of a payment: they contain an id and nothing else, and the state is fetched with the API
 * key. Mollie signs next-generation webhooks. One with a signature is verified.
 *
 * @throws InvalidWebhook
 */
export function verifyWebhook({ headers, body }: WebhookRequest, secrets: readonly string[]): string {
  const header = headers[SIGNATURE_HEADER];
  if (header !== undefined) {
    const signatures = [header].flat().flatMap((value) => value.split(/[\s,]+/));
    if (!secrets.some((secret) => signatures.some((signature) => isSignature(signature, secret, body)))) {
      throw new InvalidWebhook(
        'No X-Mollie-Signature matches. Set MOLLIE_WEBHOOK_SECRETS to the secrets that Mollie shows.',
      );
    }
  }
  return body.toString('utf8');
}

/** Returns Mollie's id of the payment that a webhook is about; null for a webhook about something else. */
export function paymentIdOf(body: string): string | null {
  const id = body.trimStart().startsWith('{') ? entityId(body) : new URLSearchParams(body).get('id');
  return typeof id === 'string' && PAYMENT_ID.test(id) ? id : null;
}

/** Returns the entity id of a next-generation webhook, whose body is JSON. */
function entityId(body: string): unknown {
  try {
    return (JSON.parse(body) as { entityId?: unknown }).entityId;
  } catch {
    return null;
  }
}

function isSignature(signature: string, secret: string, body: Buffer): boolean {
  const expected = createHmac('sha256', secret).update(body).digest();
  const received = Buffer.from(signature.replace(/^sha256=/, ''), 'hex');
  return received.length === expected.length && timingSafeEqual(received, expected);
}
