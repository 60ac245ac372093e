import { isAuthorized } from '../auth/authorization.ts';
import type { Document } from '../bson/document.ts';
import { MongoError, mongoError } from '../bson/mongo-error.ts';
import { withTimeLimit } from '../computation-limit.ts';
import type { CursorBatch } from '../cursors.ts';
import { LongRead } from '../storage/read-budget.ts';
import type { ConnectionState } from '../wire/connection-state.ts';
import type { WireRequest } from '../wire/request.ts';
import type { Command, CommandRequest, ServerContext } from './command.ts';
import { readCount } from './fields.ts';
import { checkOptions } from './generic-fields.ts';
import { assertAddressable } from './namespace.ts';
import { commands } from './registry.ts';
import { asMongoError, errorReply } from './replies.ts';

/**
 * Finds the command of a request and runs it. Every failure becomes an error reply.
 * @throws LongRead if the command must run on another thread
 */
export function runCommand(
  wireRequest: WireRequest,
  connection: ConnectionState,
  server: ServerContext,
): Document | CursorBatch {
  try {
    const { request, command } = authorizedCommand(wireRequest, connection, server);
    checkOptions(command, request);
    const maxTimeMs = readCount(request, 'maxTimeMS') || Number.POSITIVE_INFINITY;
    return withTimeLimit(maxTimeMs, () => command.run(request, server));
  } catch (error) {
    if (error instanceof LongRead) throw error;
    return errorReply(asMongoError(error));
  }
}

/**
 * Returns the command of a request that this connection may run. Of an undecoded request, it needs only the outline.
 * @throws Unauthorized
 */
export function authorizedCommand(
  wireRequest: WireRequest,
  connection: ConnectionState,
  server: ServerContext,
): { request: CommandRequest; command: Command } {
  const request = asCommandRequest(wireRequest, connection);
  const command = findCommand(request, wireRequest);
  assertAllowed(command, request, server);
  return { request, command };
}

function asCommandRequest({ body, sequences }: WireRequest, connection: ConnectionState): CommandRequest {
  const name = body.keys().next().value;
  if (name === undefined) throw mongoError('CommandNotFound', "no such command: ''");
  const databaseName = body.get('$db');
  if (typeof databaseName !== 'string') throw mongoError(40571, 'OP_MSG requests require a $db argument');
  assertAddressable(databaseName);
  return { name, databaseName, body, sequences, connection };
}

function findCommand({ name }: CommandRequest, { replyFormat }: WireRequest): Command {
  const command = commands.get(name);
  if (replyFormat === 'OP_REPLY' && command?.name !== 'hello') {
    throw new MongoError(
      352,
      'UnsupportedOpQueryCommand',
      `Unsupported OP_QUERY command: ${name}. The client driver may require an upgrade.`,
    );
  }
  if (command === undefined) throw mongoError('CommandNotFound', `no such command: '${name}'`);
  return command;
}

function assertAllowed(
  command: Command,
  { name, databaseName, connection: { user } }: CommandRequest,
  server: ServerContext,
): void {
  if (server.authenticator === undefined || command.beforeAuthentication) return;
  if (user === undefined) throw mongoError('Unauthorized', `Command ${name} requires authentication`);
  if (isAuthorized(user, { command: command.name, databaseName })) return;
  throw mongoError('Unauthorized', `not authorized on ${databaseName} to execute command ${name}`);
}
