import { setTimeout as wait } from 'node:timers/promises';
import type { AdminClient } from '@tollgate/admin-client/admin-client';
import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import { PAYMENT_EVENT_TYPES, type PaymentEventType } from '@tollgate/contracts/payments/events';
import type { SandboxPaymentMethod } from '@tollgate/contracts/payments/sandbox-payment-methods';
import { SECOND_MS } from '@tollgate/contracts/platform/durations';
import type { WebhookEvent } from '@tollgate/contracts/webhooks/webhook';
import { requireLogin } from '../api/require-login.ts';
import { ArgumentError, type Command, EXIT_OK, NegativeResult } from '../command.ts';
import { parseArguments } from '../parse-options.ts';
import { BODY_OPTIONS, BODY_USAGE, readBody } from '../payments/payment-body.ts';
import { withPublicApi } from '../payments/public-api.ts';
import { printResult } from '../print-result.ts';

/** How a sandbox payment gets to an event. */
interface Recipe {
  paymentMethod: SandboxPaymentMethod;
  /** What happens to the payment after its creation. */
  steps?: ('cancel' | 'erase')[];
}

const RECIPES: Record<PaymentEventType, Recipe> = {
  'payment.created': { paymentMethod: 'pm_succeed' },
  'payment.processing': { paymentMethod: 'pm_succeed' },
  'payment.succeeded': { paymentMethod: 'pm_succeed' },
  'payment.failed': { paymentMethod: 'pm_decline' },
  'payment.action_required': { paymentMethod: 'pm_redirect' },
  'payment.canceled': { paymentMethod: 'pm_hold', steps: ['cancel'] },
  // The processor must confirm a cancellation once it has started the payment.
  'payment.cancellation_requested': { paymentMethod: 'pm_redirect', steps: ['cancel'] },
  // Only payments that have ended can be erased.
  'payment.erased': { paymentMethod: 'pm_hold', steps: ['cancel', 'erase'] },
};

const USAGE = `Usage: tollgate trigger <event type> [options]

Creates a sandbox payment that causes the event, and waits for the event. Your webhook endpoints and tollgate listen
receive it, after those of the payment's earlier steps.

The payment is of 19.99 EUR unless options describe another:
${BODY_USAGE}

  --application <id>          application of the payment; not needed if the team has only one
  --json                      prints the event as JSON

Event types: ${PAYMENT_EVENT_TYPES.join(', ')}.

Exit code: 0 done, 1 rejected by the API or no event in time, 2 failed.`;

const POLL_INTERVAL_MS = SECOND_MS / 4;
/** Far longer than the sandbox takes. */
const EVENT_DEADLINE_MS = 30 * SECOND_MS;

export const trigger: Command = {
  summary: 'causes an event in the sandbox',
  usage: USAGE,
  actions: PAYMENT_EVENT_TYPES,
  async run(args, terminal) {
    const { type, values } = readArguments(args);
    const { paymentMethod, steps = [] } = RECIPES[type];
    const body = readBody({ purpose: `Triggered ${type}`, ...values }, paymentMethod);
    const { api } = await requireLogin(terminal);
    const paymentId = await withPublicApi(terminal, values.application, async (publicApi) => {
      const { id } = await publicApi.create(body, { waitsForAction: paymentMethod === 'pm_redirect' });
      terminal.printError(`Created ${id}. Waiting for ${type}.`);
      if (steps.includes('cancel')) await publicApi.cancel(id, { cancellation_reason: 'abandoned' });
      return id;
    });
    if (steps.includes('erase')) await api.call(ADMIN_ROUTES.erasePayment, { payment_id: paymentId });
    const event = await waitForEvent(api, paymentId, type);
    printResult(event, ({ id, payment_id }) => `${id}  ${type}  ${payment_id}`, values, terminal);
    return EXIT_OK;
  },
};

/** @throws NegativeResult */
async function waitForEvent(
  api: AdminClient,
  paymentId: string,
  type: PaymentEventType,
): Promise<WebhookEvent> {
  const deadlineMs = performance.now() + EVENT_DEADLINE_MS;
  while (performance.now() < deadlineMs) {
    const { data } = await api.call(ADMIN_ROUTES.listEvents, { payment_id: paymentId, type });
    const [event] = data;
    if (event) return event;
    await wait(POLL_INTERVAL_MS);
  }
  throw new NegativeResult(
    `There was no ${type} within ${EVENT_DEADLINE_MS / SECOND_MS} s. Run tollgate payments get ${paymentId}.`,
  );
}

function readArguments(args: string[]) {
  const { values, positionals } = parseArguments(args, {
    ...BODY_OPTIONS,
    amount: { type: 'string', default: '1999' },
    'return-url': { type: 'string', default: 'http://localhost/' },
    application: { type: 'string' },
    json: { type: 'boolean', default: false },
  });
  const [name, ...others] = positionals;
  const type = PAYMENT_EVENT_TYPES.find((known) => known === name);
  if (!type || others.length > 0) throw new ArgumentError('Pass one event type.');
  return { type, values };
}
