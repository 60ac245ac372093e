import { WRITING_STAGES } from './aggregation/pipeline.ts';
import { type Document, encode, Long } from './bson/document.ts';
import type { ServerContext } from './commands/command.ts';
import { asMongoError, errorReply } from './commands/replies.ts';
import { runCommand } from './commands/run-command.ts';
import type { ReaderPool } from './reading/reader-pool.ts';
import { LongRead } from './storage/read-budget.ts';
import type { Respond } from './wire/connection.ts';
import type { ConnectionState } from './wire/connection-state.ts';
import type { Reply } from './wire/reply.ts';
import type { WireRequest } from './wire/request.ts';

/** Commands that change nothing and may read much. */
const READS = new Set([
  'find',
  'aggregate',
  'count',
  'distinct',
  'explain',
  'validate',
  'collStats',
  'collstats',
  'dbStats',
  'dbstats',
]);

/**
 * Runs requests and answers them. What is read within milliseconds is read here; a longer read is started again on
 * a thread of its own, so that it never holds up the writers. Every answer leaves after what it saw is on disk.
 */
export function createRequestHandler(context: ServerContext, pool: ReaderPool) {
  const { store } = context;

  /** Resolves when the next request of the connection may be looked at; undefined: at once. */
  return function handle(
    request: WireRequest,
    connection: ConnectionState,
    respond: Respond,
  ): Promise<void> | undefined {
    const run = () => runCommand(request, connection, context);
    let reply: Reply;
    try {
      reply = isRead(request.body) ? store.budget.within(run) : run();
    } catch (error) {
      if (error instanceof LongRead) return runElsewhere(request, connection, respond);
      throw error;
    }
    store.whenDurable(
      (failure) => respond(failure === undefined ? reply : errorReply(asMongoError(failure))),
      connection,
    );
  };

  function runElsewhere(request: WireRequest, connection: ConnectionState, respond: Respond): Promise<void> {
    return new Promise((done) => {
      // A thread sees what is committed: whatever this client has written before comes first.
      store.whenDurable(async (failure) => {
        respond(
          await (failure === undefined ? readElsewhere(request.body) : Promise.reject(failure)).catch(
            (error: unknown) => errorReply(asMongoError(error)),
          ),
        );
        done();
      }, connection);
    });
  }

  async function readElsewhere(body: Document): Promise<Reply> {
    const cursor = body.get('getMore');
    const holder = cursor instanceof Long ? pool.holderOf(cursor.toString()) : undefined;
    return { encoded: await (holder ?? pool.reader()).run(encode(body)) };
  }
}

function isRead(body: Document): boolean {
  const name = body.keys().next().value;
  if (name === undefined || !READS.has(name)) return false;
  const pipeline = body.get('pipeline');
  const last = Array.isArray(pipeline) ? pipeline.at(-1) : undefined;
  return !(last instanceof Map && [...last.keys()].some((stage) => WRITING_STAGES.has(stage)));
}
