import { platform, setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { decode, Long } from '../bson/document.ts';
import { mongoError } from '../bson/mongo-error.ts';
import type { ServerContext } from '../commands/command.ts';
import { asMongoError, errorReply } from '../commands/replies.ts';
import { runCommand } from '../commands/run-command.ts';
import { type ComputationLimit, STEPS_PER_MS, withComputationLimit } from '../computation-limit.ts';
import { createCursorRegistry } from '../cursors.ts';
import { openSnapshotStore } from '../storage/snapshot-store.ts';
import { type ConnectionState, noConnections } from '../wire/connection-state.ts';
import { encodeReply, type Reply } from '../wire/reply.ts';
import type { WireRequest } from '../wire/request.ts';
import { type FromReader, isCancelled, type ReaderData, type RunRead, type ToReader } from './messages.ts';

const READER_NICENESS = 5;
/** Half a minute of expressions, in addition to the allowance per record. All long reads share three threads. */
const MAX_STEPS = 30_000 * STEPS_PER_MS;

/*
 * A thread that runs reads with the server's commands over snapshots of the data file, and keeps the cursors that they
 * open. The main thread has authorized the reads.
 */

// Linux applies niceness per thread. If cores are scarce, reads yield to the writing thread.
if (platform() === 'linux') setPriority(READER_NICENESS);

const send = (message: FromReader, handOver: ArrayBuffer[] = []) =>
  parentPort?.postMessage(message, handOver);
const { path, cancelled } = workerData as ReaderData;
const store = openSnapshotStore(path);
const cursors = createCursorRegistry({
  onOpened: (id) => send({ kind: 'cursorOpened', cursor: id.toString() }),
  onClosed: (id) => send({ kind: 'cursorClosed', cursor: id.toString() }),
});
const context: ServerContext = {
  store,
  cursors,
  authenticator: undefined,
  startedAt: Date.now(),
  connections: noConnections(),
};
const connection: ConnectionState = {
  id: 0,
  remoteAddress: '',
  user: undefined,
  conversation: undefined,
  operation: undefined,
};

parentPort?.on('message', (message: ToReader) => {
  if (message.kind === 'run') run(message);
  else cursors.kill(Long.fromString(message.cursor));
});

function run({ number, body }: RunRead): void {
  // A copy in its own buffer, which can be transferred.
  const bytes = new Uint8Array(encodeReply(replyTo(body, number), 0));
  send({ kind: 'reply', number, reply: bytes }, [bytes.buffer]);
}

function replyTo(body: Uint8Array, number: number): Reply {
  try {
    const request: WireRequest = {
      requestId: 0,
      body: decode(body),
      sequences: new Map(),
      replyFormat: 'OP_MSG',
      wantsReply: true,
    };
    const limit: ComputationLimit = {
      maxSteps: MAX_STEPS,
      growsWithRecords: true,
      exceeded: endComputation,
      isCancelled: () => isCancelled(cancelled, number),
    };
    return withComputationLimit(limit, () => store.within(() => runCommand(request, connection, context)));
  } catch (error) {
    // The body is malformed or the snapshot cannot be opened. runCommand turns all other errors into replies.
    return errorReply(asMongoError(error));
  }
}

function endComputation(): never {
  throw mongoError(
    'OperationFailed',
    'The read was stopped because it computes too much. Filter by an indexed field, reduce the documents in an earlier stage of the pipeline, or simplify the expressions.',
  );
}
