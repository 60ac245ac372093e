import { randomUUID } from 'node:crypto';
import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import { PAYMENT_EVENT_TYPES } from '@tollgate/contracts/payments/events';
import { ALL_EVENT_TYPES } from '@tollgate/contracts/webhooks/all-event-types';
import type { WebhookEndpoint } from '@tollgate/contracts/webhooks/webhook';
import { findApplicationId } from '../api/find-application.ts';
import { listRows } from '../api/list-rows.ts';
import { requireLogin } from '../api/require-login.ts';
import { ArgumentError, type Command, EXIT_OK, type Terminal } from '../command.ts';
import { parseArguments } from '../parse-options.ts';
import { printResult } from '../print-result.ts';
import { DEFAULT_LIMIT, readAction, readLimit } from '../read-arguments.ts';
import { visible } from '../visible.ts';
import { deliveryLine } from './deliveries.ts';
import { readEventTypes } from './read-event-types.ts';

const USAGE = `Usage: tollgate endpoints <list|create|enable|disable|test|delete> [<endpoint id>] [options]

Manages webhook endpoints. The signing secret of a new endpoint alone goes to standard output.

  list                    shows the newest endpoints
  create                  creates an endpoint
  enable <endpoint id>    sends events again, also to an endpoint that is paused
  disable <endpoint id>   sends no more events
  test <endpoint id>      sends an example of an event
  delete <endpoint id>    deletes an endpoint, and cancels its pending deliveries

  --url <url>             create: address that receives the events
  --events <type,...>     create: only these types; by default all, including future ones. test: the type; by default payment.succeeded
  --application <id>      create: application of the endpoint; not needed if the team has only one. list: only its endpoints
  --reason <text>         disable: shown in the dashboard
  --live                  create, list: endpoints of live
  --limit <number>        list: at most 100; by default ${DEFAULT_LIMIT}
  --json                  prints JSON

Event types: ${PAYMENT_EVENT_TYPES.join(', ')}.

Exit code: 0 done, 1 rejected by the API, 2 failed.`;

/** The actions, with what identifies the endpoint. */
const ACTIONS = {
  list: null,
  create: null,
  enable: 'endpoint id',
  disable: 'endpoint id',
  test: 'endpoint id',
  delete: 'endpoint id',
};

type Options = ReturnType<typeof readArguments>;

export const endpoints: Command = {
  summary: 'manages webhook endpoints',
  usage: USAGE,
  actions: Object.keys(ACTIONS),
  async run(args, terminal) {
    const options = readArguments(args);
    await { list, create, enable, disable, test, delete: remove }[options.action](options, terminal);
    return EXIT_OK;
  },
};

async function list({ environment, application, limit, json }: Options, terminal: Terminal): Promise<void> {
  const { api } = await requireLogin(terminal);
  await listRows(
    {
      limit,
      isJson: json,
      noun: 'endpoints',
      readPage: (page) =>
        api.call(ADMIN_ROUTES.listEndpoints, { environment, application_id: application, ...page }),
      lineOf: endpointLine,
    },
    terminal,
  );
}

async function create(options: Options, terminal: Terminal): Promise<void> {
  const { url, types, environment, json } = options;
  if (url === undefined) throw new ArgumentError('Pass the address of the endpoint with --url.');
  const { api } = await requireLogin(terminal);
  const endpoint = await api.call(
    ADMIN_ROUTES.createEndpoint,
    {
      application_id: await findApplicationId(api, options.application),
      environment,
      url,
      event_types: types.length === 0 ? [ALL_EVENT_TYPES] : types,
    },
    { idempotencyKey: randomUUID() },
  );
  if (json) terminal.print(JSON.stringify(endpoint, null, 2));
  else {
    terminal.printError(endpointLine(endpoint));
    terminal.print(endpoint.secret ?? '');
  }
}

async function enable(options: Options, terminal: Terminal): Promise<void> {
  const { api } = await requireLogin(terminal);
  const endpoint = await api.call(ADMIN_ROUTES.enableEndpoint, { endpoint_id: options.id });
  printResult(endpoint, endpointLine, options, terminal);
}

async function disable(options: Options, terminal: Terminal): Promise<void> {
  const { id, reason } = options;
  const { api } = await requireLogin(terminal);
  const endpoint = await api.call(ADMIN_ROUTES.disableEndpoint, { endpoint_id: id, reason });
  printResult(endpoint, endpointLine, options, terminal);
}

async function test(options: Options, terminal: Terminal): Promise<void> {
  const { id, types } = options;
  const [event_type = 'payment.succeeded', ...others] = types;
  if (others.length > 0) throw new ArgumentError('test takes one event type.');
  const { api } = await requireLogin(terminal);
  const delivery = await api.call(ADMIN_ROUTES.sendTestEvent, { endpoint_id: id, event_type });
  printResult(delivery, deliveryLine, options, terminal);
}

async function remove(options: Options, terminal: Terminal): Promise<void> {
  const { id } = options;
  const { api } = await requireLogin(terminal);
  await api.call(ADMIN_ROUTES.deleteEndpoint, { endpoint_id: id });
  printResult({ id, deleted: true }, () => `${id} is deleted.`, options, terminal);
}

function endpointLine({ id, status, paused_until, url }: WebhookEndpoint): string {
  const state = paused_until === null ? status : `paused until ${paused_until}`;
  return [id, state, visible(url)].join('  ');
}

function readArguments(args: string[]) {
  const { values, positionals } = parseArguments(args, {
    url: { type: 'string' },
    events: { type: 'string', default: '' },
    application: { type: 'string' },
    reason: { type: 'string' },
    live: { type: 'boolean', default: false },
    limit: { type: 'string', default: String(DEFAULT_LIMIT) },
    json: { type: 'boolean', default: false },
  });
  return {
    ...values,
    ...readAction(positionals, ACTIONS),
    types: readEventTypes(values.events),
    environment: values.live ? ('live' as const) : ('sandbox' as const),
    limit: readLimit(values.limit),
  };
}
