import { Binary, int32 } from '../bson/document.ts';
import { mongoError } from '../bson/mongo-error.ts';
import type { Command } from './command.ts';
import { numberOf } from './fields.ts';
import { ok } from './replies.ts';
import { CONVERSATION_ID, readPayload } from './sasl-start.ts';

export const saslContinue: Command = {
  name: 'saslContinue',
  beforeAuthentication: true,
  run({ body, connection }) {
    const { conversation } = connection;
    if (conversation === undefined || numberOf(body.get('conversationId')) !== CONVERSATION_ID) {
      throw mongoError('ProtocolError', 'No SASL session state found');
    }
    if (conversation.isProven) {
      // The empty exchange of clients that do not skip it: only now are they authenticated.
      connection.conversation = undefined;
      connection.user = { name: conversation.scram.userName, databaseName: conversation.databaseName };
      return answer('', true);
    }
    // Whatever comes of it, a proof is tried once.
    connection.conversation = undefined;
    const serverFinal = conversation.scram.finish(readPayload(body));
    if (conversation.skipEmptyExchange) {
      connection.user = { name: conversation.scram.userName, databaseName: conversation.databaseName };
      return answer(serverFinal, true);
    }
    connection.conversation = { ...conversation, isProven: true };
    return answer(serverFinal, false);
  },
};

function answer(payload: string, isDone: boolean) {
  return ok({
    conversationId: int32(CONVERSATION_ID),
    done: isDone,
    payload: new Binary(Buffer.from(payload)),
  });
}
