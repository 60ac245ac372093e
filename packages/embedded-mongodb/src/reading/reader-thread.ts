import { platform, setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { decode, Long } from '../bson/document.ts';
import type { ServerContext } from '../commands/command.ts';
import { asMongoError, errorReply } from '../commands/replies.ts';
import { runCommand } from '../commands/run-command.ts';
import { createCursorRegistry } from '../cursors.ts';
import { createSessionRegistry } from '../sessions.ts';
import { openSnapshotStore } from '../storage/snapshot-store.ts';
import type { ConnectionState } from '../wire/connection-state.ts';
import { encodeReply, type Reply } from '../wire/reply.ts';
import type { WireRequest } from '../wire/request.ts';
import type { FromReader, RunRead, ToReader } from './messages.ts';

const READER_NICENESS = 5;

/*
 * A thread that runs reads with the server's own commands, over snapshots of the data file, and keeps the cursors
 * that they open. Who may run them has been checked before they come here.
 */

// Linux counts niceness by thread: where cores are scarce, reads give way to the thread that writes.
if (platform() === 'linux') setPriority(READER_NICENESS);

const tell = (message: FromReader, handOver: ArrayBuffer[] = []) =>
  parentPort?.postMessage(message, handOver);
const store = openSnapshotStore((workerData as { path: string }).path);
const cursors = createCursorRegistry({
  onOpened: (id) => tell({ kind: 'cursorOpened', cursor: id.toString() }),
  onClosed: (id) => tell({ kind: 'cursorClosed', cursor: id.toString() }),
});
const context: ServerContext = {
  store,
  cursors,
  authenticator: undefined,
  startedAt: Date.now(),
  sessions: createSessionRegistry(),
};
const connection: ConnectionState = { id: 0, remoteAddress: '', user: undefined, conversation: undefined };

parentPort?.on('message', (message: ToReader) => {
  if (message.kind === 'run') run(message);
  else cursors.kill(Long.fromString(message.cursor));
});

function run({ number, body }: RunRead): void {
  const bytes = joined(encodeReply(answer(body)));
  tell({ kind: 'reply', number, reply: bytes }, [bytes.buffer]);
}

function answer(body: Uint8Array): Reply {
  const request: WireRequest = {
    requestId: 0,
    body: decode(body),
    sequences: new Map(),
    replyFormat: 'OP_MSG',
    wantsReply: true,
  };
  try {
    return store.within(() => runCommand(request, connection, context));
  } catch (error) {
    // The snapshot could not be opened: runCommand itself answers what it meets.
    return errorReply(asMongoError(error));
  }
}

/** In memory of its own, which can be handed over instead of copied. */
function joined(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
