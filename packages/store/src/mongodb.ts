import type { Logger } from '@tollgate/runtime/logger';
import mongoose, { type Connection } from 'mongoose';

/** A longer wait is useless: the gateway times out after 25 s. */
const OPERATION_TIMEOUT_MS = 20_000;
const SERVER_SELECTION_TIMEOUT_MS = 5_000;
/** Of a server that takes the connection and says nothing; the driver's own 30 s are longer than anybody waits. */
const CONNECT_TIMEOUT_MS = 5_000;
/** Without it, operations queue without a limit behind a server that hangs, and run after their callers have disconnected. */
const CONNECTION_WAIT_TIMEOUT_MS = 10_000;

/**
 * Connects and keeps reconnecting. Every write is acknowledged by a majority with its journal on disk; an acknowledged
 * payment is never rolled back by a failover. Neither this nor the database's name can be changed by the URL.
 */
export async function connectMongoDB(options: {
  url: string;
  database: string;
  appName: string;
  logger: Logger;
}): Promise<Connection> {
  const { url, database, appName, logger } = options;
  const connection = mongoose.createConnection(url, {
    dbName: database,
    appName,
    // By their flat names, which win over the same in the URL; a nested `readConcern` loses to it.
    w: 'majority',
    journal: true,
    readConcernLevel: 'majority',
    // A secondary lags behind: a retry that reads there does not find the payment it lost to.
    readPreference: 'primary',
    serverSelectionTimeoutMS: SERVER_SELECTION_TIMEOUT_MS,
    connectTimeoutMS: CONNECT_TIMEOUT_MS,
    waitQueueTimeoutMS: CONNECTION_WAIT_TIMEOUT_MS,
    socketTimeoutMS: OPERATION_TIMEOUT_MS,
    autoIndex: false,
    // Buffered commands would block a request on a lost connection instead of failing it with 503.
    bufferCommands: false,
  });
  let closing = false;
  // Emitted by close() alone: what we end ourselves is no news.
  connection.on('disconnecting', () => {
    closing = true;
  });
  connection.on('disconnected', () => {
    if (!closing) logger.warn('MongoDB is unreachable');
  });
  connection.on('connected', () => logger.info('connected to MongoDB'));
  return connection.asPromise();
}

export function isConnected(connection: Connection): boolean {
  return connection.readyState === mongoose.ConnectionStates.connected;
}
