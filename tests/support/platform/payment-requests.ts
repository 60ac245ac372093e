import type { PaymentEvent } from '@tollgate/contracts/payments/events';
import type { ApiClient, ApiResponse } from '../api-client.ts';

export interface PaymentRequests {
  /** Sends one request: in turn a creation, a read, and a repeated creation. Rejects unless the response is as expected. */
  send(index: number): Promise<void>;
  /** The id that each idempotency key got. */
  acknowledged: ReadonlyMap<string, string>;
}

/** The requests of an application that pays its orders. The name of an order is its idempotency key and its reference. */
export function createPaymentRequests(api: ApiClient, prefix: string): PaymentRequests {
  const acknowledged = new Map<string, string>();
  const keys: string[] = [];

  async function create(key: string): Promise<void> {
    const body = { amount: 1_999, currency: 'EUR', reference: key };
    const { id } = expectSuccess(await api.create(body, key));
    const earlier = acknowledged.get(key);
    if (earlier !== undefined && earlier !== id) throw new Error(`${key} created ${earlier} and ${id}`);
    if (earlier === undefined) keys.push(key);
    acknowledged.set(key, id);
  }

  return {
    acknowledged,
    async send(index) {
      // An old payment and a new one in turn.
      const known = index % 2 === 0 ? keys.at(-1) : keys[index % Math.max(1, keys.length)];
      if (known === undefined || index % 3 === 0) await create(`${prefix}-${index}`);
      else if (index % 3 === 1) expectSuccess(await api.read(acknowledged.get(known) as string));
      else await create(known);
    },
  };
}

/** Lists acknowledged payments that are lost, and orders that have more than one payment. */
export function wrongOrders({ acknowledged }: PaymentRequests, events: PaymentEvent[]): string[] {
  const stored = new Map<string, Set<string>>();
  for (const { data } of events) {
    const order = data.reference ?? '';
    stored.set(order, (stored.get(order) ?? new Set()).add(data.id));
  }
  const duplicated = [...stored].filter(([, ids]) => ids.size > 1);
  const lost = [...acknowledged].filter(([order, id]) => !stored.get(order)?.has(id));
  return [
    ...duplicated.map(([order, ids]) => `${order} has the payments ${[...ids].join(' and ')}`),
    ...lost.map(([order, id]) => `${order} has lost ${id}`),
  ];
}

function expectSuccess<Body>({ status, body }: ApiResponse<Body>): Body {
  if (status >= 300) throw new Error(`${status} ${JSON.stringify(body)}`);
  return body;
}
