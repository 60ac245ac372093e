import { MECHANISM } from '../auth/authenticator.ts';
import { Binary, type BsonValue, type Document, int32 } from '../bson/document.ts';
import { MongoError, mongoError } from '../bson/mongo-error.ts';
import type { Command, CommandRequest, ServerContext } from './command.ts';
import { ok } from './replies.ts';

export const CONVERSATION_ID = 1;

export const saslStart: Command = {
  name: 'saslStart',
  beforeAuthentication: true,
  run(request, server) {
    return ok(Object.fromEntries(startConversation(request.body, request.databaseName, request, server)));
  },
};

/** Starts SCRAM from a `saslStart` command or the `speculativeAuthenticate` of `hello`. */
export function startConversation(
  start: Document,
  databaseName: string,
  { connection }: Pick<CommandRequest, 'connection'>,
  { authenticator }: Pick<ServerContext, 'authenticator'>,
): Document {
  const mechanism = start.get('mechanism');
  if (mechanism !== MECHANISM) {
    throw new MongoError(
      334,
      'MechanismUnavailable',
      `Received authentication for mechanism ${String(mechanism)} which is not enabled`,
    );
  }
  if (authenticator === undefined) throw mongoError('AuthenticationFailed', 'Authentication failed.');
  const conversation = authenticator.begin(readPayload(start), databaseName);
  const options = start.get('options');
  connection.conversation = {
    scram: conversation,
    databaseName,
    skipEmptyExchange: options instanceof Map && options.get('skipEmptyExchange') === true,
    isProven: false,
  };
  return new Map<string, BsonValue>([
    ['conversationId', int32(CONVERSATION_ID)],
    ['done', false],
    ['payload', new Binary(Buffer.from(conversation.serverFirst))],
  ]);
}

export function readPayload(document: Document): string {
  const payload = document.get('payload');
  if (payload instanceof Binary)
    return Buffer.from(payload.buffer.subarray(0, payload.position)).toString('utf8');
  if (typeof payload === 'string') return payload;
  throw mongoError('TypeMismatch', "BSON field 'payload' must be binary data");
}
