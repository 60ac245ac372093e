import type { Logger } from '@tollgate/runtime/logger';
import mongoose, { type Connection } from 'mongoose';
import { failCommandsOnClosedSockets } from './closed-sockets.ts';
import { isStoreUnavailable } from './store-unavailable.ts';

failCommandsOnClosedSockets();

/** A longer timeout is useless, because the gateway times out after 25 s. */
const OPERATION_TIMEOUT_MS = 20_000;
const SERVER_SELECTION_TIMEOUT_MS = 5_000;
/** Limits the wait for a server that accepts the connection and does not respond. The driver's default is 30 s, longer than callers wait. */
const CONNECT_TIMEOUT_MS = 5_000;
/** Without this timeout, operations would queue for a server that hangs, and run after their callers have disconnected. */
const CONNECTION_WAIT_TIMEOUT_MS = 10_000;
/** The driver keeps the connections of a burst for good, and the server pays for each. */
const IDLE_CONNECTION_MS = 60_000;
const NO_TIMEOUT = 0;

/** MongoDB's code for a rejected user or password. */
const AUTHENTICATION_FAILED = 18;

export interface MongoDBOptions {
  url: string;
  database: string;
  appName: string;
  /**
   * True if an operation may take any time, such as the creation of an index. The embedded server does nothing else meanwhile, so that it
   * must not count as unreachable.
   */
  isPatient?: boolean;
  /** How long one attempt to connect, and an operation without a server, waits for one. */
  serverSelectionTimeoutMs?: number;
  logger: Logger;
}

/**
 * Connects, and waits indefinitely for a server that is not up yet: exiting would restart the process until it is. Rejects only for
 * errors that waiting does not fix, such as a rejected password.
 */
export async function waitForMongoDB(options: MongoDBOptions): Promise<Connection> {
  for (;;) {
    try {
      return await connectMongoDB(options);
    } catch (error) {
      if (!isStoreUnavailable(error as Error)) throw error;
      options.logger.warn({ err: error }, 'MongoDB is unreachable; retrying');
    }
  }
}

/**
 * Connects and reconnects automatically. A majority acknowledges every write after it is in their journals on disk, so a
 * failover never rolls back an acknowledged payment. The URL can change neither this nor the database name.
 */
export async function connectMongoDB(options: MongoDBOptions): Promise<Connection> {
  const { url, database, appName, isPatient = false, logger } = options;
  const { serverSelectionTimeoutMs = SERVER_SELECTION_TIMEOUT_MS } = options;
  const connection = mongoose.createConnection(url, {
    dbName: database,
    appName,
    // The flat option names override the URL. A nested `readConcern` would not.
    w: 'majority',
    journal: true,
    readConcernLevel: 'majority',
    // A secondary lags: a retry that reads there might not find the payment whose write won.
    readPreference: 'primary',
    serverSelectionTimeoutMS: serverSelectionTimeoutMs,
    connectTimeoutMS: isPatient ? NO_TIMEOUT : CONNECT_TIMEOUT_MS,
    waitQueueTimeoutMS: CONNECTION_WAIT_TIMEOUT_MS,
    maxIdleTimeMS: IDLE_CONNECTION_MS,
    socketTimeoutMS: isPatient ? NO_TIMEOUT : OPERATION_TIMEOUT_MS,
    autoIndex: false,
    // Buffered commands would block a request on a lost connection instead of failing it with 503.
    bufferCommands: false,
  });
  let closing = false;
  // Only close() emits this event, and an intentional disconnect needs no warning.
  connection.on('disconnecting', () => {
    closing = true;
  });
  connection.on('disconnected', () => {
    if (!closing) logger.warn('MongoDB is unreachable');
  });
  connection.on('connected', () => logger.info('connected to MongoDB'));
  try {
    return await connection.asPromise();
  } catch (error) {
    closing = true;
    await connection.destroy();
    if ((error as { code?: unknown }).code !== AUTHENTICATION_FAILED) throw error;
    throw new Error('MongoDB rejected the user or password. Check the credentials in MONGODB_URL.', {
      cause: error,
    });
  }
}

export function isConnected(connection: Connection): boolean {
  return connection.readyState === mongoose.ConnectionStates.connected;
}
