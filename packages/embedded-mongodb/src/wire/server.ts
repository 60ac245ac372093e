import { createServer, type Server, type Socket } from 'node:net';
import { type Respond, serveConnection } from './connection.ts';
import type { ConnectionState, Connections } from './connection-state.ts';
import {
  MAX_CONNECTIONS,
  MAX_MESSAGE_BYTES,
  MAX_MESSAGE_BYTES_BEFORE_AUTHENTICATION,
  UNAUTHENTICATED_IDLE_MS,
} from './limits.ts';
import type { WireRequest } from './request.ts';
import { createSlowLane, type SlowLane } from './slow-lane.ts';

/** How long a client may take to read its last replies when the server stops. */
const CLOSE_TIMEOUT_MS = 1000;

export interface WireServer {
  port: number;
  /** Stops listening and closes all connections. */
  close(): Promise<void>;
}

export interface WireServerOptions {
  host: string;
  /** 0 selects a free port. */
  port: number;
  /** Limits what a client may send before it authenticates. */
  requiresAuthentication: boolean;
  /** Holds the open connections. */
  connections: Connections;
  /** Returns a promise if the connection's next request must wait for it. */
  handle: (request: WireRequest, connection: ConnectionState, respond: Respond) => Promise<void> | undefined;
}

/** Listens for MongoDB's wire protocol. Rejects with the system error if the port is not available. */
export async function listen(options: WireServerOptions): Promise<WireServer> {
  const sockets = new Set<Socket>();
  const slowLane = createSlowLane();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    serveClient(socket, options, slowLane);
  });
  server.maxConnections = MAX_CONNECTIONS;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, options.host, resolve);
  });
  return { port: portOf(server), close: () => close(server, sockets) };
}

function serveClient(socket: Socket, options: WireServerOptions, slowLane: SlowLane): void {
  const { connections, handle, requiresAuthentication } = options;
  connections.totalCreated += 1;
  const closing = new AbortController();
  const connection: ConnectionState = {
    id: connections.totalCreated,
    remoteAddress: `${socket.remoteAddress}:${socket.remotePort}`,
    user: undefined,
    conversation: undefined,
    operation: undefined,
    closed: closing.signal,
  };
  connections.open.add(connection);
  const isUnauthenticated = () => requiresAuthentication && connection.user === undefined;
  const idleTimer = setTimeout(() => {
    if (isUnauthenticated()) socket.destroy();
  }, UNAUTHENTICATED_IDLE_MS).unref();
  socket.on('close', () => {
    clearTimeout(idleTimer);
    connections.open.delete(connection);
    closing.abort();
  });

  serveConnection(socket, {
    slowLane,
    maxMessageBytes: () =>
      isUnauthenticated() ? MAX_MESSAGE_BYTES_BEFORE_AUTHENTICATION : MAX_MESSAGE_BYTES,
    handle(request, respond) {
      if (isUnauthenticated()) idleTimer.refresh();
      const operation = { body: request.body, startedAt: Date.now() };
      connection.operation = operation;
      return handle(request, connection, (reply) => {
        if (connection.operation === operation) connection.operation = undefined;
        respond(reply);
      });
    },
  });
}

function portOf(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server listens on no TCP port');
  return address.port;
}

function close(server: Server, sockets: ReadonlySet<Socket>): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    // Replies that are ready are still sent before the sockets close.
    setImmediate(() => {
      for (const socket of sockets) socket.destroySoon();
    });
    setTimeout(() => {
      for (const socket of sockets) socket.destroy();
    }, CLOSE_TIMEOUT_MS).unref();
  });
}
