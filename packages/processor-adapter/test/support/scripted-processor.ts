import { randomUUID } from 'node:crypto';
import { type Adapter, defineAdapter, InvalidWebhook } from '../../src/adapter.ts';
import type { PaymentState, ProcessorPayment } from '../../src/contract/payment-state.ts';

/** A processor whose behavior a test sets, and an adapter for it. It survives restarts of the adapter. */
export interface ScriptedProcessor {
  adapter: Adapter;
  /** Every call of a function of the adapter, as `start pay_…`. */
  calls: string[];
  startedAt: Date[];
  /** Calls that began while another one for the same payment was in flight. */
  overlaps: number;
  /** How many webhooks the adapter has verified. */
  webhooks: number;
  payments: Map<string, PaymentState>;
  /** The payment of the last status call. */
  asked: ProcessorPayment | null;
  /** Runs before each call of the adapter takes effect, and can throw or wait. */
  before: (call: string, signal: AbortSignal) => Promise<void> | void;
  /** Runs after the call has taken effect at the processor, before its result is returned. */
  after: (call: string) => Promise<void> | void;
  /** Runs before a webhook is verified, and can throw. */
  beforeWebhook: () => void;
  /** The state of a new payment. */
  newState: (payment: ProcessorPayment) => PaymentState;
  /** Body of a webhook that is accepted. */
  webhook(about: { paymentId: string } | { reference: string } | null): string;
}

export const PAY_HERE = { type: 'redirect', url: 'https://processor.example/pay' } as const;

export function createScriptedProcessor(): ScriptedProcessor {
  const calls: string[] = [];
  const startedAt: Date[] = [];
  const payments = new Map<string, PaymentState>();
  const running = new Set<string>();

  async function called<Result>(
    call: string,
    id: string,
    signal: AbortSignal,
    effect: () => Result,
  ): Promise<Result> {
    calls.push(`${call} ${id}`);
    if (running.has(id)) processor.overlaps += 1;
    running.add(id);
    try {
      await processor.before(call, signal);
      const result = effect();
      await processor.after(call);
      return structuredClone(result);
    } finally {
      running.delete(id);
    }
  }

  function known(id: string): PaymentState {
    const state = payments.get(id);
    if (!state) throw new Error('the processor does not know the payment');
    return state;
  }

  const adapter = defineAdapter({
    name: 'scripted',
    environment: 'sandbox',
    start: (payment, { firstStartedAt, signal }) =>
      called('start', payment.id, signal, () => {
        startedAt.push(firstStartedAt);
        const state = payments.get(payment.id) ?? processor.newState(payment);
        payments.set(payment.id, state);
        return state;
      }),
    status: ({ payment }, { signal }) => {
      processor.asked = payment;
      return called('status', payment.id, signal, () => known(payment.id));
    },
    cancel: ({ payment }, { signal }) =>
      called('cancel', payment.id, signal, () => {
        const state = known(payment.id);
        if (state.status === 'action_required')
          payments.set(payment.id, { status: 'canceled', reference: state.reference });
        return known(payment.id);
      }),
    verifyCallback({ headers, body }) {
      processor.beforeWebhook();
      if (headers['x-processor'] !== 'genuine') throw new InvalidWebhook('The header is missing.');
      processor.webhooks += 1;
      return JSON.parse(body.toString());
    },
    readCallback: (content) => content as { paymentId: string } | null,
  });

  const processor: ScriptedProcessor = {
    adapter,
    calls,
    startedAt,
    overlaps: 0,
    webhooks: 0,
    payments,
    asked: null,
    before() {},
    after() {},
    beforeWebhook() {},
    newState: () => ({ status: 'action_required', reference: `ref_${randomUUID()}`, next_action: PAY_HERE }),
    webhook: (about) => JSON.stringify(about),
  };
  return processor;
}
