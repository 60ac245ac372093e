import { setTimeout as delay } from 'node:timers/promises';
import { newId } from '@tollgate/contracts/platform/ids';
import { isFinal } from '@tollgate/processor-adapter/contract/final-status';
import { hasMoneyOf } from '@tollgate/processor-adapter/contract/has-money-of';
import {
  ASK_PROCESSOR,
  type PaymentState,
  type ProcessorPayment,
} from '@tollgate/processor-adapter/contract/payment-state';
import { MalformedBody, readState } from '@tollgate/processor-adapter/contract/read-state';
import type { AdapterRule } from '@tollgate/processor-adapter/contract/rules';
import type { SigningSecrets } from '@tollgate/processor-adapter/contract/signature';
import type { AdapterCaller, Deviation, Exchange } from './adapter-caller.ts';
import type { CallbackListener } from './callback-listener.ts';
import { Finding, NotTested } from './finding.ts';
import type { Relay } from './relay.ts';
import type { ScenarioName } from './scenario-names.ts';
import type { Payer, Scenario } from './scenarios.ts';

export interface SuiteOptions {
  environment: ProcessorPayment['environment'];
  currency: string;
  scenarios: Partial<Record<ScenarioName, Scenario>>;
  secrets: SigningSecrets;
  /** Time for a change at the processor to be seen. */
  changeDeadlineMs: number;
}

/** What checks have in common. */
export interface Suite {
  options: SuiteOptions;
  caller: AdapterCaller;
  listener: CallbackListener;
  payer: Payer;
  relays: { processor: Relay | null; webhooks: Relay | null };
  /** Carries the adapter's requests to its processor. @throws NotTested when it is not configured */
  processor(): Relay;
  /** Carries the processor's webhooks to the adapter. @throws NotTested when it is not configured */
  webhooks(): Relay;
  /** @throws NotTested when the scenario is not configured */
  payment(scenario?: ScenarioName): ProcessorPayment;
  start(payment: object & { id: string }, deviation?: Deviation): Promise<Exchange>;
  /** @throws NotTested when the adapter does not accept the payment */
  started(scenario?: ScenarioName): Promise<{ payment: ProcessorPayment; state: PaymentState }>;
  /** A payment that waits for its payer. @throws NotTested */
  waiting(): Promise<{ payment: ProcessorPayment; state: PaymentState }>;
  status(id: string, options?: { asksAgain?: boolean }): Promise<Exchange>;
  cancel(id: string): Promise<Exchange>;
  /** Asks for the status until it matches. @throws Finding at the deadline, and when a success has other money */
  settled(payment: ProcessorPayment, status: PaymentState['status']): Promise<PaymentState>;
}

const DEFAULT_AMOUNT = 1250;
const HOUR_MS = 3_600_000;
export const POLL_INTERVAL_MS = 250;
const ASKING_AGAIN = { note: 'about a payment that has ended', query: `?ask=${ASK_PROCESSOR}` };

export function createSuite(
  options: SuiteOptions,
  parts: Pick<Suite, 'caller' | 'listener' | 'payer' | 'relays'>,
): Suite {
  const { caller } = parts;
  const suite: Suite = {
    options,
    ...parts,
    processor: () => configured(parts.relays.processor, '--processor PORT=URL', 'requests to the processor'),
    webhooks: () => configured(parts.relays.webhooks, '--webhooks PORT=URL', 'webhooks of the processor'),
    payment(name = 'default') {
      const scenario = options.scenarios[name];
      if (!scenario && name !== 'default') {
        throw new NotTested(
          `Describe a payment with this outcome: --payment-method ${name}=TOKEN, or "${name}" in the file of --scenarios.`,
        );
      }
      return aPayment(options, scenario ?? {});
    },
    start: (payment, deviation) => caller.call('start', payment.id, JSON.stringify(payment), deviation),
    async started(name = 'default') {
      const payment = suite.payment(name);
      const exchange = await suite.start(payment);
      if (exchange.status === 422 && name === 'default') {
        throw new NotTested(
          `The adapter does not accept the payment (${exchange.received}). Pass one that it accepts: --payment-method default=TOKEN or --currency.`,
        );
      }
      return { payment, state: stateOf(exchange, 'start-responds-with-state') };
    },
    async waiting() {
      const { payment } = await suite.started('action_required');
      return { payment, state: await suite.settled(payment, 'action_required') };
    },
    status: (id, { asksAgain = false } = {}) =>
      caller.call('status', id, '', asksAgain ? ASKING_AGAIN : undefined),
    cancel: (id) => caller.call('cancel', id),
    async settled(payment, wanted) {
      const deadlineMs = performance.now() + options.changeDeadlineMs;
      for (;;) {
        const exchange = await suite.status(payment.id);
        const state = stateOf(exchange, 'status-is-current');
        if (state.status === wanted) {
          if (hasMoneyOf(payment, state)) return state;
          const money = `the amount ${payment.amount} and the currency ${payment.currency}`;
          throw new Finding(money, exchange, 'success-has-amount');
        }
        if (isFinal(state) || performance.now() > deadlineMs)
          throw new Finding(
            `the status ${wanted} within ${options.changeDeadlineMs / 1_000} s`,
            exchange,
            'status-is-current',
          );
        await delay(POLL_INTERVAL_MS);
      }
    },
  };
  return suite;
}

function configured(relay: Relay | null, option: string, what: string): Relay {
  if (relay) return relay;
  throw new NotTested(`Let the suite carry the ${what}: ${option}.`);
}

function aPayment({ environment, currency }: SuiteOptions, scenario: Scenario): ProcessorPayment {
  const now = Date.now();
  return {
    id: newId('payment'),
    application_id: newId('application'),
    environment,
    amount: scenario.amount ?? DEFAULT_AMOUNT,
    currency: scenario.currency ?? currency,
    purpose: 'Conformance test',
    reference: 'conformance-test',
    payer: { name: 'Test Payer', account: null, email: 'payer@example.com' },
    payee: null,
    payment_method: scenario.payment_method ?? null,
    metadata: { test: 'conformance' },
    return_url: 'https://example.com/return',
    created_at: new Date(now).toISOString(),
    expires_at: new Date(now + HOUR_MS).toISOString(),
  };
}

export function expectStatus(exchange: Exchange, status: number, rule?: AdapterRule): void {
  if (exchange.status !== status) throw new Finding(`status ${status}`, exchange, rule);
}

/** Reads the state in a response as Tollgate does. @throws Finding, by default of the check's own rule */
export function stateOf(exchange: Exchange, rule?: AdapterRule): PaymentState {
  expectStatus(exchange, 200, rule);
  try {
    return readState(exchange.body);
  } catch (error) {
    if (!(error instanceof MalformedBody)) throw error;
    throw new Finding(`a state. ${error.message}`, exchange, ruleOfMalformedState(exchange.body) ?? rule);
  }
}

/** The part of a state that is malformed has a rule of its own. */
export function ruleOfMalformedState(body: string): AdapterRule | undefined {
  const next_action = { type: 'redirect', url: 'https://example.com' };
  const failure = { code: 'code', message: 'Message' };
  const money = { amount: 1, currency: 'EUR' };
  if (isReadable(body, { next_action })) return 'action-has-url';
  if (isReadable(body, { failure })) return 'failure-has-code';
  if (isReadable(body, money)) return 'success-has-amount';
  return undefined;
}

function isReadable(body: string, repaired: object): boolean {
  try {
    readState(JSON.stringify({ ...JSON.parse(body), ...repaired }));
    return true;
  } catch {
    return false;
  }
}
