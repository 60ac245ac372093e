import type { Environment } from '@tollgate/contracts/platform/environment';

/** Stands in for a key whose secret was shown once: its beginning, which is public, and a word to replace. */
export function keyToComplete(environment: Environment, key?: { lookup_id: string }): string {
  return ['tg', environment, ...(key ? [key.lookup_id] : []), 'REST_OF_YOUR_KEY'].join('_');
}

/**
 * A command that creates a payment with a new key, ready to paste. Variable parts are in single quotes, where shells
 * expand nothing. None of them can contain a quote: keys consist of letters, digits and `_`.
 */
export function firstPaymentCommand(parts: {
  baseUrl: string;
  secret: string;
  idempotencyKey: string;
}): string {
  const body = { amount: 1999, currency: 'EUR', reference: 'order-1' };
  return [
    `curl -i ${parts.baseUrl}/v1/payments`,
    `-H 'Authorization: Bearer ${parts.secret}'`,
    `-H 'Idempotency-Key: ${parts.idempotencyKey}'`,
    "-H 'Content-Type: application/json'",
    `-d '${JSON.stringify(body)}'`,
  ].join(' \\\n  ');
}
