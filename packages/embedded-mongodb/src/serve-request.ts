import { type Document, encode, Long } from './bson/document.ts';
import { mongoError } from './bson/mongo-error.ts';
import type { ServerContext } from './commands/command.ts';
import { isRead } from './commands/reads.ts';
import { asMongoError, errorReply } from './commands/replies.ts';
import { authorizedCommand, runCommand } from './commands/run-command.ts';
import { type ComputationLimit, STEPS_PER_MS, withComputationLimit } from './computation-limit.ts';
import type { Reader } from './reading/reader.ts';
import type { ReaderPool } from './reading/reader-pool.ts';
import { LongRead } from './storage/read-budget.ts';
import type { Respond } from './wire/connection.ts';
import type { ConnectionState } from './wire/connection-state.ts';
import type { Reply } from './wire/reply.ts';
import type { WireRequest } from './wire/request.ts';

/** All writes run on one thread. Their expressions are limited, but writing records is not. */
const WRITE_LIMIT: ComputationLimit = {
  maxSteps: 10 * STEPS_PER_MS,
  growsWithRecords: true,
  exceeded() {
    throw mongoError(
      'OperationFailed',
      'The operation was stopped because it computes too much for a write: other clients wait until a write has ended. Documents that it changed before stay changed. Filter by an indexed field, simplify the expressions, or split the operation.',
    );
  },
};

/**
 * Runs requests and replies to them. A read that exceeds a few milliseconds restarts on another thread, so that it never
 * blocks writes. The server sends a reply only after the data that it depends on is on disk.
 */
export function createRequestHandler(context: ServerContext, pool: ReaderPool) {
  const { store } = context;

  /** Resolves when the connection may process its next request. If undefined, it may do so immediately. */
  return function handle(
    request: WireRequest,
    connection: ConnectionState,
    respond: Respond,
  ): Promise<void> | undefined {
    if (request.undecoded !== undefined && mayRun(request, connection))
      return runElsewhere(request.body, new Uint8Array(request.undecoded), connection, respond);
    const run = () => runCommand(request, connection, context);
    let reply: Reply;
    try {
      reply = isRead(request.body) ? store.budget.within(run) : withComputationLimit(WRITE_LIMIT, run);
    } catch (error) {
      if (!(error instanceof LongRead)) throw error;
      return runElsewhere(request.body, encode(request.body), connection, respond);
    }
    store.whenDurable(
      (failure) => respond(failure === undefined ? reply : errorReply(asMongoError(failure))),
      connection,
    );
  };

  /** Whether another thread may run the undecoded request, without a check of its own. If not, `runCommand` says why. */
  function mayRun(request: WireRequest, connection: ConnectionState): boolean {
    try {
      authorizedCommand(request, connection, context);
      return true;
    } catch {
      return false;
    }
  }

  function runElsewhere(
    body: Document,
    bytes: Uint8Array,
    connection: ConnectionState,
    respond: Respond,
  ): Promise<void> {
    return new Promise((done) => {
      // Another thread sees only committed data, so this client's earlier writes must be committed first.
      store.whenDurable(async (failure) => {
        const reading =
          failure === undefined ? readerFor(body).run(bytes, connection.closed) : Promise.reject(failure);
        respond(
          await reading.then(
            (encoded) => ({ encoded }),
            (error: unknown) => errorReply(asMongoError(error)),
          ),
        );
        done();
      }, connection);
    });
  }

  function readerFor(body: Document): Reader {
    const cursor = body.get('getMore');
    const holder = cursor instanceof Long ? pool.holderOf(cursor.toString()) : undefined;
    return holder ?? pool.reader();
  }
}
