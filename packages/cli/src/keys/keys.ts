import { randomUUID } from 'node:crypto';
import { ADMIN_ROUTES } from '@tollgate/contracts/admin-api/routes';
import type { ApiKey, CreatedApiKey } from '@tollgate/contracts/applications/application';
import { SCOPE_NAMES } from '@tollgate/contracts/applications/scopes';
import { findApplicationId } from '../api/find-application.ts';
import { requireLogin } from '../api/require-login.ts';
import { type Command, EXIT_OK, type Terminal, UsageError } from '../command.ts';
import { parseArguments } from '../parse-options.ts';
import { printResult } from '../print-result.ts';
import { readAction, readOneOf } from '../read-arguments.ts';
import { visible } from '../visible.ts';

const USAGE = `Usage: tollgate keys <create|rotate|revoke> [<key id>] [options]

Manages API keys. A new key is printed once, and cannot be shown again.

  create            creates a key of an application
  rotate <key id>   creates a successor with the same scopes and limits; the old key works for the overlap
  revoke <key id>   ends a key at once

  --application <id>   application of the new key; not needed if the team has only one
  --name <name>        name of the new key; by default "Created by tollgate"
  --live               a live key, instead of one for the sandbox
  --scope <scope>      limits the new key to this scope; repeatable
  --overlap <seconds>  how long the rotated key still works; by default 86400
  --reason <text>      why the key is revoked; goes into the audit log
  --json               prints the key as JSON

Scopes: ${SCOPE_NAMES.join(', ')}.

Exit code: 0 done, 1 rejected by the API, 2 failed.`;

const DEFAULT_OVERLAP_S = 86_400;
/** The actions, with what identifies the key. */
const ACTIONS = { create: null, rotate: 'key id', revoke: 'key id' };

type Options = ReturnType<typeof readArguments>;

export const keys: Command = {
  summary: 'creates, rotates, and revokes API keys',
  usage: USAGE,
  actions: Object.keys(ACTIONS),
  async run(args, terminal) {
    const options = readArguments(args);
    await { create, rotate, revoke }[options.action](options, terminal);
    return EXIT_OK;
  },
};

async function create(options: Options, terminal: Terminal): Promise<void> {
  const { api } = await requireLogin(terminal);
  const key = await api.call(
    ADMIN_ROUTES.createKey,
    {
      application_id: await findApplicationId(api, options.application),
      name: options.name,
      environment: options.live ? 'live' : 'sandbox',
      scopes: options.scopes.length === 0 ? undefined : options.scopes,
    },
    { idempotencyKey: randomUUID() },
  );
  printNew(key, options, terminal);
}

async function rotate(options: Options, terminal: Terminal): Promise<void> {
  const { api } = await requireLogin(terminal);
  const key = await api.call(
    ADMIN_ROUTES.rotateKey,
    { key_id: options.keyId, overlap_s: options.overlapS },
    { idempotencyKey: randomUUID() },
  );
  printNew(key, options, terminal);
  terminal.printError(`${options.keyId} works for another ${options.overlapS} s.`);
}

async function revoke(options: Options, terminal: Terminal): Promise<void> {
  const { keyId, reason } = options;
  const { api } = await requireLogin(terminal);
  const key: ApiKey = await api.call(ADMIN_ROUTES.revokeKey, { key_id: keyId, reason });
  printResult(key, ({ id }) => `${id} is revoked.`, options, terminal);
}

/** The credential alone goes to standard output, so that a script can store it. */
function printNew(key: CreatedApiKey, { json }: Options, { print, printError }: Terminal): void {
  if (json) {
    print(JSON.stringify(key, null, 2));
    return;
  }
  printError(
    `${key.id} (${visible(key.name)}, ${key.environment}). Store the key now: it is not shown again.`,
  );
  print(key.secret ?? '');
}

function readArguments(args: string[]) {
  const { values, positionals } = parseArguments(args, {
    application: { type: 'string' },
    name: { type: 'string', default: 'Created by tollgate' },
    live: { type: 'boolean', default: false },
    scope: { type: 'string', multiple: true, default: [] },
    overlap: { type: 'string', default: String(DEFAULT_OVERLAP_S) },
    reason: { type: 'string' },
    json: { type: 'boolean', default: false },
  });
  const { action, id } = readAction(positionals, ACTIONS);
  return {
    ...values,
    action,
    keyId: id,
    scopes: values.scope.map((text) => readOneOf('--scope', SCOPE_NAMES, text)),
    overlapS: readSeconds(values.overlap),
  };
}

function readSeconds(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new UsageError('--overlap must be a number of seconds.');
  return Number(text);
}
