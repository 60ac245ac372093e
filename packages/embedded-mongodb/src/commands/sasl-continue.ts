import { Binary, int32 } from '../bson/document.ts';
import { mongoError } from '../bson/mongo-error.ts';
import type { Command } from './command.ts';
import { numberOf } from './fields.ts';
import { ok } from './replies.ts';
import { CONVERSATION_ID, readPayload } from './sasl-start.ts';

export const saslContinue: Command = {
  name: 'saslContinue',
  beforeAuthentication: true,
  run({ body, connection }, { authenticator }) {
    const { conversation } = connection;
    if (conversation === undefined || numberOf(body.get('conversationId')) !== CONVERSATION_ID) {
      throw mongoError('ProtocolError', 'No SASL session state found');
    }
    // A conversation allows one attempt.
    connection.conversation = undefined;
    const { scram, databaseName, isProven, skipEmptyExchange } = conversation;
    const payload = isProven ? '' : scram.finish(readPayload(body));
    const isDone = isProven || skipEmptyExchange;
    if (isDone) {
      const name = scram.userName;
      connection.user = {
        name,
        databaseName,
        onlyDatabase: authenticator?.find(name, databaseName)?.onlyDatabase,
      };
    } else {
      connection.conversation = { ...conversation, isProven: true };
    }
    return ok({
      conversationId: int32(CONVERSATION_ID),
      done: isDone,
      payload: new Binary(Buffer.from(payload)),
    });
  },
};
