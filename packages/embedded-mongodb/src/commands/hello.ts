import { MECHANISM } from '../auth/authenticator.ts';
import { type BsonValue, int32 } from '../bson/document.ts';
import { MongoError } from '../bson/mongo-error.ts';
import {
  MAX_BSON_OBJECT_BYTES,
  MAX_MESSAGE_BYTES,
  MAX_WIRE_VERSION,
  MAX_WRITE_BATCH_SIZE,
} from '../wire/limits.ts';
import type { Command, CommandRequest, ServerContext } from './command.ts';
import { ok } from './replies.ts';
import { startConversation } from './sasl-start.ts';

const SESSION_TIMEOUT_MINUTES = 30;

/** Describes a standalone server. `isMaster` returns the same with the legacy field name. */
export const hello: Command = {
  name: 'hello',
  aliases: ['isMaster', 'ismaster'],
  beforeAuthentication: true,
  run(request, server) {
    request.connection.appName ??= appNameOf(request);
    const writableField = request.name === 'hello' ? 'isWritablePrimary' : 'ismaster';
    const fields: Record<string, BsonValue> = {
      helloOk: true,
      [writableField]: true,
      maxBsonObjectSize: int32(MAX_BSON_OBJECT_BYTES),
      maxMessageSizeBytes: int32(MAX_MESSAGE_BYTES),
      maxWriteBatchSize: int32(MAX_WRITE_BATCH_SIZE),
      localTime: new Date(),
      logicalSessionTimeoutMinutes: int32(SESSION_TIMEOUT_MINUTES),
      connectionId: int32(request.connection.id),
      minWireVersion: int32(0),
      maxWireVersion: int32(MAX_WIRE_VERSION),
      readOnly: false,
    };
    return ok({ ...fields, ...mechanismsOf(request, server), ...speculativeReply(request, server) });
  },
};

/** Drivers describe themselves in the first command of a connection: `client: { application: { name: … } }`. */
function appNameOf({ body }: CommandRequest): string | undefined {
  const client = body.get('client');
  const application = client instanceof Map ? client.get('application') : undefined;
  const name = application instanceof Map ? application.get('name') : undefined;
  return typeof name === 'string' ? name : undefined;
}

/** `saslSupportedMechs: "admin.name"` asks which mechanisms that user can use. */
function mechanismsOf({ body }: CommandRequest, { authenticator }: ServerContext): Record<string, BsonValue> {
  const asked = body.get('saslSupportedMechs');
  if (typeof asked !== 'string' || authenticator === undefined) return {};
  const dot = asked.indexOf('.');
  if (authenticator.find(asked.slice(dot + 1), asked.slice(0, dot)) === undefined) return {};
  return { saslSupportedMechs: [MECHANISM] };
}

/** A saslStart inside `hello` saves a round trip. As in mongod, a failure is ignored. */
function speculativeReply(request: CommandRequest, server: ServerContext): Record<string, BsonValue> {
  const start = request.body.get('speculativeAuthenticate');
  if (!(start instanceof Map)) return {};
  const databaseName = start.get('db');
  try {
    return {
      speculativeAuthenticate: startConversation(
        start,
        typeof databaseName === 'string' ? databaseName : request.databaseName,
        request,
        server,
      ),
    };
  } catch (error) {
    if (error instanceof MongoError) return {};
    throw error;
  }
}
