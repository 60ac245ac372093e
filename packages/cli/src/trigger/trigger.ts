import { setTimeout as wait } from 'node:timers/promises';
import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import { SECOND_MS } from '@tollgate/contracts/durations';
import { requireLogin } from '../api/require-login.ts';
import { type Command, EXIT_NO, EXIT_OK, UsageError } from '../command.ts';
import { parseOptions } from '../parse-options.ts';
import { type PublicApi, withPublicApi } from '../payments/public-api.ts';

interface Recipe {
  paymentMethod: string;
  /** What must happen to the payment after its creation. */
  andThen?: (api: PublicApi, paymentId: string) => Promise<unknown>;
}

/** How a sandbox payment gets to each event, by magic values. */
const RECIPES = {
  'payment.succeeded': { paymentMethod: 'pm_succeed' },
  'payment.failed': { paymentMethod: 'pm_decline' },
  'payment.action_required': { paymentMethod: 'pm_redirect' },
  'payment.canceled': {
    paymentMethod: 'pm_hold',
    andThen: (api, id) => api.cancel(id, { cancellation_reason: 'abandoned' }),
  },
} as const satisfies Record<string, Recipe>;

const TYPES = Object.keys(RECIPES);

const USAGE = `Usage: tollgate trigger <event type> [options]

Creates a sandbox payment that causes the event, and waits for the event. Your webhook endpoints and tollgate listen
receive it, after those of the payment's earlier steps.

  --application <id>   application of the payment; not needed if the team has only one
  --json               prints the event as JSON

Event types: ${TYPES.join(', ')}.

Exit code: 0 done, 1 rejected by the API or no event in time, 2 failed.`;

const AMOUNT = 1_999;
const CURRENCY = 'EUR';
const RETURN_URL = 'http://localhost/';
const POLL_INTERVAL_MS = SECOND_MS / 4;
/** Far longer than the sandbox takes. */
const EVENT_DEADLINE_MS = 30 * SECOND_MS;

export const trigger: Command = {
  summary: 'causes an event in the sandbox',
  usage: USAGE,
  actions: TYPES,
  async run(args, terminal) {
    const { type, application, isJson } = readArguments(args);
    const { paymentMethod, andThen }: Recipe = RECIPES[type];
    const paymentId = await withPublicApi(terminal, application, async (api) => {
      const { id } = await api.create({
        amount: AMOUNT,
        currency: CURRENCY,
        purpose: `Triggered ${type}`,
        payment_method: paymentMethod,
        return_url: RETURN_URL,
      });
      await andThen?.(api, id);
      return id;
    });
    terminal.printError(`Created ${paymentId}. Waiting for ${type}.`);

    const { api } = await requireLogin(terminal);
    const deadlineMs = performance.now() + EVENT_DEADLINE_MS;
    while (performance.now() < deadlineMs) {
      const { data } = await api.call(ADMIN_ROUTES.listEvents, { payment_id: paymentId, type });
      const [event] = data;
      if (event) {
        terminal.print(isJson ? JSON.stringify(event, null, 2) : `${event.id}  ${event.type}  ${paymentId}`);
        return EXIT_OK;
      }
      await wait(POLL_INTERVAL_MS);
    }
    terminal.printError(
      `There was no ${type} within ${EVENT_DEADLINE_MS / SECOND_MS} s. Run tollgate payments get ${paymentId}.`,
    );
    return EXIT_NO;
  },
};

function readArguments(args: string[]) {
  const options = { application: { type: 'string' }, json: { type: 'boolean', default: false } } as const;
  const { values, positionals } = parseOptions(args, options, USAGE);
  const [type = '', ...others] = positionals;
  if (!isTriggerable(type) || others.length > 0) throw new UsageError(`Pass one event type.\n\n${USAGE}`);
  return { type, application: values.application, isJson: values.json };
}

const isTriggerable = (type: string): type is keyof typeof RECIPES => Object.hasOwn(RECIPES, type);
