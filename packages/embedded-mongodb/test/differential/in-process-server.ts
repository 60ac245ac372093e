import { type BsonValue, type Document, decode, encode, Int32 } from '../../src/bson/document.ts';
import type { ServerContext } from '../../src/commands/command.ts';
import { runCommand } from '../../src/commands/run-command.ts';
import { type CursorBatch, createCursorRegistry } from '../../src/cursors.ts';
import { openStore } from '../../src/storage/store.ts';
import type { ConnectionState } from '../../src/wire/connection-state.ts';

/** The outcome of a command. */
export type Reply =
  | { kind: 'rejected'; codes: number[]; message: string }
  | { kind: 'documents'; documents: Document[] }
  | { kind: 'fields'; fields: Document };

/** Runs the server's commands on a separate store without a socket. */
export interface InProcessServer {
  run(command: Document): Reply;
  /** Commits the writes. */
  flush(): void;
  close(): void;
}

const DATABASE = 'differential';

export function openInProcessServer(path: string): InProcessServer {
  const store = openStore({ path, fsync: false });
  const cursors = createCursorRegistry();
  const context: ServerContext = {
    store,
    cursors,
    authenticator: undefined,
    startedAt: Date.now(),
    connections: { open: new Set(), totalCreated: 0 },
  };
  const connection: ConnectionState = {
    id: 1,
    remoteAddress: '127.0.0.1',
    user: undefined,
    conversation: undefined,
    operation: undefined,
  };
  const send = (command: Document): Document | CursorBatch => {
    // Encodes and decodes the command, so that the server and the reference share no values.
    const body = decode(encode(new Map([...command, ['$db', DATABASE]])));
    const request = {
      requestId: 1,
      body,
      sequences: new Map(),
      replyFormat: 'OP_MSG',
      wantsReply: true,
    } as const;
    return runCommand(request, connection, context);
  };
  return {
    run(command) {
      const documents: Uint8Array[] = [];
      let reply = send(command);
      for (; !(reply instanceof Map); reply = send(nextBatch(command, reply))) {
        documents.push(...reply.documents);
        if (reply.cursorId.isZero()) return { kind: 'documents', documents: documents.map(decode) };
      }
      return replyOf(reply);
    },
    flush: () => store.flush(),
    close() {
      cursors.close();
      store.close();
    },
  };
}

function nextBatch(command: Document, { cursorId }: CursorBatch): Document {
  const collection = [...command.values()][0] as BsonValue;
  return new Map<string, BsonValue>([
    ['getMore', cursorId],
    ['collection', collection],
    ['batchSize', new Int32(2)],
  ]);
}

function replyOf(reply: Document): Reply {
  const errors =
    Number(reply.get('ok')) === 1 ? ((reply.get('writeErrors') as BsonValue[] | undefined) ?? []) : [reply];
  if (errors.length === 0) return { kind: 'fields', fields: reply };
  const codes = errors.map((error) => Number((error as Document).get('code')));
  return { kind: 'rejected', codes, message: String((errors[0] as Document).get('errmsg')) };
}
