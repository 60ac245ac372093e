import { setTimeout as delay } from 'node:timers/promises';
import type { Payment } from '@tollgate/contracts/payments/payment';
import { eventually } from '@tollgate/test-kit/eventually';
import { type ApiResponse, apiClient } from '../api-client.ts';
import type { GatewayAddress } from './versioned-processes.ts';

/** The slower the machine, the longer the load runs: a higher rate would be what makes it slow. */
const REQUESTS_PER_SECOND = 10;
/** A retry goes to the next gateway. */
const MAX_ATTEMPTS = 20;
const RETRY_DELAY_MS = 250;
const MAX_WAIT_MS = 120_000;

type ApiClient = ReturnType<typeof apiClient>;
type Send<Body> = (api: ApiClient) => Promise<ApiResponse<Body>>;

/** A payment that the load has requested. */
export interface RequestedPayment {
  body: { amount: number; currency: string; reference: string; payment_method?: string };
  idempotencyKey: string | undefined;
  /** Null until a response acknowledges it; without an idempotency key, it may exist nevertheless. */
  paymentId: string | null;
  isCanceled: boolean;
}

export interface PaymentLoad {
  requested: readonly RequestedPayment[];
  /** What must not happen to a caller: wrong responses, and keyed requests that never succeeded. */
  failures: readonly string[];
  /** Responses to requests that the gateway counts as usage. */
  counted(): number;
  /** Requests without a response: the gateway may have counted them. */
  cutOff(): number;
  statuses: ReadonlyMap<number, number>;
  /** Waits until the gateway knows the key. */
  start(): Promise<void>;
  resume(): void;
  /** Waits until this many more payments are acknowledged. Throws when there is a failure. */
  acknowledge(more: number): Promise<void>;
  /** Stops sending, and waits for the responses. */
  pause(): Promise<void>;
}

/**
 * Creates payments with and without idempotency keys, repeats keyed creations, reads, and cancels, at a steady rate.
 * Retries keyed requests as a careful caller does.
 */
export function createPaymentLoad(key: string, nextGateway: () => GatewayAddress): PaymentLoad {
  const requested: RequestedPayment[] = [];
  const failures: string[] = [];
  const statuses = new Map<number, number>();
  const inFlight = new Set<Promise<void>>();
  const held: RequestedPayment[] = [];
  let timer: NodeJS.Timeout | undefined;
  let counted = 0;
  let cutOff = 0;
  let sent = 0;

  /** Returns null if there is no response. */
  async function attempt<Body>(send: Send<Body>): Promise<ApiResponse<Body> | null> {
    try {
      const response = await send(apiClient(nextGateway().baseUrl.sandbox, key));
      statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1);
      if (response.headers.has('ratelimit-policy')) counted += 1;
      return response;
    } catch (error) {
      const { code } = (error as { cause?: { code?: unknown } }).cause ?? {};
      // A gateway that has ended has received nothing.
      if (code !== 'ECONNREFUSED') cutOff += 1;
      return null;
    }
  }

  /** Repeats a request that is safe to repeat until it succeeds. */
  async function retry<Body>(what: string, send: Send<Body>): Promise<Body | null> {
    let last = 'no response';
    for (let attempts = 0; attempts < MAX_ATTEMPTS; attempts++) {
      if (attempts > 0) await delay(RETRY_DELAY_MS);
      const response = await attempt(send);
      if (response !== null && response.status < 300) return response.body;
      if (response !== null) last = `${response.status} ${JSON.stringify(response.body)}`;
      if (response !== null && response.status < 500) break;
    }
    failures.push(`${what}: ${last}`);
    return null;
  }

  function request(kind: 'keyed' | 'keyless' | 'held'): RequestedPayment {
    const reference = `${kind}-${requested.length + 1}`;
    const payment: RequestedPayment = {
      body: {
        amount: requested.length + 1,
        currency: 'EUR',
        reference,
        ...(kind === 'held' && { payment_method: 'pm_hold' }),
      },
      idempotencyKey: kind === 'keyless' ? undefined : reference,
      paymentId: null,
      isCanceled: false,
    };
    requested.push(payment);
    return payment;
  }

  function expectSame(what: string, payment: RequestedPayment, got: Payment): void {
    const { amount, currency, reference } = payment.body;
    const isSame = got.amount === amount && got.currency === currency && got.reference === reference;
    if (!isSame || (payment.paymentId ?? got.id) !== got.id)
      failures.push(`${what} ${payment.paymentId}: ${JSON.stringify(got)}`);
  }

  async function createKeyed(payment: RequestedPayment): Promise<void> {
    const { body, idempotencyKey } = payment;
    const got = await retry('create', (api) => api.create(body, idempotencyKey));
    if (got === null) return;
    expectSame('create', payment, got);
    payment.paymentId = got.id;
    if (body.payment_method === 'pm_hold') held.push(payment);
  }

  async function createKeyless(payment: RequestedPayment): Promise<void> {
    const response = await attempt((api) => api.create(payment.body));
    if (response?.status === 201) payment.paymentId = response.body.id;
    else if (response !== null && response.status < 500)
      failures.push(`create without a key: ${response.status} ${JSON.stringify(response.body)}`);
  }

  async function read(payment: RequestedPayment): Promise<void> {
    const got = await retry('read', (api) => api.read(payment.paymentId as string));
    if (got !== null) expectSame('read', payment, got);
  }

  async function cancel(payment: RequestedPayment): Promise<void> {
    const id = payment.paymentId as string;
    const got = await retry('cancel', (api) => api.cancel(id, undefined, `cancel-${id}`));
    if (got?.status === 'canceled') payment.isCanceled = true;
    else if (got !== null) failures.push(`cancel ${id}: ${JSON.stringify(got)}`);
  }

  /** An acknowledged payment, in turn from old and new ones. */
  function pick(filter: (payment: RequestedPayment) => boolean): RequestedPayment | undefined {
    const candidates = requested.filter((payment) => payment.paymentId !== null && filter(payment));
    return sent % 2 === 0 ? candidates.at(-1) : candidates[sent % Math.max(1, candidates.length)];
  }

  function sendNext(): Promise<void> {
    const kinds = ['keyed', 'read', 'keyless', 'repeat', 'held', 'cancel'] as const;
    const kind = kinds[sent++ % kinds.length] as (typeof kinds)[number];
    if (kind === 'keyless') return createKeyless(request(kind));
    if (kind === 'cancel' && held.length > 1) return cancel(held.shift() as RequestedPayment);
    if (kind === 'read') {
      const payment = pick(() => true);
      if (payment) return read(payment);
    }
    if (kind === 'repeat') {
      const payment = pick(({ idempotencyKey, isCanceled }) => idempotencyKey !== undefined && !isCanceled);
      if (payment) return createKeyed(payment);
    }
    return createKeyed(request(kind === 'held' ? 'held' : 'keyed'));
  }

  const acknowledged = () => requested.filter(({ paymentId }) => paymentId !== null).length;
  return {
    requested,
    failures,
    statuses,
    counted: () => counted,
    cutOff: () => cutOff,
    async start() {
      const isKnown = async () => (await attempt((api) => api.read('x')))?.status === 404;
      await eventually('the gateway knows the key of the load', isKnown);
    },
    resume() {
      timer = setInterval(() => {
        const done: Promise<void> = sendNext().finally(() => inFlight.delete(done));
        inFlight.add(done);
      }, 1000 / REQUESTS_PER_SECOND);
    },
    async acknowledge(more) {
      const wanted = acknowledged() + more;
      const isReached = () => {
        const [failure] = failures;
        if (failure !== undefined) throw new Error(`A request of the load failed: ${failure}`);
        return acknowledged() >= wanted;
      };
      await eventually(`${wanted} payments are acknowledged`, isReached, { timeoutMs: MAX_WAIT_MS });
    },
    async pause() {
      clearInterval(timer);
      await Promise.all(inFlight);
    },
  };
}
