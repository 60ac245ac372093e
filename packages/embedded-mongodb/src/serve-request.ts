import { type Document, encode, Long } from './bson/document.ts';
import { mongoError } from './bson/mongo-error.ts';
import type { ServerContext } from './commands/command.ts';
import { isRead } from './commands/reads.ts';
import { asMongoError, errorReply } from './commands/replies.ts';
import { runCommand } from './commands/run-command.ts';
import { type ComputationLimit, STEPS_PER_MS, withComputationLimit } from './computation-limit.ts';
import type { Reader } from './reading/reader.ts';
import type { ReaderPool } from './reading/reader-pool.ts';
import { LongRead } from './storage/read-budget.ts';
import type { Respond } from './wire/connection.ts';
import type { ConnectionState } from './wire/connection-state.ts';
import type { Reply } from './wire/reply.ts';
import type { WireRequest } from './wire/request.ts';

/** Writes run on one thread, one after the other: plain ones may take their time, expressions may not. */
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
 * Runs requests and replies to them. What is read within milliseconds is read here; a longer read is started again on
 * a thread of its own, so that it never holds up the writers. Every reply leaves after what it saw is on disk.
 */
export function createRequestHandler(context: ServerContext, pool: ReaderPool) {
  const { store } = context;

  /** Resolves when the next request of the connection may be looked at; undefined: at once. */
  return function handle(
    request: WireRequest,
    connection: ConnectionState,
    respond: Respond,
  ): Promise<void> | undefined {
    const isAllowed = context.authenticator === undefined || connection.user !== undefined;
    if (request.undecoded !== undefined && isAllowed)
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

  function runElsewhere(
    body: Document,
    bytes: Uint8Array,
    connection: ConnectionState,
    respond: Respond,
  ): Promise<void> {
    return new Promise((done) => {
      // A thread sees what is committed: whatever this client has written before comes first.
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
