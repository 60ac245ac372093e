import { randomUUID } from 'node:crypto';

/** What an application would do with the key, at the base address of its environment. */
export interface ApiCaller {
  /** The code of the rejection, or `accepted`. */
  tryKey(): Promise<string>;
  /** @returns its id */
  createPayment(payment: Record<string, unknown>): Promise<string>;
}

export function apiCaller(baseUrl: string, secret: string): ApiCaller {
  const authorization = `Bearer ${secret}`;
  return {
    async tryKey() {
      // There is no payment "x": that nothing else is wrong says that the key passed.
      const response = await fetch(`${baseUrl}/v1/payments/x`, { headers: { authorization } });
      const { code } = (await response.json()) as { code: string };
      return code === 'payment-not-found' ? 'accepted' : code;
    },
    async createPayment(payment) {
      const response = await fetch(`${baseUrl}/v1/payments`, {
        method: 'POST',
        headers: { authorization, 'content-type': 'application/json', 'idempotency-key': randomUUID() },
        body: JSON.stringify(payment),
      });
      if (response.status !== 201) throw new Error(`The payment was rejected: ${await response.text()}`);
      const { id } = (await response.json()) as { id: string };
      return id;
    },
  };
}
