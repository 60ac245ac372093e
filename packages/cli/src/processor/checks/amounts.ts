import { setTimeout as delay } from 'node:timers/promises';
import { newId } from '@tollgate/contracts/platform/ids';
import { CURRENCY_EXPONENTS } from '@tollgate/contracts/platform/money';
import { isFinal } from '@tollgate/processor-adapter/contract/final-status';
import { hasMoneyOf } from '@tollgate/processor-adapter/contract/has-money-of';
import type { PaymentState, ProcessorPayment } from '@tollgate/processor-adapter/contract/payment-state';
import type { Exchange } from '../adapter-caller.ts';
import type { Check } from '../check.ts';
import { Finding, NotTested } from '../finding.ts';
import type { Handle } from '../relay.ts';
import type { ScenarioName } from '../scenario-names.ts';
import { POLL_INTERVAL_MS, type Suite, stateOf } from '../suite.ts';

type Money = Pick<ProcessorPayment, 'amount' | 'currency'>;
type Notation = keyof ReturnType<typeof notationsOf>;

/** Currencies without decimals, and with three. Some processors require that the last of three is 0. */
const OTHER_MONEY: Money[] = [
  { amount: 12_340, currency: 'JPY' },
  { amount: 12_340, currency: 'KWD' },
];

/** A number that is not a part of an id or a date. */
const NUMBER = /(?<![\w.-])\d+(?:\.\d+)?(?![\w-]|\.\d)/g;

/** An amount as processors write it. */
function notationsOf({ amount, currency }: Money) {
  return { minor: amount, major: amount / 10 ** (CURRENCY_EXPONENTS.get(currency) ?? 2) };
}

/** The payment of the scenario, and the same with other money. */
function paymentsOf(suite: Suite, scenario: ScenarioName): ProcessorPayment[] {
  return [{}, ...OTHER_MONEY].map((money) => ({ ...suite.payment(scenario), ...money }));
}

const start = (suite: Suite, payment: ProcessorPayment) =>
  suite.start(payment, { note: `${payment.amount} ${payment.currency}` });

/** Whether the adapter does not accept the currency, which the author of the adapter decides. */
function isOtherCurrency({ currency }: ProcessorPayment, { status }: Exchange): boolean {
  return status === 422 && OTHER_MONEY.some((money) => money.currency === currency);
}

/** A scenario in which money moves. */
function paidScenario({ options }: Suite): ScenarioName {
  return options.scenarios.succeeded ? 'succeeded' : 'action_required';
}

async function payIfWaiting(suite: Suite, { id }: ProcessorPayment, state: PaymentState): Promise<void> {
  if (state.status === 'action_required') await suite.payer.act('pay', id, state);
}

/** What the processor reports instead of the payment. Each returns the text of a response. */
const OTHER_REPORTS: Record<string, (text: string, payment: ProcessorPayment) => string> = {
  'a part of the amount as the whole': (text, payment) => {
    const amounts: number[] = Object.values(notationsOf(payment));
    return text.replace(NUMBER, (number) => (amounts.includes(Number(number)) ? half(number) : number));
  },
  'another currency as that of the payment': (text, { currency }) =>
    text.replaceAll(new RegExp(`"${currency}"`, 'gi'), currency === 'USD' ? '"EUR"' : '"USD"'),
  'the money of another payment': (text, { id }) => text.replaceAll(id, newId('payment')),
};

function half(number: string): string {
  return (Number(number) / 2).toFixed(number.split('.')[1]?.length ?? 0);
}

function doesNotReport(what: string, report: (typeof OTHER_REPORTS)[string]): Check {
  return {
    name: `does not report ${what}`,
    rule: 'success-has-amount',
    scenario: 'succeeded',
    async run(suite) {
      const payment = suite.payment(paidScenario(suite));
      let isChanged = false;
      const changing: Handle = async (_, pass) => {
        const response = await pass();
        const text = response.body.toString();
        const changed = report(text, payment);
        isChanged ||= changed !== text;
        return { ...response, body: Buffer.from(changed) };
      };
      const exchange = await suite.processor().during(changing, async () => {
        const started = await start(suite, payment);
        // An adapter may report an error instead.
        if (started.status === 200) await payIfWaiting(suite, payment, stateOf(started));
        return decision(suite, payment);
      });
      if (!isChanged)
        throw new NotTested(
          'No response of the processor contains the amount, the currency, or the payment id. Compare them in the adapter, and test it by hand.',
        );
      if (exchange.status !== 200) return;
      const state = stateOf(exchange);
      if (state.status === 'succeeded' && hasMoneyOf(payment, state))
        throw new Finding('what the processor reports, or status 5xx', exchange);
    },
  };
}

/** The last response: a final status, an error, or what there is at the deadline. */
async function decision(suite: Suite, { id }: ProcessorPayment): Promise<Exchange> {
  const deadlineMs = performance.now() + suite.options.changeDeadlineMs;
  for (;;) {
    const exchange = await suite.status(id);
    if (exchange.status !== 200 || isFinal(stateOf(exchange)) || performance.now() > deadlineMs)
      return exchange;
    await delay(POLL_INTERVAL_MS);
  }
}

export const AMOUNT_CHECKS: Check[] = [
  {
    name: 'asks the processor for the amount of the payment, also in JPY and KWD',
    rule: 'amounts-are-exact',
    async run(suite) {
      let notations: Notation[] = ['minor', 'major'];
      for (const payment of paymentsOf(suite, 'default')) {
        const sent: string[] = [];
        const recording: Handle = (request, pass) => {
          sent.push(request.body.toString());
          return pass();
        };
        const exchange = await suite.processor().during(recording, () => start(suite, payment));
        if (isOtherCurrency(payment, exchange)) continue;
        stateOf(exchange, 'start-responds-with-state');
        const numbers = new Set(sent.flatMap((body) => body.match(NUMBER) ?? []).map(Number));
        const amounts = notationsOf(payment);
        notations = notations.filter((notation) => numbers.has(amounts[notation]));
        if (notations.length === 0)
          throw new Finding(
            `a request to the processor with ${amounts.minor} or ${amounts.major}, in one notation for all currencies`,
            { sent: exchange.sent, received: sent.join(' ').slice(0, 300) },
          );
      }
    },
  },
  {
    name: 'reports the amount and the currency that have moved, also in JPY and KWD',
    rule: 'success-has-amount',
    scenario: 'succeeded',
    async run(suite) {
      for (const payment of paymentsOf(suite, paidScenario(suite))) {
        const exchange = await start(suite, payment);
        if (isOtherCurrency(payment, exchange)) continue;
        await payIfWaiting(suite, payment, stateOf(exchange, 'start-responds-with-state'));
        await suite.settled(payment, 'succeeded');
      }
    },
  },
  ...Object.entries(OTHER_REPORTS).map(([what, report]) => doesNotReport(what, report)),
];
