import { createHmac, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { payerDecision } from '../plan.ts';

const WEBHOOK_SECRET = 'webhook-secret';
const API_KEY = 'api-key';
/** Payers decide after up to this time. */
const MAX_DECISION_MS = 1_000;
const WEBHOOK_RETRY_MS = 500;

interface Checkout {
  id: string;
  /** The id of the payment. */
  order: string;
  amount: number;
  currency: string;
  status: 'open' | 'paid' | 'declined' | 'canceled';
  url: string;
}

/** Money that moved. */
export interface Charge {
  paymentId: string;
  amount: number;
  currency: string;
}

export interface AcmeLedger {
  /** Variables of the adapter that connects it. */
  adapterEnv: Record<string, string>;
  charges: readonly Charge[];
  stop(): Promise<void>;
}

/** Acme Pay, the processor of the guide for adapters, with payers who decide by the amount, and a ledger of charges. */
export async function startAcmeLedger(webhookPort: number): Promise<AcmeLedger> {
  const byOrder = new Map<string, Checkout>();
  const byId = new Map<string, Checkout>();
  const charges: Charge[] = [];
  const stopping = new AbortController();

  function create({ order, amount, currency }: Pick<Checkout, 'order' | 'amount' | 'currency'>): Checkout {
    const existing = byOrder.get(order);
    if (existing) return existing;
    const id = randomUUID();
    const checkout: Checkout = {
      ...{ id, order, amount, currency },
      status: 'open',
      url: `https://acme.example/pay/${id}`,
    };
    byOrder.set(order, checkout);
    byId.set(id, checkout);
    if (payerDecision(amount) !== 'nothing')
      setTimeout(() => void decide(checkout), amount % MAX_DECISION_MS);
    return checkout;
  }

  async function decide(checkout: Checkout): Promise<void> {
    if (checkout.status !== 'open') return;
    const isPaid = payerDecision(checkout.amount) === 'approve';
    checkout.status = isPaid ? 'paid' : 'declined';
    if (isPaid) {
      charges.push({
        paymentId: checkout.order,
        amount: checkout.amount,
        currency: checkout.currency,
      });
    }
    await notify(checkout.id);
  }

  /** Sends a webhook until the adapter accepts it. */
  async function notify(id: string): Promise<void> {
    const body = JSON.stringify({ checkout: id });
    const signature = createHmac('sha256', WEBHOOK_SECRET).update(body).digest('hex');
    while (!stopping.signal.aborted) {
      const response = await fetch(`http://127.0.0.1:${webhookPort}/webhooks`, {
        method: 'POST',
        body,
        headers: { 'acme-signature': signature },
        signal: stopping.signal,
      }).catch(() => null);
      if (response?.ok) return;
      await delay(WEBHOOK_RETRY_MS, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  }

  async function respond(request: IncomingMessage): Promise<Checkout | null> {
    const [, , id = '', action] = (request.url ?? '').split('/');
    if (request.method === 'POST' && id === '') {
      return create(JSON.parse((await request.toArray()).join('')));
    }
    const checkout = byId.get(id) ?? null;
    if (action === 'cancel' && checkout?.status === 'open') checkout.status = 'canceled';
    return checkout;
  }

  const server = createServer(async (request, response) => {
    // An adapter that is killed during a request has not sent a complete request.
    const checkout = await respond(request).catch(() => null);
    response.writeHead(checkout ? 200 : 404).end(JSON.stringify(checkout ?? {}));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    adapterEnv: {
      ACME_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      ACME_API_KEY: API_KEY,
      ACME_WEBHOOK_SECRET: WEBHOOK_SECRET,
    },
    charges,
    async stop() {
      stopping.abort();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
