import { setTimeout as sleep } from 'node:timers/promises';
import { AuthorizationError, connect, type NatsConnection } from '@nats-io/transport-node';
import { DEFAULT_STREAM_MAX_BYTES } from '@tollgate/contracts/platform/streams';
import type { BusLogger } from './logger.ts';
import { type NatsAddress, parseNatsUrl } from './nats-url.ts';
import { inboxPrefix } from './permissions/inbox.ts';

/**
 * Short, because a revoked key must be rejected within seconds after NATS is back. The jitter spreads the instances.
 */
const RECONNECT_WAIT_MS = 250;
const RECONNECT_JITTER_MS = 250;
const CONNECT_TIMEOUT_MS = 5_000;
/** A server that vanished without closing its socket is detected after at most three intervals. */
const PING_INTERVAL_MS = 5_000;
const MAX_PINGS_OUT = 2;
const CLOSE_TIMEOUT_MS = 5_000;
/** Logs one line about a missing server per this many attempts, so that they do not flood the log. */
const ATTEMPTS_PER_LOG_LINE = 20;

export interface Bus {
  /** Name of the connected component. */
  name: string;
  nats: NatsConnection;
  /** Prefix of the subjects on which this connection may receive replies. */
  inbox: string;
  /** Replicas of new streams and buckets: 1 on a single server, 3 on a cluster. */
  replicas: number;
  /** Size of new streams. */
  streamMaxBytes: number;
  isConnected(): boolean;
  /**
   * Runs an operation on NATS. Rejects at once when NATS is not connected, or disconnects during the operation, which may still
   * have been carried out: the client would wait for a reply that is lost, until its timeout.
   */
  whileConnected<T>(operation: () => Promise<T>): Promise<T>;
  /**
   * Calls the listener after every reconnect, once subscriptions are restored. Returns a function that removes the
   * listener.
   */
  onReconnect(listener: () => void): () => void;
  /** Reports that a consumer moved a message to the dead letters. */
  reportDeadLetter(consumer: string): void;
  /** Lets subscriptions finish the messages they received, flushes, and closes; takes at most a few seconds. */
  close(): Promise<void>;
}

export interface BusOptions {
  /** `nats://user:password@host:4222`, comma-separated for a cluster. */
  url: string;
  /** Shown in NATS's list of connections. */
  name: string;
  logger?: BusLogger;
  replicas?: number;
  streamMaxBytes?: number;
  /** Rejects when no server can be reached, instead of waiting for one. */
  isImpatient?: boolean;
  /** Ends the wait for a server, with a rejection. */
  signal?: AbortSignal;
  /** Called for every message that a consumer of this connection moves to the dead letters, for a metric. */
  onDeadLetter?: (consumer: string) => void;
}

/**
 * Connects to NATS, waits indefinitely for a server that is not up yet, and reconnects indefinitely afterwards. Rejects
 * only for errors that waiting does not fix: an invalid address, or a rejected user or password. Commands do not wait.
 */
export async function connectBus({
  url,
  name,
  logger,
  replicas = 1,
  streamMaxBytes = DEFAULT_STREAM_MAX_BYTES,
  isImpatient = false,
  signal,
  onDeadLetter = () => undefined,
}: BusOptions): Promise<Bus> {
  const address = parseNatsUrl(url);
  const inbox = inboxPrefix(address.user);
  const nats = await connectPatiently({ address, inbox, name, logger, isImpatient, signal });
  const listeners = new Set<() => void>();
  /** Reject the operations in flight. A promise that all of them race with would keep each one until the disconnect. */
  const rejections = new Set<(error: Error) => void>();
  let connected = true;
  let reported = '';

  /** Reports once, not at every reconnect attempt. */
  function report(error: Error): void {
    if (error.message === reported) return;
    reported = error.message;
    logger?.error({ err: error }, 'NATS reported an error');
  }

  async function followStatus(): Promise<void> {
    for await (const status of nats.status()) {
      if (status.type === 'disconnect') {
        connected = false;
        logger?.warn({}, 'disconnected from NATS; reconnecting');
        for (const reject of rejections) reject(new Error('NATS disconnected'));
      } else if (status.type === 'reconnect') {
        connected = true;
        reported = '';
        logger?.info({}, 'reconnected to NATS');
        for (const listener of listeners) listener();
      } else if (status.type === 'error') {
        report(status.error);
      }
    }
    connected = false;
  }
  void followStatus();

  const isConnected = () => connected && !nats.isClosed();

  return {
    name,
    nats,
    inbox,
    replicas,
    streamMaxBytes,
    isConnected,
    async whileConnected(operation) {
      if (!isConnected()) throw new Error('NATS is not connected');
      const { promise: disconnected, reject } = Promise.withResolvers<never>();
      rejections.add(reject);
      try {
        return await Promise.race([operation(), disconnected]);
      } finally {
        rejections.delete(reject);
      }
    },
    onReconnect(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    reportDeadLetter: onDeadLetter,
    async close() {
      // A drain waits for the server's reply, which never comes while the server is down.
      if (isConnected()) {
        await Promise.race([
          nats.drain().catch(() => undefined),
          sleep(CLOSE_TIMEOUT_MS, undefined, { ref: false }),
        ]);
      }
      await nats.close();
    },
  };
}

async function connectPatiently({
  address,
  inbox,
  name,
  logger,
  isImpatient,
  signal,
}: {
  address: NatsAddress;
  inbox: string;
  name: string;
  logger: BusLogger | undefined;
  isImpatient: boolean;
  signal: AbortSignal | undefined;
}): Promise<NatsConnection> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await connect({
        servers: address.servers,
        name,
        ...(address.user !== undefined && { user: address.user }),
        ...(address.password !== undefined && { pass: address.password }),
        ...(address.tls && { tls: {} }),
        inboxPrefix: inbox,
        timeout: CONNECT_TIMEOUT_MS,
        reconnect: true,
        maxReconnectAttempts: -1,
        // Without this, two rejections, for example while the server's users are reloaded, would end the connection
        // permanently.
        ignoreAuthErrorAbort: true,
        reconnectTimeWait: RECONNECT_WAIT_MS,
        reconnectJitter: RECONNECT_JITTER_MS,
        reconnectJitterTLS: RECONNECT_JITTER_MS,
        pingInterval: PING_INTERVAL_MS,
        maxPingOut: MAX_PINGS_OUT,
        // Avoids capturing a stack trace for every request.
        noAsyncTraces: true,
      });
    } catch (error) {
      if (error instanceof AuthorizationError) {
        throw new Error('NATS rejected the user or password. Check the credentials in NATS_URL.', {
          cause: error,
        });
      }
      if (isImpatient) throw error;
      if (attempt % ATTEMPTS_PER_LOG_LINE === 0) {
        logger?.warn({ err: error }, `NATS is unreachable at ${address.servers.join(', ')}; retrying`);
      }
      await sleep(RECONNECT_WAIT_MS + Math.random() * RECONNECT_JITTER_MS, undefined, { signal });
    }
  }
}
