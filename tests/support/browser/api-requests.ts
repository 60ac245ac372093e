import { randomUUID } from 'node:crypto';

/** Requests of an application with its key, at the base address of the environment. */
export interface ApiCaller {
  /** The error code, or `accepted`. */
  tryKey(): Promise<string>;
  /** @returns its id */
  createPayment(payment: Record<string, unknown>): Promise<string>;
}

export function apiCaller(baseUrl: string, secret: string): ApiCaller {
  const authorization = `Bearer ${secret}`;
  return {
    async tryKey() {
      // Payment "x" does not exist: a payment-not-found error shows that the key was accepted.
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
