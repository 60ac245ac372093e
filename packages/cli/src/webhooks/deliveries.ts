import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import { DELIVERY_STATUSES, type Delivery } from '@tollgate/contracts/webhooks/webhook';
import { listRows } from '../api/list-rows.ts';
import { requireLogin } from '../api/require-login.ts';
import { type Command, EXIT_OK, type Terminal } from '../command.ts';
import { parseArguments } from '../parse-options.ts';
import { printResult } from '../print-result.ts';
import { DEFAULT_LIMIT, readAction, readLimit, readOneOfIfGiven } from '../read-arguments.ts';
import { visible } from '../visible.ts';

const USAGE = `Usage: tollgate deliveries <list|get|resend|cancel> [<delivery id>] [options]

A delivery is the sending of one event to one webhook endpoint, with all its attempts.

  list                   shows the newest deliveries
  get <delivery id>      prints a delivery with its attempts as JSON
  resend <delivery id>   sends the event again now, with a new retry schedule
  cancel <delivery id>   ends a pending delivery

  --status <status>      list: only deliveries with this status
  --endpoint <id>        list: only deliveries to this endpoint
  --event <id>           list: only deliveries of this event
  --payment <id>         list: only deliveries of events of this payment
  --live                 list: deliveries of live
  --limit <number>       list: at most 100; by default ${DEFAULT_LIMIT}
  --json                 prints JSON

Statuses: ${DELIVERY_STATUSES.join(', ')}.

Exit code: 0 done, 1 rejected by the API, 2 failed.`;

/** The actions, with what identifies the delivery. */
const ACTIONS = { list: null, get: 'delivery id', resend: 'delivery id', cancel: 'delivery id' };

type Options = ReturnType<typeof readArguments>;

export const deliveries: Command = {
  summary: 'shows and resends deliveries of webhooks',
  usage: USAGE,
  actions: Object.keys(ACTIONS),
  async run(args, terminal) {
    const options = readArguments(args);
    await { list, get, resend, cancel }[options.action](options, terminal);
    return EXIT_OK;
  },
};

async function list({ filter, limit, json }: Options, terminal: Terminal): Promise<void> {
  const { api } = await requireLogin(terminal);
  await listRows(
    {
      limit,
      isJson: json,
      noun: 'deliveries',
      readPage: (page) => api.call(ADMIN_ROUTES.listDeliveries, { ...filter, ...page }),
      lineOf: deliveryLine,
    },
    terminal,
  );
}

async function get({ id }: Options, terminal: Terminal): Promise<void> {
  const { api } = await requireLogin(terminal);
  terminal.print(JSON.stringify(await api.call(ADMIN_ROUTES.getDelivery, { delivery_id: id }), null, 2));
}

async function resend(options: Options, terminal: Terminal): Promise<void> {
  const { api } = await requireLogin(terminal);
  const delivery = await api.call(ADMIN_ROUTES.resendDelivery, { delivery_id: options.id });
  printResult(delivery, deliveryLine, options, terminal);
}

async function cancel(options: Options, terminal: Terminal): Promise<void> {
  const { api } = await requireLogin(terminal);
  const delivery = await api.call(ADMIN_ROUTES.cancelDelivery, { delivery_id: options.id });
  printResult(delivery, deliveryLine, options, terminal);
}

/** One line of a list. */
export function deliveryLine(delivery: Delivery): string {
  const { created_at, id, status, event_type, event_id, response_status, endpoint_url } = delivery;
  const columns = [created_at.slice(0, 19), id, status.padEnd('succeeded'.length), event_type, event_id];
  if (response_status !== null) columns.push(String(response_status));
  if (endpoint_url !== null) columns.push(visible(endpoint_url));
  return columns.join('  ');
}

function readArguments(args: string[]) {
  const { values, positionals } = parseArguments(args, {
    status: { type: 'string' },
    endpoint: { type: 'string' },
    event: { type: 'string' },
    payment: { type: 'string' },
    live: { type: 'boolean', default: false },
    limit: { type: 'string', default: String(DEFAULT_LIMIT) },
    json: { type: 'boolean', default: false },
  });
  return {
    ...readAction(positionals, ACTIONS),
    filter: {
      environment: values.live ? ('live' as const) : ('sandbox' as const),
      status: readOneOfIfGiven('--status', DELIVERY_STATUSES, values.status),
      endpoint_id: values.endpoint,
      event_id: values.event,
      payment_id: values.payment,
    },
    limit: readLimit(values.limit),
    json: values.json,
  };
}
