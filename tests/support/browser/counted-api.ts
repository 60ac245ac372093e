import { randomUUID } from 'node:crypto';
import type { UsageOperation, UsageOutcome } from '@tollgate/contracts/usage/usage';

/** An API client that counts its requests by outcome. */
export interface CountedApi {
  create(body: unknown, idempotencyKey?: string): Promise<{ id: string }>;
  read(id: string): Promise<void>;
  cancel(id: string): Promise<void>;
  count(outcome: UsageOutcome, operation?: UsageOperation): number;
}

/** `before`: requests that were already sent with the key. */
export function countedApi(
  baseUrl: string,
  secret: string,
  before: [UsageOperation, UsageOutcome][],
): CountedApi {
  const made = [...before];

  async function send(operation: UsageOperation, path: string, init: RequestInit = {}) {
    const response = await fetch(`${baseUrl}/v1/payments${path}`, {
      ...init,
      headers: { ...init.headers, authorization: `Bearer ${secret}` },
    });
    const body = (await response.json()) as { id: string };
    made.push([operation, outcomeOf(response)]);
    return body;
  }

  /**
   * A second cancellation changes nothing, and no header marks it as a replay. So the client remembers the canceled
   * payments.
   */
  const canceled = new Set<string>();
  return {
    create: (body, idempotencyKey = randomUUID()) =>
      send('create_payment', '', {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'idempotency-key': idempotencyKey },
        body: JSON.stringify(body),
      }),
    async read(id) {
      await send('read_payment', `/${id}`);
    },
    async cancel(id) {
      await send('cancel_payment', `/${id}/cancel`, { method: 'POST' });
      if (canceled.has(id)) made[made.length - 1] = ['cancel_payment', 'replayed'];
      canceled.add(id);
    },
    count: (outcome, operation) =>
      made.filter(([of, became]) => became === outcome && (operation === undefined || of === operation))
        .length,
  };
}

function outcomeOf({ status, headers }: Response): UsageOutcome {
  if (status < 300) return headers.get('idempotent-replayed') === 'true' ? 'replayed' : 'succeeded';
  if (status === 429) return 'rate_limited';
  return status < 500 ? 'client_error' : 'server_error';
}
