import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import { CALLER_CANCELLATION_REASONS, PAYMENT_STATUSES } from '@tollgate/contracts/payments/payment';
import { listRows } from '../api/list-rows.ts';
import { requireLogin } from '../api/require-login.ts';
import { type Command, EXIT_OK, type Terminal } from '../command.ts';
import { parseArguments } from '../parse-options.ts';
import { printResult } from '../print-result.ts';
import { DEFAULT_LIMIT, readAction, readLimit, readOneOfIfGiven } from '../read-arguments.ts';
import { paymentLine, paymentText } from './format-payment.ts';
import { openPage } from './open-page.ts';
import { BODY_OPTIONS, BODY_USAGE, readBody } from './payment-body.ts';
import { withPublicApi } from './public-api.ts';

const USAGE = `Usage: tollgate payments <create|get|cancel|list> [<payment id>] [options]

  create              creates a payment
  get <payment id>    shows a payment
  cancel <payment id> cancels a payment
  list                shows the newest payments

Options of create:
${BODY_USAGE}
  --payment-method <token>    token of the processor, in the sandbox a magic value such as pm_redirect
  --idempotency-key <key>     repeats a creation instead of creating another payment
  --open                      opens the page of the payer in the browser

Options of cancel and list:
  --reason <reason>           cancel: such as requested_by_customer
  --status <status>           list: only payments with this status
  --reference <text>          list: only payments with this reference
  --limit <number>            list: at most 100; by default ${DEFAULT_LIMIT}
  --live                      list: payments of live

  --application <id>          application of the payments
  --json                      prints JSON

create and cancel need an API key: TOLLGATE_API_KEY, or in the sandbox a key that this program creates for itself.

Exit code: 0 done, 1 rejected by the API, 2 failed.`;

/** The actions, with what identifies the payment. */
const ACTIONS = { create: null, get: 'payment id', cancel: 'payment id', list: null };

type Options = ReturnType<typeof readArguments>;

export const payments: Command = {
  summary: 'creates, shows, and cancels payments',
  usage: USAGE,
  actions: Object.keys(ACTIONS),
  async run(args, terminal) {
    const options = readArguments(args);
    await { create, get, cancel, list }[options.action](options, terminal);
    return EXIT_OK;
  },
};

async function create(options: Options, terminal: Terminal): Promise<void> {
  const body = readBody(options, options['payment-method'] ?? null);
  const payment = await withPublicApi(terminal, options.application, (api) =>
    api.create(body, { idempotencyKey: options['idempotency-key'], waitsForAction: options.open }),
  );
  printResult(payment, paymentText, options, terminal);
  if (options.open) await openPage(payment, terminal);
}

async function get(options: Options, terminal: Terminal): Promise<void> {
  const { api } = await requireLogin(terminal);
  const payment = await api.call(ADMIN_ROUTES.getPayment, { payment_id: options.id });
  printResult(payment, paymentText, options, terminal);
}

async function cancel(options: Options, terminal: Terminal): Promise<void> {
  const body = { cancellation_reason: options.reason ?? null };
  const payment = await withPublicApi(terminal, options.application, (api) => api.cancel(options.id, body));
  printResult(payment, paymentText, options, terminal);
}

async function list(options: Options, terminal: Terminal): Promise<void> {
  const { live, status, reference, application, limit, json } = options;
  const { api } = await requireLogin(terminal);
  const filter = {
    environment: live ? 'live' : 'sandbox',
    status,
    reference,
    application_id: application,
  } as const;
  await listRows(
    {
      limit,
      isJson: json,
      noun: 'payments',
      readPage: (page) => api.call(ADMIN_ROUTES.listPayments, { ...filter, ...page }),
      lineOf: paymentLine,
    },
    terminal,
  );
}

function readArguments(args: string[]) {
  const { values, positionals } = parseArguments(args, {
    ...BODY_OPTIONS,
    'payment-method': { type: 'string' },
    'idempotency-key': { type: 'string' },
    open: { type: 'boolean', default: false },
    reason: { type: 'string' },
    status: { type: 'string' },
    limit: { type: 'string', default: String(DEFAULT_LIMIT) },
    application: { type: 'string' },
    live: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
  });
  return {
    ...values,
    ...readAction(positionals, ACTIONS),
    status: readOneOfIfGiven('--status', PAYMENT_STATUSES, values.status),
    reason: readOneOfIfGiven('--reason', CALLER_CANCELLATION_REASONS, values.reason),
    limit: readLimit(values.limit),
  };
}
