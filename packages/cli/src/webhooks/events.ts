import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import { PAYMENT_EVENT_TYPES } from '@tollgate/contracts/payments/events';
import type { Delivery, WebhookEvent } from '@tollgate/contracts/webhooks/webhook';
import { listRows } from '../api/list-rows.ts';
import { requireLogin } from '../api/require-login.ts';
import { type Command, EXIT_OK, NegativeResult, type Terminal } from '../command.ts';
import { parseArguments } from '../parse-options.ts';
import { printResult } from '../print-result.ts';
import { DEFAULT_LIMIT, readAction, readLimit, readOneOfIfGiven } from '../read-arguments.ts';
import { deliveryLine } from './deliveries.ts';

const USAGE = `Usage: tollgate events <list|get|resend> [<event id>] [options]

  list                  shows the newest events
  get <event id>        prints an event with its body and deliveries as JSON
  resend <event id>     sends an event again now, to each endpoint that it was sent to

  --endpoint <id>       resend: only to this endpoint
  --type <type>         list: only events of this type
  --payment <id>        list: only events of this payment
  --application <id>    list: only events of this application
  --live                list: events of live
  --limit <number>      list: at most 100; by default ${DEFAULT_LIMIT}
  --json                prints JSON

Event types: ${PAYMENT_EVENT_TYPES.join(', ')}.

Exit code: 0 done, 1 rejected by the API or nothing to resend, 2 failed.`;

/** The actions, with what identifies the event. */
const ACTIONS = { list: null, get: 'event id', resend: 'event id' };

type Options = ReturnType<typeof readArguments>;

export const events: Command = {
  summary: 'shows and resends events',
  usage: USAGE,
  actions: Object.keys(ACTIONS),
  async run(args, terminal) {
    const options = readArguments(args);
    await { list, get, resend }[options.action](options, terminal);
    return EXIT_OK;
  },
};

async function list({ filter, limit, json }: Options, terminal: Terminal): Promise<void> {
  const { api } = await requireLogin(terminal);
  await listRows(
    {
      limit,
      isJson: json,
      noun: 'events',
      readPage: (page) => api.call(ADMIN_ROUTES.listEvents, { ...filter, ...page }),
      lineOf: eventLine,
    },
    terminal,
  );
}

async function get({ id }: Options, terminal: Terminal): Promise<void> {
  const { api } = await requireLogin(terminal);
  terminal.print(JSON.stringify(await api.call(ADMIN_ROUTES.getEvent, { event_id: id }), null, 2));
}

async function resend(options: Options, terminal: Terminal): Promise<void> {
  const { id, endpoint } = options;
  const { api } = await requireLogin(terminal);
  const { deliveries } = await api.call(ADMIN_ROUTES.getEvent, { event_id: id });
  const wanted = deliveries.filter(({ endpoint_id }) => endpoint === undefined || endpoint_id === endpoint);
  if (wanted.length === 0)
    throw new NegativeResult(
      `${id} was not sent to ${endpoint ?? 'any endpoint'}. To send an endpoint what it missed, open it in the dashboard.`,
    );
  const data: Delivery[] = [];
  for (const { id: delivery_id } of wanted)
    data.push(await api.call(ADMIN_ROUTES.resendDelivery, { delivery_id }));
  printResult({ data }, () => data.map(deliveryLine).join('\n'), options, terminal);
}

function eventLine({ occurred_at, id, type, payment_id }: WebhookEvent): string {
  return [occurred_at.slice(0, 19), id, type, payment_id].join('  ');
}

function readArguments(args: string[]) {
  const { values, positionals } = parseArguments(args, {
    endpoint: { type: 'string' },
    type: { type: 'string' },
    payment: { type: 'string' },
    application: { type: 'string' },
    live: { type: 'boolean', default: false },
    limit: { type: 'string', default: String(DEFAULT_LIMIT) },
    json: { type: 'boolean', default: false },
  });
  return {
    ...readAction(positionals, ACTIONS),
    filter: {
      environment: values.live ? ('live' as const) : ('sandbox' as const),
      type: readOneOfIfGiven('--type', PAYMENT_EVENT_TYPES, values.type),
      payment_id: values.payment,
      application_id: values.application,
    },
    endpoint: values.endpoint,
    limit: readLimit(values.limit),
    json: values.json,
  };
}
