import type {
  Callback,
  PaymentState,
  ProcessorPayment,
} from '@tollgate/processor-adapter/contract/payment-state';
import { MalformedBody, readCallback } from '@tollgate/processor-adapter/contract/read-state';
import { InvalidSignature, verify } from '@tollgate/processor-adapter/contract/signature';
import type { ExpectedCallbacks, ReceivedCallback } from '../callback-listener.ts';
import type { Check } from '../check.ts';
import { Finding } from '../finding.ts';
import { ruleOfMalformedState, type Suite, stateOf } from '../suite.ts';
import { expectNoMoney } from './cancel.ts';

const PATH = /^\/v1\/processor-events\/[^/?]+$/;
const UNAVAILABLE = 500;
const ACCEPTED = 204;

function findingOf(
  suite: Suite,
  expected: string,
  callback: ReceivedCallback | null,
  sent = 'the action of the payer',
): Finding {
  const received = callback
    ? `${callback.method} ${callback.path} ${callback.body.slice(0, 300)}`
    : 'nothing';
  const seconds = suite.options.changeDeadlineMs / 1_000;
  return new Finding(
    `${expected} within ${seconds} s at the listener of the suite (port ${suite.listener.port})`,
    { sent, received },
  );
}

/** @throws Finding */
function readSigned(suite: Suite, callback: ReceivedCallback | null): Callback {
  if (callback === null) throw findingOf(suite, 'a callback', callback);
  if (callback.method !== 'POST' || !PATH.test(callback.path))
    throw findingOf(suite, 'POST /v1/processor-events/{processor}', callback);
  try {
    verify(suite.options.secrets, callback, Date.now());
    return readCallback(callback.body);
  } catch (error) {
    if (error instanceof InvalidSignature)
      throw findingOf(suite, `a signed callback. ${error.message}`, callback);
    if (!(error instanceof MalformedBody)) throw error;
    const finding = findingOf(suite, `a payment id and a state. ${error.message}`, callback);
    throw new Finding(finding.expected, finding, ruleOfMalformedState(callback.body));
  }
}

/** @throws Finding */
async function firstOf(suite: Suite, callbacks: ExpectedCallbacks): Promise<ReceivedCallback> {
  const first = await callbacks.next(() => true);
  if (first !== null) return first;
  const none = findingOf(suite, 'a callback', null);
  throw new Finding(none.expected, none, 'callbacks-are-signed');
}

function isRefunded({ amount }: ProcessorPayment, state: Partial<PaymentState>): boolean {
  return state.status === 'succeeded' && state.refunded_amount === amount;
}

/** Other checks read the whole callback. */
function stateIn({ body }: ReceivedCallback): Partial<PaymentState> {
  try {
    return Object(JSON.parse(body));
  } catch {
    return {};
  }
}

function reports(action: 'pay' | 'decline', status: 'succeeded' | 'failed'): Check {
  return {
    name: `reports with a callback that a payment ${status}`,
    rule: 'callbacks-are-signed',
    scenario: 'action_required',
    async run(suite) {
      const { payment, state } = await suite.waiting();
      const callbacks = suite.listener.expect(payment.id);
      await suite.payer.act(action, payment.id, state);
      const callback = await callbacks.next(({ body }) => body.includes(`"${status}"`));
      if (readSigned(suite, callback).payment_id !== payment.id)
        throw findingOf(suite, `a callback about ${payment.id}`, callback);
      await suite.settled(payment, status);
    },
  };
}

export const CALLBACK_CHECKS: Check[] = [
  reports('pay', 'succeeded'),
  reports('decline', 'failed'),
  {
    name: 'repeats a callback that was not accepted with the same id',
    rule: 'callbacks-are-repeated',
    scenario: 'action_required',
    async run(suite) {
      const { payment, state } = await suite.waiting();
      const callbacks = suite.listener.expect(payment.id, (attempt) =>
        attempt === 1 ? UNAVAILABLE : ACCEPTED,
      );
      await suite.payer.act('pay', payment.id, state);
      const first = await firstOf(suite, callbacks);
      const second = await callbacks.next((_, index) => index === 1);
      const id = first.headers['webhook-id'];
      if (second === null) throw findingOf(suite, 'the callback again, after a response with 500', null);
      if (second.headers['webhook-id'] !== id)
        throw findingOf(suite, `the callback again with the webhook-id ${id}`, {
          ...second,
          body: `with the webhook-id ${second.headers['webhook-id']}`,
        });
    },
  },
  {
    name: 'responds to calls while Tollgate is slow to accept a callback',
    rule: 'responds-in-time',
    scenario: 'action_required',
    async run(suite) {
      const { payment, state } = await suite.waiting();
      let release: (status: number) => void = () => undefined;
      const held = new Promise<number>((resolve) => {
        release = resolve;
      });
      const callbacks = suite.listener.expect(payment.id, () => held);
      try {
        await suite.payer.act('pay', payment.id, state);
        await callbacks.next(() => true);
        await suite.settled(payment, 'succeeded');
      } finally {
        release(ACCEPTED);
      }
    },
  },
  {
    name: 'reports a refund with a callback, and when it is asked again',
    rule: 'reversals-are-reported',
    scenario: 'action_required',
    async run(suite) {
      const { payment, state } = await suite.waiting();
      const callbacks = suite.listener.expect(payment.id);
      await suite.payer.act('pay', payment.id, state);
      await firstOf(suite, callbacks);
      await suite.settled(payment, 'succeeded');
      await suite.payer.act('refund', payment.id, state);
      const refunded = await callbacks.next((callback) => isRefunded(payment, stateIn(callback)));
      if (refunded === null)
        throw findingOf(
          suite,
          `a callback with succeeded and the refunded_amount ${payment.amount}`,
          null,
          'the refund',
        );
      const exchange = await suite.status(payment.id, { asksAgain: true });
      if (!isRefunded(payment, stateOf(exchange, 'status-asks-again')))
        throw new Finding(`the status succeeded, with the refunded_amount ${payment.amount}`, exchange);
    },
  },
  {
    name: 'keeps a payment succeeded when its payer acts again',
    rule: 'status-does-not-regress',
    scenario: 'action_required',
    async run(suite) {
      const { payment, state } = await suite.waiting();
      await suite.payer.act('pay', payment.id, state);
      await suite.settled(payment, 'succeeded');
      await suite.payer.act('decline', payment.id, state);
      await suite.payer.act('pay', payment.id, state);
      const exchange = await suite.status(payment.id);
      if (stateOf(exchange).status !== 'succeeded')
        throw new Finding('the status succeeded, which is final', exchange);
    },
  },
  {
    name: 'lets nobody pay a canceled payment',
    rule: 'cancel-prevents-money',
    scenario: 'action_required',
    async run(suite) {
      const { payment, state } = await suite.waiting();
      const canceled = stateOf(await suite.cancel(payment.id), 'cancel-too-late-reports-state');
      if (canceled.status !== 'canceled') return;
      await suite.payer.act('pay', payment.id, state);
      await expectNoMoney(suite, payment.id);
    },
  },
];
