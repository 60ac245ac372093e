import { setTimeout as wait } from 'node:timers/promises';
import { SECOND_MS } from '@tollgate/contracts/platform/durations';
import { ID_PATTERNS } from '@tollgate/contracts/platform/ids';
import type { WebhookEvent } from '@tollgate/contracts/webhooks/webhook';
import { parseSecrets, type SigningSecrets } from '@tollgate/processor-adapter/contract/signature';
import { requireLogin } from '../api/require-login.ts';
import { type Command, EXIT_OK, type Terminal, UsageError } from '../command.ts';
import { parseOptions } from '../parse-options.ts';
import { readEventTypes } from '../webhooks/read-event-types.ts';
import { type Forwarded, forwardEvent } from './forward-event.ts';
import { readFeed } from './read-feed.ts';

const USAGE = `Usage: tollgate listen [options]

Shows webhook events of the sandbox as they happen, and forwards each to a URL of yours, signed like a webhook. Needs no
webhook endpoint. Events are forwarded one after the other, and wait while your server is down.

  --forward-to <url>      address that receives the events, such as localhost:4000/webhooks
  --events <type,...>     only these types
  --application <id>      only events of this application
  --from <event id>       starts after this event, also if it happened before
  --live                  events of live
  --print-secret          prints the secret that verifies the signatures, and exits
  --json                  prints one JSON object for each event

Exit code: 0 interrupted, 1 rejected by the API, 2 failed.`;

const RECEIVER_RETRY_MS = SECOND_MS;

export const listen: Command = {
  summary: 'forwards webhook events to your machine',
  usage: USAGE,
  async run(args, terminal) {
    const options = readArguments(args);
    const { credentials, api } = await requireLogin(terminal);
    if (options.printsSecret) {
      terminal.print(credentials.webhook_secret);
      return EXIT_OK;
    }
    const signal = terminal.untilInterrupted();
    const secrets = parseSecrets(credentials.webhook_secret);
    let last = options.from;
    const events = readFeed(api, {
      ...options,
      signal,
      onConnected: () =>
        terminal.printError(`Ready. Events of ${options.environment} appear here. Press Ctrl+C to stop.`),
      onDisconnected: ({ message }) => terminal.printError(`${message} Retrying.`),
    });
    if (options.url) announce(options.url, credentials.webhook_secret, terminal);
    for await (const event of events) {
      if (isWanted(event, options.types)) await handle(event, { ...options, secrets, signal }, terminal);
      if (signal.aborted) break;
      last = event.id;
    }
    if (last !== undefined) terminal.printError(`To continue later: tollgate listen --from ${last}`);
    return EXIT_OK;
  },
};

function announce(url: URL, secret: string, { printError }: Terminal): void {
  printError(`Forwarding to ${url.href}`);
  printError(`Signing secret: ${secret}`);
}

const isWanted = ({ type, body }: WebhookEvent, types: readonly string[]) =>
  body !== undefined && (types.length === 0 || types.includes(type));

interface Target {
  url: URL | null;
  isJson: boolean;
  secrets: SigningSecrets;
  signal: AbortSignal;
}

async function handle(event: WebhookEvent, target: Target, { print, printError }: Terminal): Promise<void> {
  const { url, isJson, secrets, signal } = target;
  const forwarded = url && (await forwardUntilReached(url, secrets, event, { signal, printError }));
  if (signal.aborted) return;
  const { body, ...summary } = event;
  print(
    isJson
      ? JSON.stringify({ ...summary, event: JSON.parse(body as string), forwarded })
      : lineOf(event, forwarded),
  );
}

/** A server that is restarting loses nothing. */
async function forwardUntilReached(
  url: URL,
  secrets: SigningSecrets,
  event: WebhookEvent,
  { signal, printError }: { signal: AbortSignal; printError(line: string): void },
): Promise<Forwarded> {
  for (let attempt = 1; ; attempt += 1) {
    const forwarded = await forwardEvent(url, secrets, event, signal);
    if (forwarded.status !== 'unreachable' || signal.aborted) return forwarded;
    if (attempt === 1)
      printError(`${url.host} does not respond: ${forwarded.reason}. ${event.id} and later events wait.`);
    await wait(RECEIVER_RETRY_MS, null, { signal }).catch(() => null);
  }
}

function lineOf({ id, type, payment_id, occurred_at }: WebhookEvent, forwarded: Forwarded | null): string {
  const parts = [occurred_at.slice(11, 19), type, payment_id, id];
  if (forwarded && forwarded.status !== 'unreachable')
    parts.push(`${forwarded.status} in ${forwarded.durationMs} ms`);
  return parts.join('  ');
}

function readArguments(args: string[]) {
  const values = parseOptions(args, {
    'forward-to': { type: 'string' },
    events: { type: 'string', default: '' },
    application: { type: 'string' },
    from: { type: 'string' },
    live: { type: 'boolean', default: false },
    'print-secret': { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
  });
  const { from, live, 'forward-to': address } = values;
  if (from !== undefined && !ID_PATTERNS.event.test(from))
    throw new UsageError('--from must be the id of an event, such as evt_01kf0fj8n8e2xv6m5t4r3q2p1n.');
  return {
    url: address === undefined ? null : readUrl(address),
    types: readEventTypes(values.events),
    applicationId: values.application,
    from,
    environment: live ? ('live' as const) : ('sandbox' as const),
    printsSecret: values['print-secret'],
    isJson: values.json,
  };
}

function readUrl(text: string): URL {
  const address = /^https?:\/\//.test(text) ? text : `http://${text}`;
  if (URL.canParse(address)) return new URL(address);
  throw new UsageError('--forward-to must be a URL, such as http://localhost:4000/webhooks.');
}
