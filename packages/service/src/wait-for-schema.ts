import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { SECOND_MS } from '@tollgate/contracts/platform/durations';
import type { Logger } from '@tollgate/runtime/logger';
import { VERSION } from '@tollgate/runtime/metrics';
import type { DatabaseSchema } from '@tollgate/store/schema/database-schema';
import { prepareDatabase } from '@tollgate/store/schema/prepare-database';
import { type Connection, mongo } from 'mongoose';

const CHECK_INTERVAL_MS = 2 * SECOND_MS;

/**
 * Prepares the database of the service, and waits while an operator must act, for example run `tollgate migrate`: exiting would
 * restart the process until it is done, and hide the reason. Rejects for a schema that this release cannot read.
 */
export async function waitForSchema(options: {
  connection: Connection;
  schema: DatabaseSchema;
  maxDocuments: number;
  onWaiting(reasons: string[]): void;
  logger: Logger;
}): Promise<void> {
  const { connection, schema, maxDocuments, onWaiting, logger } = options;
  let known: string[] = [];
  for (;;) {
    const reasons = await prepare();
    if (reasons.length === 0) return;
    onWaiting(reasons);
    if (!isDeepStrictEqual(reasons, known))
      logger.warn({ reason: reasons.join('; ') }, 'waiting for the indexes of the database');
    known = reasons;
    await sleep(CHECK_INTERVAL_MS);
  }

  async function prepare(): Promise<string[]> {
    try {
      return await prepareDatabase(connection, schema, { maxDocuments, release: VERSION });
    } catch (error) {
      if (!(error instanceof mongo.MongoNetworkError || error instanceof mongo.MongoServerSelectionError))
        throw error;
      logger.warn({ err: error }, 'MongoDB is unreachable; retrying');
      return ['MongoDB is not connected'];
    }
  }
}
