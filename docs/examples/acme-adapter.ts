import { createHmac, timingSafeEqual } from 'node:crypto';
import { defineAdapter, InvalidWebhook, PaymentRejected } from '@tollgate/processor-adapter/adapter';
import type { PaymentState, ProcessorPayment } from '@tollgate/processor-adapter/contract/payment-state';
import { runAdapter } from '@tollgate/processor-adapter/run-adapter';
import { readConfig, text, url } from '@tollgate/runtime/config';

/** A checkout of Acme Pay. Its amounts are in minor units, as those of Tollgate. */
interface Checkout {
  id: string;
  order: string;
  amount: number;
  currency: string;
  status: 'open' | 'paid' | 'declined' | 'canceled';
  url: string;
}

await runAdapter((env) => {
  const config = readConfig<{ apiUrl: string; apiKey: string; webhookSecret: string }>(env, {
    apiUrl: url('ACME_URL', { protocols: ['http', 'https'] }),
    // A secret can also be in a file, whose path is in ACME_API_KEY_FILE.
    apiKey: text('ACME_API_KEY', { isSecret: true }),
    webhookSecret: text('ACME_WEBHOOK_SECRET', { isSecret: true }),
  });

  async function call(method: string, path: string, signal: AbortSignal, body?: object): Promise<Response> {
    const response = await fetch(`${config.apiUrl}${path}`, {
      method,
      headers: { authorization: `Bearer ${config.apiKey}` },
      body: body ? JSON.stringify(body) : null,
      signal,
    });
    if (!response.ok && response.status !== 422)
      throw new Error(`Acme Pay responded with ${response.status}`);
    return response;
  }

  return defineAdapter({
    name: 'acme',
    environment: 'sandbox',

    // Acme Pay creates one checkout per order, so repeating this is safe.
    async start(payment, { signal }) {
      const { id, amount, currency, return_url } = payment;
      const response = await call('POST', '/checkouts', signal, { order: id, amount, currency, return_url });
      if (response.status === 422) {
        throw new PaymentRejected({
          code: 'currency_not_supported',
          message: 'Acme Pay does not accept the currency.',
        });
      }
      return stateOf(await response.json(), payment);
    },

    // Without a reference, the outcome of `start` is unknown. Repeating it finds the checkout, or creates it.
    async status({ payment, reference, firstStartedAt }, { signal }) {
      if (reference === null) return this.start(payment, { firstStartedAt, signal });
      return stateOf(await (await call('GET', `/checkouts/${reference}`, signal)).json(), payment);
    },

    // Acme Pay returns the checkout as it is when it is too late.
    async cancel(started, { signal }) {
      const { reference } = await this.status(started, { signal });
      const response = await call('POST', `/checkouts/${reference}/cancel`, signal);
      return stateOf(await response.json(), started.payment);
    },

    verifyCallback({ headers, body }) {
      const expected = createHmac('sha256', config.webhookSecret).update(body).digest();
      const received = Buffer.from(String(headers['acme-signature']), 'hex');
      if (received.length !== expected.length || !timingSafeEqual(received, expected)) {
        throw new InvalidWebhook('The acme-signature does not match. Compare ACME_WEBHOOK_SECRET.');
      }
      return JSON.parse(body.toString());
    },

    readCallback: (content) => ({ reference: (content as { checkout: string }).checkout }),
  });
});

function stateOf(json: unknown, payment: ProcessorPayment): PaymentState {
  const { id, order, status, url, amount, currency } = json as Checkout;
  if (order !== payment.id) throw new Error(`The checkout ${id} of Acme Pay belongs to another payment`);
  switch (status) {
    case 'open':
      return { status: 'action_required', reference: id, next_action: { type: 'redirect', url } };
    case 'paid':
      // What Acme Pay has received, not what Tollgate asked for: Tollgate compares the two.
      return { status: 'succeeded', reference: id, amount, currency };
    case 'declined':
      return {
        status: 'failed',
        reference: id,
        failure: { code: 'declined', message: 'The payer declined the payment.' },
      };
    case 'canceled':
      return { status: 'canceled', reference: id };
    default:
      throw new Error(
        `Acme Pay reports the status ${JSON.stringify(status)}, which this adapter does not know`,
      );
  }
}
