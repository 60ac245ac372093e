import { setTimeout as wait } from 'node:timers/promises';
import type { AdminClient } from '@tollgate/admin-client/admin-client';
import { pagesOf } from '@tollgate/admin-client/pages';
import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import { MINUTE_MS, SECOND_MS } from '@tollgate/contracts/platform/durations';
import { MAX_PAGE_SIZE } from '@tollgate/contracts/platform/page';
import type { LoggedRequest } from '@tollgate/contracts/usage/logged-request';
import { requireLogin } from '../api/require-login.ts';
import { ArgumentError, type Command, EXIT_OK } from '../command.ts';
import { parseArguments } from '../parse-options.ts';

const USAGE = `Usage: tollgate requests tail [options]

Shows requests to the public API as they happen. A request appears about two seconds after its response.

  --status <status>     only this status, such as 404, or class, such as 4xx
  --application <id>    only requests of this application
  --live                requests of live
  --json                prints one JSON object for each request

Exit code: 0 interrupted, 1 rejected by the API, 2 failed.`;

const POLL_INTERVAL_MS = SECOND_MS;
/** Gateways report on their own, so a request can appear after newer ones. Those that are later than this are not shown. */
const LATENESS_MS = MINUTE_MS;

export const requests: Command = {
  summary: 'shows requests to the public API as they happen',
  usage: USAGE,
  actions: ['tail'],
  async run(args, terminal) {
    const { isJson, ...filter } = readArguments(args);
    const { api } = await requireLogin(terminal);
    const signal = terminal.untilInterrupted();
    terminal.printError(`Requests of ${filter.environment} appear here. Press Ctrl+C to stop.`);
    for await (const request of follow(api, filter, signal))
      terminal.print(isJson ? JSON.stringify(request) : lineOf(request));
    return EXIT_OK;
  },
};

type Filter = Omit<ReturnType<typeof readArguments>, 'isJson'>;

/** Requests that arrive from now on, each once, until the signal aborts. */
async function* follow(api: AdminClient, filter: Filter, signal: AbortSignal): AsyncGenerator<LoggedRequest> {
  const startedMs = Date.now();
  const seen = new Map<string, number>();
  while (!signal.aborted) {
    const fromMs = Math.max(startedMs, Date.now() - LATENESS_MS);
    for (const request of (await recent(api, filter, fromMs)).reverse()) {
      if (seen.has(request.id)) continue;
      seen.set(request.id, Date.parse(request.created_at));
      yield request;
    }
    for (const [id, arrivedMs] of seen) if (arrivedMs < fromMs) seen.delete(id);
    await wait(POLL_INTERVAL_MS, null, { signal }).catch(() => null);
  }
}

/** Newest first. */
async function recent(api: AdminClient, filter: Filter, fromMs: number): Promise<LoggedRequest[]> {
  const found: LoggedRequest[] = [];
  const request = { ...filter, created_from: new Date(fromMs).toISOString(), limit: MAX_PAGE_SIZE };
  for await (const { data } of pagesOf(api, ADMIN_ROUTES.listRequests, request)) found.push(...data);
  return found;
}

function lineOf(request: LoggedRequest): string {
  const { created_at, status, operation, duration_ms, payment_id, code, id } = request;
  const parts = [created_at.slice(11, 23), status ?? 'aborted', operation, `${Math.round(duration_ms)} ms`];
  if (code !== null) parts.push(code);
  if (payment_id !== null) parts.push(payment_id);
  return [...parts, id].join('  ');
}

function readArguments(args: string[]) {
  const { values, positionals } = parseArguments(args, {
    status: { type: 'string' },
    application: { type: 'string' },
    live: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
  });
  if (positionals.join(' ') !== 'tail') throw new ArgumentError('Pass tail.');
  return {
    environment: values.live ? ('live' as const) : ('sandbox' as const),
    status: values.status,
    application_id: values.application,
    isJson: values.json,
  };
}
