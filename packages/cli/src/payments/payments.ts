import type { RouteReply } from '@tollgate/contracts/admin-api/route';
import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import {
  CALLER_CANCELLATION_REASONS,
  PAYMENT_STATUSES,
  type PaymentStatus,
} from '@tollgate/contracts/payment';
import type { PaymentRow } from '@tollgate/contracts/payment-history';
import { MAX_PAGE_SIZE } from '@tollgate/contracts/rpc/page';
import { requireLogin } from '../api/require-login.ts';
import { type Command, EXIT_OK, type Terminal, UsageError } from '../command.ts';
import { parseOptions } from '../parse-options.ts';
import { paymentLine, paymentLines } from './format-payment.ts';
import { withPublicApi } from './public-api.ts';

const USAGE = `Usage: tollgate payments <create|get|cancel|list> [<payment id>] [options]

  create              creates a payment
  get <payment id>    shows a payment
  cancel <payment id> cancels a payment
  list                shows the newest payments

  --amount <number>           create: amount in minor units, such as 1999 for 19.99 EUR
  --currency <code>           create: ISO 4217 code; by default EUR
  --reference <text>          create: your reference. list: only payments with it
  --purpose <text>            create: what the payer pays for
  --payment-method <token>    create: token of the processor, in the sandbox a magic value such as pm_decline
  --return-url <url>          create: where the payer returns to
  --metadata <key>=<value>    create: repeatable
  --idempotency-key <key>     create: repeats a creation instead of creating another payment
  --reason <reason>           cancel: such as requested_by_customer
  --status <status>           list: only payments with this status
  --limit <number>            list: at most 100; by default 10
  --application <id>          application of the payments
  --live                      list: payments of live
  --json                      prints JSON

create and cancel need an API key: TOLLGATE_API_KEY, or in the sandbox a key that this program creates for itself.

Exit code: 0 done, 1 rejected by the API, 2 failed.`;

const DEFAULT_LIMIT = 10;

const ACTIONS = { create, get, cancel, list };

type Options = ReturnType<typeof readArguments>;

export const payments: Command = {
  summary: 'creates, shows, and cancels payments',
  usage: USAGE,
  actions: Object.keys(ACTIONS),
  async run(args, terminal) {
    const options = readArguments(args);
    await ACTIONS[options.action](options, terminal);
    return EXIT_OK;
  },
};

async function create(options: Options, terminal: Terminal): Promise<void> {
  const { amount, currency, reference, purpose, metadata } = options;
  if (amount === undefined || !/^\d{1,12}$/.test(amount))
    throw new UsageError('Pass --amount in minor units, such as --amount 1999 for 19.99 EUR.');
  const body = {
    amount: Number(amount),
    currency,
    reference: reference ?? null,
    purpose: purpose ?? null,
    payment_method: options['payment-method'] ?? null,
    return_url: options['return-url'] ?? null,
    metadata: metadata.length === 0 ? null : Object.fromEntries(metadata.map(readPair)),
  };
  const payment = await withPublicApi(terminal, options.application, (api) =>
    api.create(body, options['idempotency-key']),
  );
  printPayment(payment, options, terminal);
}

async function get(options: Options, terminal: Terminal): Promise<void> {
  const { api } = await requireLogin(terminal);
  printPayment(await api.call(ADMIN_ROUTES.getPayment, { payment_id: options.id }), options, terminal);
}

async function cancel(options: Options, terminal: Terminal): Promise<void> {
  const body = { cancellation_reason: options.reason ?? null };
  const payment = await withPublicApi(terminal, options.application, (api) => api.cancel(options.id, body));
  printPayment(payment, options, terminal);
}

async function list(options: Options, terminal: Terminal): Promise<void> {
  const { api } = await requireLogin(terminal);
  const found: PaymentRow[] = [];
  let cursor: string | undefined;
  // A page can be empty although others follow.
  do {
    const page: RouteReply<typeof ADMIN_ROUTES.listPayments> = await api.call(ADMIN_ROUTES.listPayments, {
      environment: options.live ? 'live' : 'sandbox',
      status: options.status,
      reference: options.reference,
      application_id: options.application,
      limit: options.limit - found.length,
      cursor,
    });
    found.push(...page.data);
    cursor = page.next_cursor ?? undefined;
  } while (cursor !== undefined && found.length < options.limit);
  const lines = options.json ? [JSON.stringify({ data: found }, null, 2)] : found.map(paymentLine);
  for (const line of lines) terminal.print(line);
  if (lines.length === 0) terminal.printError('No payments.');
}

function printPayment(
  payment: Parameters<typeof paymentLines>[0],
  { json }: Options,
  { print }: Terminal,
): void {
  const lines = json ? [JSON.stringify(payment, null, 2)] : paymentLines(payment);
  for (const line of lines) print(line);
}

function readArguments(args: string[]) {
  const { values, positionals } = parseOptions(
    args,
    {
      amount: { type: 'string' },
      currency: { type: 'string', default: 'EUR' },
      reference: { type: 'string' },
      purpose: { type: 'string' },
      'payment-method': { type: 'string' },
      'return-url': { type: 'string' },
      metadata: { type: 'string', multiple: true, default: [] },
      'idempotency-key': { type: 'string' },
      reason: { type: 'string' },
      status: { type: 'string' },
      limit: { type: 'string', default: String(DEFAULT_LIMIT) },
      application: { type: 'string' },
      live: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
    },
    USAGE,
  );
  const [action = '', id = '', ...others] = positionals;
  if (!isAction(action)) throw new UsageError(`Pass ${Object.keys(ACTIONS).join(', ')}.\n\n${USAGE}`);
  const takesId = action === 'get' || action === 'cancel';
  if (others.length > 0 || (id !== '') !== takesId)
    throw new UsageError(`${action} takes ${takesId ? 'one' : 'no'} payment id.\n\n${USAGE}`);
  return {
    ...values,
    action,
    id,
    status: readOneOf('--status', PAYMENT_STATUSES, values.status) as PaymentStatus | undefined,
    reason: readOneOf('--reason', CALLER_CANCELLATION_REASONS, values.reason),
    limit: readLimit(values.limit),
  };
}

const isAction = (text: string): text is keyof typeof ACTIONS => Object.hasOwn(ACTIONS, text);

function readOneOf<Value extends string>(
  option: string,
  values: readonly Value[],
  text: string | undefined,
): Value | undefined {
  const value = values.find((name) => name === text);
  if (text !== undefined && value === undefined)
    throw new UsageError(`${option} must be one of: ${values.join(', ')}.`);
  return value;
}

function readLimit(text: string): number {
  const limit = Number(text);
  if (/^\d{1,3}$/.test(text) && limit >= 1 && limit <= MAX_PAGE_SIZE) return limit;
  throw new UsageError(`--limit must be a number from 1 to ${MAX_PAGE_SIZE}.`);
}

function readPair(text: string): [string, string] {
  const at = text.indexOf('=');
  if (at < 1) throw new UsageError('--metadata must be <key>=<value>, such as --metadata order=17.');
  return [text.slice(0, at), text.slice(at + 1)];
}
